"""A Postgres server on loopback, started by the tests that need one."""

import glob
import os
import shutil
import socket
import subprocess
import tempfile
import threading
import time
from pathlib import Path

from harness import programs

_OWNER = "postgres"


class Postgres:
    """A server in a temporary directory, which can be stopped and started again."""

    def __init__(self) -> None:
        self._programs = _directory()
        self._root = Path(tempfile.mkdtemp(prefix="ccc-postgres-"))
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        self._server: subprocess.Popen[bytes] | None = None
        self._count = 0
        if os.getuid() == 0:  # Postgres refuses to run as root
            shutil.chown(self._root, _OWNER, _OWNER)
        self._run(
            "initdb",
            "--auth=trust",
            "--encoding=UTF8",
            "--username=ccc",
            "--no-sync",
            str(self._root / "data"),
        )
        self.start()

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        options = ("-F", "-h", "127.0.0.1", "-p", str(self._port), "-k", str(self._root))
        command = self._command("postgres", "-D", str(self._root / "data"), *options)
        self._server = subprocess.Popen(
            command, cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        until = time.monotonic() + 30
        while not self._answers():
            assert time.monotonic() < until, "Postgres doesn't answer"
            time.sleep(0.1)

    def stop(self) -> None:
        """Stop the server at once, as a crash would."""
        self._run("pg_ctl", "stop", "-D", str(self._root / "data"), "-m", "immediate")
        assert self._server is not None
        self._server.wait(30)

    def database(self) -> str:
        """Create a database; return its URL."""
        self._count += 1
        name = f"queue{self._count}"
        self._run("createdb", *self._address(), name)
        return f"postgresql://ccc:secret@127.0.0.1:{self._port}/{name}"

    def remove(self) -> None:
        """Stop the server and remove its files."""
        self.stop()
        shutil.rmtree(self._root, ignore_errors=True)

    def _answers(self) -> bool:
        command = self._command("pg_isready", "--quiet", "-h", "127.0.0.1", "-p", str(self._port))
        return subprocess.run(command, cwd="/", check=False).returncode == 0

    def _address(self) -> tuple[str, ...]:
        return ("-h", "127.0.0.1", "-p", str(self._port), "-U", "ccc")

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            self._command(program, *arguments),
            cwd="/",
            env={"PATH": os.environ["PATH"], "LC_ALL": "C", "TZ": "UTC"},
            capture_output=True,
            check=False,
            timeout=60,
        )
        assert not done.returncode, (done.stdout + done.stderr).decode()

    def _command(self, program: str, *arguments: str) -> list[str]:
        command = [os.path.join(self._programs, program), *arguments]
        return ["runuser", "-u", _OWNER, "--", *command] if os.getuid() == 0 else command


def _directory() -> str:
    """Return the directory of Postgres's programs; skip the test if there is none."""
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"))
    if not found and (own := shutil.which("initdb")):
        found = [os.path.realpath(own)]
    if not found:
        programs.needs("initdb")
    return os.path.dirname(found[-1])


class Proxy:
    """Passes connections on to a server on loopback, until it is frozen: nothing is closed."""

    def __init__(self, url: str) -> None:
        self._frozen = threading.Event()
        self._kept: list[socket.socket] = []
        self._to_server: list[socket.socket] = []
        head, _, rest = url.rpartition("@127.0.0.1:")
        port, _, name = rest.partition("/")
        self._target = ("127.0.0.1", int(port))
        self._listener = socket.create_server(("127.0.0.1", 0))
        own = self._listener.getsockname()[1]
        self.url = f"{head}@127.0.0.1:{own}/{name}"
        threading.Thread(target=self._accept, daemon=True).start()

    def freeze(self) -> None:
        """Lose everything that is sent from now on."""
        self._frozen.set()

    def drop(self) -> None:
        """Let the server notice, as its keepalive does."""
        _shut(self._to_server)

    def thaw(self) -> None:
        """Let both sides notice, and pass new connections on."""
        self._frozen.clear()
        _shut(self._to_server + self._kept)

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
                if self._frozen.is_set():
                    self._kept.append(client)
                    continue
                server = socket.create_connection(self._target)
            except OSError:
                return
            self._kept.append(client)
            self._to_server.append(server)
            for one, other in ((client, server), (server, client)):
                threading.Thread(target=self._pass_on, args=(one, other), daemon=True).start()

    def _pass_on(self, one: socket.socket, other: socket.socket) -> None:
        try:
            while data := one.recv(65536):
                if self._frozen.is_set():
                    return
                other.sendall(data)
            other.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def close(self) -> None:
        """Close the listening socket."""
        self._listener.close()


def _shut(sockets: list[socket.socket]) -> None:
    for each in sockets:
        try:
            each.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
