"""An Anthropic-compatible model on loopback: a function chooses the reply to each request.

with ScriptedModel(lambda request: answer("Done.")) as model:
    ...  # run claude with ANTHROPIC_BASE_URL=model.url
"""

from ccc.scripted.reply import CODE as CODE
from ccc.scripted.reply import Block as Block
from ccc.scripted.reply import Reply as Reply
from ccc.scripted.reply import answer as answer
from ccc.scripted.reply import tool as tool
from ccc.scripted.request import Request as Request
from ccc.scripted.server import ScriptedModel as ScriptedModel
from ccc.scripted.usage import shared_prefix as shared_prefix
