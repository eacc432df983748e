"""`make install` and `make uninstall`: the choice of the installer, and the messages."""

import json
import os
import pwd
import subprocess
from pathlib import Path

import pytest

from harness.programs import path_without

ROOT = Path(__file__).parents[2]
_INSTALLER = """#!/bin/sh
echo "{name} $*" >> {log}
case "$*" in
  "tool dir --bin"|"environment --value PIPX_BIN_DIR") echo {bin} ;;
  "tool list"|"list --short") [ ! -e {bin}/ccc ] || echo "ccc-supervisor 0.1.0" ;;
  *uninstall*) rm {bin}/ccc ;;
  *install*) printf '#!/bin/sh\\necho "ccc $*" >> {log}; echo ccc 0.1.0\\n' > {bin}/ccc
    chmod +x {bin}/ccc ;;
esac
"""


class Machine:
    """A home with stub uv and pipx programs that log their calls."""

    def __init__(self, root: Path, *installers: str) -> None:
        self.home = root / "a home"
        self.bin = root / "tools"
        self.log = root / "log"
        for path in (self.home, self.bin):
            path.mkdir()
        self.log.touch()
        for name in installers:
            program = self.bin / name
            program.write_text(_INSTALLER.format(name=name, log=self.log, bin=self.bin))
            program.chmod(0o755)

    def make(self, target: str, code: int = 0, **env: str) -> str:
        """Run `make target` and return its output."""
        environment = {
            "HOME": str(self.home),
            "PATH": f"{self.bin}:{path_without('uv', 'pipx')}",
            "LANG": "C.UTF-8",
            **_index(),
            **env,
        }
        command = ["make", "--silent", "--no-print-directory", "-C", str(ROOT), target]
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=400, check=False
        )
        assert (done.returncode != 0) == (code != 0), done.stdout + done.stderr
        return done.stdout + done.stderr

    @property
    def calls(self) -> list[str]:
        """Return the install and uninstall calls of the installers and the installed ccc."""
        words = ("install", "uninstall")
        lines = self.log.read_text().splitlines()
        return [line for line in lines if any(word in line.split() for word in words)]


def _index() -> dict[str, str]:
    """Return the pip settings of the user who runs the tests."""
    home = Path(pwd.getpwuid(os.getuid()).pw_dir)
    pip = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    files = {"PIP_CONFIG_FILE": str(home / ".config/pip/pip.conf")}
    cache = {"PIP_CACHE_DIR": str(home / ".cache/pip")}
    return {**cache, **(files if os.path.exists(files["PIP_CONFIG_FILE"]) else {}), **pip}


@pytest.mark.parametrize(
    ("available", "used"), [(("uv", "pipx"), "uv"), (("uv",), "uv"), (("pipx",), "pipx")]
)
def test_the_installer_that_is_there(tmp_path: Path, available: tuple[str, ...], used: str) -> None:
    """`make install` prefers uv to pipx and names the path; uninstalling removes the hook first."""
    machine = Machine(tmp_path, *available)
    output = machine.make("install")
    assert f"Installed ccc 0.1.0 with {used}: {machine.bin}/ccc" in output
    assert "not on your PATH" not in output
    (installed,) = machine.calls
    assert installed.startswith({"uv": "uv tool install", "pipx": "pipx install"}[used])
    machine.log.write_text("")
    assert f"Removed ccc (it was installed with {used})." in machine.make("uninstall")
    hook, program = machine.calls
    assert hook == "ccc uninstall --yes"
    assert program.startswith({"uv": "uv tool uninstall", "pipx": "pipx uninstall"}[used])
    assert "nothing to remove" in machine.make("uninstall")
    assert "没有安装 ccc" in machine.make("uninstall", LANG="zh_CN.UTF-8")
    machine.make("install")
    machine.make("uninstall", PURGE="1")
    assert machine.calls[-2] == "ccc uninstall --yes --purge"


def test_another_ccc_is_left_alone(tmp_path: Path) -> None:
    """A program named ccc in ~/.local/bin that ccc didn't install stays untouched."""
    machine = Machine(tmp_path)
    other = machine.home / ".local/bin/ccc"
    other.parent.mkdir(parents=True)
    other.write_text("another program\n")
    assert f"{other} already exists" in machine.make("install", code=1)
    assert other.read_text() == "another program\n"
    assert not (machine.home / ".local/share").exists()


def test_an_old_python(tmp_path: Path) -> None:
    """An old Python is refused with the version that is needed."""
    machine = Machine(tmp_path)
    old = machine.bin / "python3"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    assert "Python 3.11 or newer is needed" in machine.make("install", code=1)
    assert list(machine.home.iterdir()) == []


def _installed_before_an_upgrade(machine: Machine) -> Path:
    """Create an installation whose Python is missing, with link and hook; return its settings."""
    home = machine.home / ".local/share/ccc-supervisor/bin"
    link = machine.home / ".local/bin/ccc"
    settings = machine.home / ".claude/settings.json"
    for directory in (home, link.parent, settings.parent):
        directory.mkdir(parents=True)
    (home / "python").symlink_to("/usr/bin/python3.gone")
    (home / "ccc").write_text(f"#!{home}/python\n")
    (home / "ccc").chmod(0o755)
    link.symlink_to(home / "ccc")
    hook = {"type": "command", "command": f"'{link}' supervisor-hook", "timeout": 7200}
    settings.write_text(json.dumps({"model": "opus", "hooks": {"Stop": [{"hooks": [hook]}]}}))
    return settings


def test_a_python_that_is_gone(tmp_path: Path) -> None:
    """Uninstalling removes hook, link and environment even if their Python is missing."""
    machine = Machine(tmp_path)
    settings = _installed_before_an_upgrade(machine)
    assert "Removed ccc (it was installed with venv)." in machine.make("uninstall")
    assert json.loads(settings.read_text()) == {"model": "opus"}
    assert not os.path.lexists(machine.home / ".local/bin/ccc")
    assert list((machine.home / ".local/share").iterdir()) == []
    assert "nothing to remove" in machine.make("uninstall")


def test_settings_that_cannot_be_read(tmp_path: Path) -> None:
    """If the settings can't be parsed, ccc stays installed and the message says what to rerun."""
    machine = Machine(tmp_path)
    settings = _installed_before_an_upgrade(machine)
    settings.write_text(broken := settings.read_text()[:-1])
    output = machine.make("uninstall", code=1)
    assert "run `make uninstall` again" in output
    assert "ccc uninstall" not in output
    assert settings.read_text() == broken
    assert os.path.lexists(machine.home / ".local/bin/ccc")


@pytest.mark.thorough
def test_its_own_environment(tmp_path: Path) -> None:
    """Without uv and pipx, ccc gets its own environment, even in a home whose path has a space."""
    machine = Machine(tmp_path)
    program = machine.home / ".local/bin/ccc"
    output = machine.make("install")
    assert f"with venv: {program}" in output
    assert f'export PATH="{program.parent}:$PATH"' in output
    env = {"HOME": str(machine.home), "PATH": path_without(), "LANG": "C.UTF-8"}
    subprocess.run([program, "install"], env=env, check=True, capture_output=True)
    settings = machine.home / ".claude/settings.json"
    assert f"'{program}' supervisor-hook" in settings.read_text()
    machine.make("install")  # a second time, as an upgrade
    machine.make("uninstall")
    assert not settings.exists()
    assert not program.exists()
    assert list((machine.home / ".local/share").iterdir()) == []
