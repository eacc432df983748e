"""`ccc run "task"`: run agent and reviewer unattended, and return an exit code."""

import argparse
import os

from msgspec.structs import replace

from ccc.claude.launch import prepare
from ccc.config import ccc_json
from ccc.providers import selection
from ccc.run import saved_run
from ccc.run.options import Options
from ccc.ui.arguments import Parser, given_limits


def main(line: list[str]) -> int:
    """Run a task, or continue an interrupted run."""
    # it takes 80 ms, and completion needs the parser alone
    from ccc.run import unattended

    where = ccc_json.set_language()
    options = read(line)
    if options is None:
        return 0
    if options.provider is not None:
        selection.require(options.provider, ccc_json.find(where))
    saved = saved_run.find_unfinished(where, os.getcwd()) if options.resume else None
    provider = options.provider or (saved.provider if saved else "")
    rest = options.claude or (saved.run.arguments if saved and saved.run else ())
    # put an option first, so that the first of claude's arguments isn't taken for a provider
    launch = prepare([provider or "--print", *rest], os.environ)
    # a run doesn't change which provider the next `ccc` starts
    return unattended.execute(replace(launch, is_bound=True), options, saved)


def read(line: list[str]) -> Options | None:
    """Parse the options before `--` and claude's arguments after it; None for `--help`."""
    at = line.index("--") if "--" in line else len(line)
    parsed = build_parser().parse(line[:at])
    if parsed is None:
        return None
    given = vars(parsed)
    checks = {"checks": given["check"]} if given["check"] else {}
    given |= {
        "task": " ".join(given["words"]).strip(),
        "limits": given_limits(parsed) | checks,
        "allow": tuple(given["allow"]),
        "claude": tuple(line[at + 1 :]),
    }
    return Options(**{name: given[name] for name in Options.__struct_fields__ if name in given})


def build_parser() -> Parser:
    """Build the parser for `ccc run`."""
    parser = Parser("run", unknown="run.unknown")
    parser.add_argument("words", nargs="*")
    parser.add_argument("--provider")
    parser.add_argument("--file", default="")
    parser.add_bounds()
    parser.add_argument("--check", action="append")
    parser.add_flags("--json", "--quiet", "--open", "--wait", "--no-wait")
    parser.add_argument("--continue", action="store_true", dest="resume")
    parser.add_argument("--question", default="", help=argparse.SUPPRESS)
    parser.add_argument("--verbose", "-v", action="store_true")
    return parser
