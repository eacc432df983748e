"""`ccc run "task"`: run agent and reviewer unattended, and return an exit code."""

import os
from dataclasses import replace

from ccc.claude.launch import prepare
from ccc.config import ccc_json
from ccc.providers import selection
from ccc.run import options, unattended
from ccc.supervision import saved_run


def main(line: list[str]) -> int:
    """Run a task, or continue an interrupted run."""
    where = ccc_json.speak()
    given = options.read(line)
    if given is None:
        return 0
    if given.provider is not None:
        selection.require(given.provider, ccc_json.find(where))
    saved = saved_run.find_unfinished(where, os.getcwd()) if given.resume else None
    provider = given.provider or (saved.state.provider if saved else "")
    rest = given.claude or (saved.run.arguments if saved else ())
    # put an option first, so that the first of claude's arguments isn't taken for a provider
    launch = prepare([provider or "--print", *rest], os.environ)
    # a run doesn't change which provider the next `ccc` starts
    return unattended.execute(replace(launch, is_bound=True), given, saved)
