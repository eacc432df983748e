"""An Anthropic-compatible model on loopback that follows a scenario.

scenario = Scenario([
    Rule(every(agent_turn(), said_last("tests")), [answer(tool("Bash", command="make test"))]),
    Rule(every(agent_turn(), tool_result("passed")), [answer("All green.")]),
])
with ScriptedModel(scenario) as model:
    ...  # run claude with ANTHROPIC_BASE_URL=model.url
    assert model.requests[-1].last_tool_result, model
"""

from ccc.scripted.reply import CODE as CODE
from ccc.scripted.reply import Block as Block
from ccc.scripted.reply import Reply as Reply
from ccc.scripted.reply import answer as answer
from ccc.scripted.reply import billed as billed
from ccc.scripted.reply import broken as broken
from ccc.scripted.reply import cut as cut
from ccc.scripted.reply import endless as endless
from ccc.scripted.reply import failure as failure
from ccc.scripted.reply import overloaded as overloaded
from ccc.scripted.reply import rate_limited as rate_limited
from ccc.scripted.reply import server_error as server_error
from ccc.scripted.reply import slow as slow
from ccc.scripted.reply import tool as tool
from ccc.scripted.reply import unauthorized as unauthorized
from ccc.scripted.request import Request as Request
from ccc.scripted.scenario import Condition as Condition
from ccc.scripted.scenario import Rule as Rule
from ccc.scripted.scenario import Scenario as Scenario
from ccc.scripted.scenario import agent_turn as agent_turn
from ccc.scripted.scenario import anything as anything
from ccc.scripted.scenario import either as either
from ccc.scripted.scenario import every as every
from ccc.scripted.scenario import has_tool as has_tool
from ccc.scripted.scenario import isnt as isnt
from ccc.scripted.scenario import model_is as model_is
from ccc.scripted.scenario import said as said
from ccc.scripted.scenario import said_last as said_last
from ccc.scripted.scenario import tool_result as tool_result
from ccc.scripted.server import ScriptedModel as ScriptedModel
from ccc.scripted.usage import Usage as Usage
from ccc.scripted.usage import shared_prefix as shared_prefix
