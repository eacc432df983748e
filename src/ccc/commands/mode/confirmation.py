"""The answer of ccc's hook when `/supervisor` or `/supervisoroff` is typed, shown in the terminal.

The hook switches by itself, since the command's own file can't where the agent has a sandbox. For
`/supervisor` alone it then ends the prompt, which needs no turn of the model's. `/supervisoroff`
must reach the transcript, which proves that the user typed it.
"""

import json

from ccc import words
from ccc.claude.formats import slash
from ccc.commands.mode import command
from ccc.config import ccc_json
from ccc.errors import CccError
from ccc.storage import files
from ccc.text import jsontext

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ccc.storage.paths import Paths


def answer(event: bytes) -> int:
    """Print what claude is to show; nothing where the command is not ours."""
    paths = ccc_json.speak()
    typed = jsontext.object_in(event.decode("utf-8", "replace")) or {}
    name = str(typed.get("command_name") or "")
    if not _is_ours(paths, name):
        return 0
    given = str(typed.get("command_args") or "").strip()
    goes_on = bool(given) or slash.NAMES[name] == "off"
    try:
        told = _switched(paths, slash.NAMES[name])
    except CccError as error:
        if goes_on:
            return 0  # the command's file fails, too, and says why
        told = f"{error}\n{words.say(error.hint, **error.params)}"
    else:
        told += "" if goes_on else f" {words.say('mode.ask_task')}"
    reply = {"systemMessage": told} if goes_on else {"continue": False, "stopReason": told}
    print(json.dumps(reply))
    return 0


def _switched(paths: "Paths", word: str) -> str:
    """Switch the session around us; what the person is told."""
    session = command.switch_around(paths, word)
    if word == "off":
        return words.say("mode.off")
    return words.say("mode.confirmed", rules=command.rules(paths, session))


def _is_ours(paths: "Paths", name: str) -> bool:
    """Whether the command's file is ours, not one of the user's by that name."""
    if name not in slash.NAMES:
        return False
    try:
        return slash.is_ours(name, files.read(paths.slash_command(name)) or "")
    except CccError:
        return False
