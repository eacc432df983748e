"""Our pieces in Claude Code's settings: known again, and taken out to the byte."""

from ccc.claude.formats import settings
from ccc.text import jsontext

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

_CONTAINERS = ("hooks", "Stop")


def looks_ours(text: str) -> bool:
    """Whether a settings file has the form of those that are wholly ours."""
    try:
        content = settings.read(text)
    except ValueError:
        return False
    return settings.has_hook(content) or _is_reviewers(content)


def _is_reviewers(content: "Mapping[str, object]") -> bool:
    """Whether the settings are those that a ccc wrote for its reviewer, of whatever version."""
    permissions = content.get("permissions")
    own = permissions if isinstance(permissions, dict) else {}
    denied = denied if isinstance(denied := own.get("deny"), list) else []
    is_strict = own.get("defaultMode") == "dontAsk" and settings.DENIED[0] in denied
    return is_strict and content.get("disableAllHooks") is True


def before_hook(text: str) -> dict[str, object]:
    """What an exact removal of our hook will have to know of the text without it.

    Which of its containers are the user's own, and what ours will take the place of: white space
    between brackets, a null, or a whole file of nothing but white space.
    """
    body = text.removeprefix("\ufeff")
    if not body.strip():
        return {"containers": [], "held": "", "blank": body}
    found = settings.read(body)
    path: tuple[str, ...] = ()
    known: dict[str, object] = {"blank": None}
    for name in _CONTAINERS:
        if name not in found:
            break
        path, found = (*path, name), found[name]  # type: ignore[assignment]
        if found is None:
            return {**known, "containers": [*path], "held": "null"}
    return {**known, "containers": [*path], "held": "" if found else jsontext.inside(body, path)}


def without_hook(text: str, containers: "Collection[str]" = (), held: str = "") -> str:
    """The settings text without our hooks: what `with_hook` was given, where that is known."""
    mark, body = ("\ufeff", text[1:]) if text.startswith("\ufeff") else ("", text)
    if not body.strip():
        return text
    while place := next(settings.places(content := jsontext.parse(body)), None):
        path = _ours_alone(content, place, containers)
        body = jsontext.remove(body, path)
        if held and not settings.at(jsontext.parse(body), path[:-1]):
            body = _filled(body, path[:-1], held)
    return mark + body


def _filled(body: str, path: "tuple[str | int, ...]", held: str) -> str:
    if held == "null":
        return jsontext.replace(body, path, None)
    return jsontext.fill(body, path, held)


def _ours_alone(
    content: object, place: "tuple[str | int, ...]", containers: "Collection[str]"
) -> "tuple[str | int, ...]":
    """The path of the outermost thing that is there for our hook alone."""
    if len(settings.at(content, place[:-1])) > 1:  # type: ignore[arg-type]
        return place
    path = place[:3]
    for name in reversed(_CONTAINERS):
        if name in containers or len(settings.at(content, path[:-1])) > 1:  # type: ignore[arg-type]
            break
        path = path[:-1]
    return path


def status_line_text(text: str) -> str:
    """The status line as the settings text writes it; empty where there is none."""
    body = text.removeprefix("\ufeff")
    return jsontext.raw(body, ("statusLine",)) if "statusLine" in settings.read(text) else ""


def with_status_line_text(text: str, written: str) -> str:
    """The settings text with its status line written like that."""
    mark, body = ("\ufeff", text[1:]) if text.startswith("\ufeff") else ("", text)
    return mark + jsontext.replace_raw(body, ("statusLine",), written)


def with_env_again(text: str, was: str, names: "Sequence[str]") -> str:
    """The settings text with variables back where they stood in the text that it once was."""
    mark, body = ("\ufeff", text[1:]) if text.startswith("\ufeff") else ("", text)
    old, source = settings.read(was)["env"], was.removeprefix("\ufeff")
    assert isinstance(old, dict)
    order = list(old)
    for name in reversed(order):
        if name not in names:
            continue
        now = settings.read(body).get("env")
        there = now if isinstance(now, dict) else {}
        later = next((n for n in order[order.index(name) + 1 :] if n in there), "")
        if later:
            body = jsontext.insert_before(body, ("env", name), later, source)
        else:
            body = jsontext.replace(body or "{}", ("env", name), old[name])
    return mark + body
