"""The inputs of a run: the launch, its options, the agent's arguments and permissions."""

import os
from collections.abc import Callable
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from ccc.claude.formats import arguments, command_line, stream
from ccc.claude.formats.command_line import Plan
from ccc.claude.launch import Launch, agent_environment
from ccc.config.schema import Config
from ccc.providers import models, prices
from ccc.providers.prices import Tariff
from ccc.run.options import Options


class Assignment(Struct, frozen=True):
    """The launch and options of an unattended run."""

    launch: Launch
    options: Options
    level: str  # the agent's permission level
    settings_file: str = ""

    @property
    def env(self) -> dict[str, str]:
        """The agent's environment."""
        return agent_environment(self.launch)

    @property
    def model(self) -> str:
        """The model that the agent will request, if known."""
        launch = self.launch
        readings = (launch.arguments, launch.base_arguments)
        given = next(filter(None, (each.last_value("--model") for each in readings)), "")
        return models.expected_model(self.env, given)

    @property
    def tariff(self) -> Tariff:
        """The prices of the agent's provider."""
        return prices.tariff(self.launch.config, self.launch.provider, self.env)

    @property
    def is_priced(self) -> bool:
        """Return whether there is a budget and ccc knows the price to enforce it during a turn."""
        return bool(self.launch.config.supervisor.max_cost_usd and self.tariff.price(self.model))

    @property
    def stream_filter(self) -> Callable[[str], bool]:
        """A function that selects the lines of the agent's stream to print on stdout."""
        if self.options.output != "stream-json":
            return lambda line: False
        is_partial = "--include-partial-messages" in self.launch.arguments.rest
        return partial(stream.is_printed, partial=is_partial)

    def config_within(self, seconds: float | None) -> Config:
        """Return the configuration with the timeouts of reviews and checks limited to `seconds`."""
        config = self.launch.config
        if seconds is None:
            return config
        limits = config.supervisor
        checks = tuple(
            replace(check, timeout_seconds=min(check.timeout_seconds, seconds))
            for check in limits.checks
        )
        timeout = min(limits.timeout_seconds, seconds)
        return replace(config, supervisor=replace(limits, timeout_seconds=timeout, checks=checks))

    def plan(self, session: str, is_known: bool, budget: float | None) -> Plan:
        """Plan the start of claude in a session, with a budget."""
        launch, rest = self.launch, self.launch.arguments.for_agent
        choice: tuple[str, ...] = ("--session-id", session) if session else ()
        if is_known:
            choice, rest = ("--resume", session), arguments.without_session(rest)
        file, base = self.settings_file, launch.base_arguments
        line = command_line.agent(file, base, rest, choice, budget=budget)
        return Plan((launch.claude, *line), self.env, os.getcwd())
