"""Facts of claude: the requests that `ccc validate` imitates."""

from pathlib import Path

import pytest
from facts import claude, only_request, scripted_project

from ccc.providers import probe_rules

pytestmark = pytest.mark.real


@pytest.mark.parametrize(
    "env",
    [
        {"ANTHROPIC_MODEL": "kimi-k3"},
        {"ANTHROPIC_MODEL": "kimi-k3[1m]"},
        {"ANTHROPIC_MODEL": "opus", "ANTHROPIC_DEFAULT_OPUS_MODEL": "big[1m]"},
        {"ANTHROPIC_MODEL": None, "ANTHROPIC_DEFAULT_OPUS_MODEL": "big"},
        {"ANTHROPIC_AUTH_TOKEN": None, "ANTHROPIC_API_KEY": "key"},
        {"ANTHROPIC_API_KEY": "key"},
        {"ANTHROPIC_CUSTOM_HEADERS": "X-One: 1\nX-Two: 2", "ANTHROPIC_BETAS": "beta-1"},
        {"ANTHROPIC_BASE_URL": "/deep/path/"},
    ],
    ids=str,
)
def test_a_try_asks_as_claude_does(tmp_path: Path, env: dict[str, str | None]) -> None:
    """`ccc validate` uses claude's path, model, credentials and headers, and streaming."""
    with scripted_project(tmp_path) as project:
        assert project.model is not None
        own = {
            "ANTHROPIC_BASE_URL": project.model.url + (env.get("ANTHROPIC_BASE_URL") or ""),
            "ANTHROPIC_AUTH_TOKEN": "token",
            "ANTHROPIC_MODEL": "kimi-k3",
        }
        both = {**own, **env, "ANTHROPIC_BASE_URL": own["ANTHROPIC_BASE_URL"]}
        claude(project, "-p", "hi", env=both).succeeded()
        request = only_request(project)
        url = project.model.url
    target = probe_rules.target({k: v for k, v in both.items() if v is not None}, "")
    assert target.url == f"{url}{request.path}?beta=true"
    assert target.model == request.model
    assert request.streams
    sent = dict(target.headers)
    betas = set(sent.pop("anthropic-beta", "").split(",")) - {""}
    assert betas <= set(request.headers["anthropic-beta"].split(","))
    assert ("context-1m-2025-08-07" in request.headers["anthropic-beta"]) == (
        "context-1m-2025-08-07" in betas
    )
    assert sent.items() <= request.headers.items()
    for name in ("authorization", "x-api-key"):
        assert (name in request.headers) == (name in sent)


def test_the_model_that_claude_takes_by_itself(tmp_path: Path) -> None:
    """Without a configured model, ccc assumes the same default as claude."""
    with scripted_project(tmp_path) as project:
        claude(project, "-p", "hi", env={"ANTHROPIC_MODEL": None}).succeeded()
        assert only_request(project).model == probe_rules.target({}, "").model
