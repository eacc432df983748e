"""The answer of ccc's hook when `/supervisor` or `/supervisoroff` is typed, shown in the terminal.

`/supervisor` alone needs no turn of the model's: the hook switches supervision on and ends the
prompt. With a task the command's own file switches, and the hook only says what will be checked.
`/supervisoroff` must reach the transcript, which proves that the user typed it.
"""

import json

from ccc import words
from ccc.commands import mode, speaking
from ccc.domain import jsontext, slash
from ccc.errors import CccError
from ccc.storage import files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ccc.storage.paths import Paths


def answer(event: bytes) -> int:
    """Print what claude is to show; nothing where the command is not ours."""
    paths = speaking.speak()
    typed = jsontext.object_in(event.decode("utf-8", "replace")) or {}
    name = str(typed.get("command_name") or "")
    if not _is_ours(paths, name):
        return 0
    given = str(typed.get("command_args") or "").strip()
    try:
        print(json.dumps(_reply(paths, name, given)))
    except CccError as error:
        if not given:
            told = f"{error}\n{words.say(error.hint, **error.params)}"
            print(json.dumps({"continue": False, "stopReason": told}))
    return 0


def _reply(paths: "Paths", name: str, given: str) -> dict[str, object]:
    if slash.NAMES[name] == "off":
        return {"systemMessage": words.say("mode.off")}
    session = mode.session_around(paths) if given else mode.switch_on_around(paths)
    told = words.say("mode.confirmed", rules=mode.rules(paths, session))
    if given:
        return {"systemMessage": told}
    return {"continue": False, "stopReason": f"{told} {words.say('mode.ask_task')}"}


def _is_ours(paths: "Paths", name: str) -> bool:
    """Whether the command's file is ours, not one of the user's by that name."""
    if name not in slash.NAMES:
        return False
    try:
        return slash.is_ours(name, files.read(paths.slash_command(name)) or "")
    except CccError:
        return False
