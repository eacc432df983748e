"""Coverage-guided fuzzing of the stream parser and the verdict parser, in `make soak`."""

import importlib.util
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from wild import NO, STREAM, YES

from harness.soak import Tally

SECONDS = 45
RUNS = 2_000_000
PER_INPUT = 20
SEEDS = {
    "stream": [b"\x10" + line.encode() for line in STREAM]
    + [b"\x02" + "\n".join(STREAM[-3:]).encode(), b"\x01\xff\n{}\n", b"\x05" + b"[" * 500],
    "verdict": [
        *(text.encode() for text in (YES, NO, f"I looked.\n```json\n{YES}\n```", f"{NO}\n{YES}")),
        f"测试。\n{YES}".encode(),
        "{“completed”: false, “feedback”: “x”}".encode(),
        b'{"completed": true, "feedback": "cut',
        b"All done. [TASK_COMPLETED]",
        f'{{"a": [{YES}]}}'.encode(),
    ],
}


@pytest.mark.soak
@pytest.mark.parametrize("target", sorted(SEEDS))
def test_guided(target: str, tmp_path: Path, tally: Callable[[str], Tally]) -> None:
    """Inputs that reach new code cause no error, no hang and no wrong yes."""
    if importlib.util.find_spec("atheris") is None:
        assert sys.platform != "linux" or sys.version_info >= (3, 14), "make soak installs atheris"
        pytest.skip("atheris is not available for this platform")
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    for number, seed in enumerate(SEEDS[target]):
        (corpus / f"seed-{number}").write_bytes(seed)
    row = tally(f"{target}, guided")
    done = subprocess.run(
        [
            *(sys.executable, str(Path(__file__).with_name("guided.py")), target, str(corpus)),
            *(f"-runs={RUNS}", f"-max_total_time={SECONDS}", f"-timeout={PER_INPUT}"),
            *("-max_len=4096", "-rss_limit_mb=1024", "-print_final_stats=1", "-verbosity=1"),
            f"-artifact_prefix={tmp_path}/",
        ],
        capture_output=True,
        timeout=SECONDS + 120,
        check=False,
    )
    output = (done.stdout + done.stderr).decode(errors="replace")
    units = re.search(r"number_of_executed_units:\s*(\d+)", output)
    row.tried = int(units[1]) if units else 1
    row.lost = int(done.returncode != 0)
    inputs = [path.read_bytes() for path in tmp_path.iterdir() if path.is_file()]
    assert done.returncode == 0, f"{inputs}\n{output[-3000:]}"
    assert row.tried > 1_000
