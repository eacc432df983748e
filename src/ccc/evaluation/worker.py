"""Review one case in a process of its own: `python -m ccc.evaluation.worker JOB`."""

import json
import os
import sys
from dataclasses import asdict

from ccc.config import ccc_json
from ccc.evaluation import case as cases
from ccc.evaluation.trial import Judge, judge


def main(job: str) -> None:
    """Print the result as JSON."""
    ccc_json.speak()
    raw = json.loads(job)
    (case,) = (each for each in cases.load(raw["directory"]) if each.twin == raw["twin"])
    result = judge(case, Judge(**raw["judge"]), raw["project"], raw["start"], environ=os.environ)
    print(json.dumps(asdict(result)))


if __name__ == "__main__":
    main(sys.argv[1])
