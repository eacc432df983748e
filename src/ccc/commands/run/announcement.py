"""The beginning of an unattended run, as the person is told of it."""

from ccc import words
from ccc.commands import launch
from ccc.commands.run import permissions
from ccc.config import ccc_json
from ccc.system import terminal
from ccc.ui import formatting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ccc.commands.launch import Launch
    from ccc.commands.run.options import Options
    from ccc.commands.run.progress import Running


def announce(found: "Launch", going: "Running", given: "Options") -> None:
    """Say that supervision is on, what the limits are and what the agent may do."""
    going.screen.tell(words.say("supervisor.enabled"))
    if given.verbose:
        going.screen.tell(
            words.say(
                "run.logs",
                state_dir=launch.log_path(found.paths.state_dir),
                hook_log=launch.log_path(found.paths.invocation_log),
                output_log=launch.log_path(found.paths.review_output(found.session)),
                agent_log=launch.log_path(found.paths.agent_output(found.session)),
            )
        )
    limits, task = found.config.supervisor, going.tasks.load()
    if given.go_on:
        going.screen.tell(
            words.say(
                "run.continued",
                task=terminal.cut(going.run.task, 60),
                rounds=words.count("rounds", task.count),
                time=formatting.clock(going.elapsed),
                cost=formatting.money(task.cost_usd, task.cost_source),
            )
        )
    bounds = [words.count("rounds", limits.max_iterations)]
    if limits.max_minutes:
        bounds.append(words.count("minutes", limits.max_minutes))
    if limits.max_cost_usd:
        bounds.append(f"${limits.max_cost_usd:g}")
    provider = task.provider or found.config.choose()
    comma = words.say("comma")
    checks = [each.command for each in ccc_json.checks_of(found.config, going.run.cwd)]
    going.screen.tell(
        words.say(
            "run.about",
            provider=provider,
            checks=comma.join(terminal.cut(each, 40) for each in checks)
            or words.say("mode.no_checks"),
            bounds=comma.join(bounds),
        )
    )
    for line in permissions.told(found.config, going.level):
        going.screen.tell(line)
    if going.screen.is_live:
        going.screen.tell(words.say("run.talk"))
