"""Test a claude in the background."""

import os
from collections.abc import Collection, Mapping

from ccc.claude import answers, client_version, clients
from ccc.claude.formats import environment
from ccc.errors import CccError
from ccc.storage.paths import Paths
from ccc.system import background

_COMMAND = ("doctor", "--deep", "--interactive", "--quiet", "--claude")


def start(
    paths: Paths, program: str, ccc: str, environ: Mapping[str, str], keys: Collection[str]
) -> None:
    """Store what is known about the version of a claude, or start a test.

    `keys` names the variables that hold the user's keys, which the test doesn't get.
    """
    try:
        if known := answers.of_version(client_version.of_program(program)):
            clients.save(paths, program, known)
        elif os.path.isdir(paths.state_dir) and clients.claim(paths, program):
            env = environment.for_notification(environ, keys)
            background.start([ccc, *_COMMAND, program], env)
    except CccError:
        pass  # the directory isn't writable, which other parts report
