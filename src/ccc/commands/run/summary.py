"""What a run came to, as one object."""

from ccc.claude.formats import permission
from ccc.providers import cost_source, usage
from ccc.storage import files, paths
from ccc.text import jsontext

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ccc.commands.launch import Launch
    from ccc.commands.run.progress import Running
    from ccc.supervision.loop import Ending

_NO_TOKENS = {"input": 0, "cache_read": 0, "cache_creation": 0, "output": 0}


def resume_command(found: "Launch", going: "Running") -> str:
    """The command that opens the session, with its provider and its supervision."""
    return f"ccc {found.provider} --resume {going.agent.session}"


def summary(found: "Launch", going: "Running", ended: "Ending", code: int) -> "dict[str, Any]":
    """What `--json` prints."""
    where, run, known = going.where, going.run, going.known()
    verdicts = _verdicts(files.read(where.verdicts(going.session)) or "", known.prompt_id)
    receipts = verdicts[-1].get("receipts", []) if verdicts else []
    judged = cost_source.join(*(str(each.get("cost_source") or "") for each in verdicts))
    reviews = max(0.0, known.cost_usd - run.agent_cost_usd)
    return {
        "outcome": ended.outcome,
        "detail": ended.detail,
        "exit_code": code,
        "session_id": going.agent.session,
        "iterations": known.count,
        "resume": resume_command(found, going) if going.agent.transcript else "",
        "result": run.last_message,
        "denied": [
            {"call": str(call), "allow": permission.rules_for(call)}
            for call in going.run.denials.calls
        ],
        "verdicts": [
            {key: value for key, value in verdict.items() if key not in ("receipts", "prompt_id")}
            for verdict in verdicts
        ],
        "receipts": receipts,
        "cost_usd": {
            "agent": run.agent_cost_usd,
            "reviews": reviews,
            "total": run.agent_cost_usd + reviews,
        },
        "cost_source": {
            "agent": run.agent_cost_source,
            "reviews": judged,
            "total": cost_source.join(run.agent_cost_source, judged),
        },
        "tokens": {
            "agent": dict(run.tokens),
            "reviews": usage.add([_NO_TOKENS, *(v.get("tokens", {}) for v in verdicts)]),
        },
        "seconds": round(going.elapsed, 3),
        "logs": paths.records(where, going.session),
    }


def _verdicts(text: str, prompt_id: str) -> "list[dict[str, Any]]":
    """The verdicts of this run: its state may have the name of an earlier one."""
    # a line may have been cut off
    found = [each for each in map(jsontext.object_in, text.split("\n")) if each is not None]
    return [each for each in found if prompt_id in ("", each.get("prompt_id"))]
