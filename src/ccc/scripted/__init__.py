"""An Anthropic-compatible model on loopback that follows a scenario.

scenario = Scenario([
    Rule(every(agent_turn(), said_last("tests")), [answer(tool("Bash", command="make test"))]),
    Rule(every(agent_turn(), tool_result("passed")), [answer("All green.")]),
])
with ScriptedModel(scenario) as model:
    ...  # run claude with ANTHROPIC_BASE_URL=model.url
    assert model.requests[-1].last_tool_result, model
"""

from ccc.scripted.condition import (
    Condition,
    agent_turn,
    anything,
    either,
    every,
    has_tool,
    isnt,
    model_is,
    no_tools,
    said,
    said_last,
    system_says,
    tool_result,
)
from ccc.scripted.exchange import Exchange
from ccc.scripted.reply import (
    Reply,
    Text,
    ToolCall,
    answer,
    broken,
    cut,
    endless,
    failure,
    overloaded,
    rate_limited,
    server_error,
    slow,
    text,
    tool,
    unauthorized,
)
from ccc.scripted.request import Request
from ccc.scripted.scenario import Choice, Rule, Scenario
from ccc.scripted.server import ScriptedModel
from ccc.scripted.usage import Usage, shared_prefix

__all__ = [
    "Choice",
    "Condition",
    "Exchange",
    "Reply",
    "Request",
    "Rule",
    "Scenario",
    "ScriptedModel",
    "Text",
    "ToolCall",
    "Usage",
    "agent_turn",
    "answer",
    "anything",
    "broken",
    "cut",
    "either",
    "endless",
    "every",
    "failure",
    "has_tool",
    "isnt",
    "model_is",
    "no_tools",
    "overloaded",
    "rate_limited",
    "said",
    "said_last",
    "server_error",
    "shared_prefix",
    "slow",
    "system_says",
    "text",
    "tool",
    "tool_result",
    "unauthorized",
]
