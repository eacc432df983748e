"""The search for the key works: in files, in every form, and on command lines."""

import base64
import subprocess
import sys
import time
import urllib.parse
from pathlib import Path

import pytest

from harness.canary import Sampler, forms, hidden, in_files

CANARY = "sk-canary/Aa1+Bb2=Cc3$Dd4"


@pytest.mark.parametrize(
    "text",
    [
        f"key: {CANARY}!",
        CANARY[: len(CANARY) // 2],
        CANARY[len(CANARY) // 2 :],
        urllib.parse.quote(CANARY, safe=""),
        CANARY.encode().hex(),
        *(base64.b64encode(f"{'x' * n}{CANARY}and more".encode()).decode() for n in range(4)),
        base64.urlsafe_b64encode(f"user:{CANARY}".encode()).decode(),
    ],
)
def test_forms(text: str) -> None:
    """The key is found whole, in half or encoded."""
    assert hidden(f"… {text} …".encode(), CANARY)


def test_nothing_else() -> None:
    """Another key is not found, and no form is so short that it matches any text."""
    assert hidden(b"sk-other/Zz9+Yy8=Xx7$Ww6", CANARY) == ""
    assert min(map(len, forms(CANARY).values())) >= 10


def test_files(tmp_path: Path) -> None:
    """All files are read, even hidden ones, except those that may contain it."""
    for name in ("a/.b/c", "mine/ccc.json", f"d/{CANARY.replace('/', '-')}"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(CANARY if "ccc" in name or "c" in path.name[:1] else "")
    found = in_files(tmp_path, CANARY, ("*/ccc.json",))
    assert any(line.startswith("a/.b/c: whole") for line in found), found
    assert not any("ccc.json" in line for line in found)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_command_lines(tmp_path: Path) -> None:
    """A process of the scratch home that has it in its arguments is found."""
    sampler = Sampler(CANARY)
    home = {"HOME": f"{tmp_path}/home", "PATH": "/bin:/usr/bin"}
    child = subprocess.Popen(["/bin/sh", "-c", "sleep 20; :", CANARY], env=home)
    try:
        until = time.monotonic() + 15
        while not sampler.hits(tmp_path) and time.monotonic() < until:
            time.sleep(0.02)
    finally:
        child.kill()
        child.wait()
        sampler.end()
    assert CANARY in sampler.hits(tmp_path)[0]
    assert sampler.hits(tmp_path / "other") == []
