"""The requests of a scripted model as lines of JSON."""

import http.client
import json
from pathlib import Path
from typing import Any

import pytest

from ccc.scripted import Rule, Scenario, ScriptedModel, answer, said_last, unauthorized
from ccc.scripted.server import redact


def run(journal: Path, *texts: str) -> list[dict[str, Any]]:
    """Return the lines written for a conversation of these texts, and a HEAD."""
    rules = [
        Rule(said_last("hi"), answer("ho"), name="greeting"),
        Rule(said_last("no"), unauthorized()),
    ]
    with ScriptedModel(Scenario(rules), max_seconds=30, journal=journal) as model:
        link = http.client.HTTPConnection(model.url.removeprefix("http://"), timeout=10)
        for text in texts:
            body = {"model": "m", "messages": [{"role": "user", "content": text}]}
            headers = {"Authorization": "Bearer tok-secret", "X-Api-Key": "key-secret"}
            link.request("POST", "/v1/messages?key=query-secret", json.dumps(body), headers)
            link.getresponse().read()
        link.request("HEAD", "/")
        link.getresponse().read()
        link.close()
    return [json.loads(line) for line in journal.read_text().splitlines()]


def test_a_line_for_each_request(tmp_path: Path) -> None:
    """Each request is recorded with its rule, status and usage."""
    lines = run(tmp_path / "j.jsonl", "hi grüße", "no", "else")
    assert [line["number"] for line in lines] == [1, 2, 3, 4]
    assert [line["rule"] for line in lines] == ["greeting", "rule 1", None, None]
    assert [line["status"] for line in lines] == [200, 401, 200, 200]
    assert [line["usage"] is not None for line in lines] == [True, False, True, False]
    assert lines[0]["body"]["messages"][0]["content"] == "hi grüße"
    assert (lines[3]["method"], lines[3]["path"]) == ("HEAD", "/")


def test_no_key_is_written(tmp_path: Path) -> None:
    """Neither a header's key nor one in the query reaches the file."""
    journal = tmp_path / "j.jsonl"
    lines = run(journal, "hi")
    assert "secret" not in journal.read_text()
    assert lines[0]["headers"]["authorization"] == "[redacted]"
    assert lines[0]["headers"]["x-api-key"] == "[redacted]"
    assert lines[0]["path"] == "/v1/messages"


@pytest.mark.parametrize("name", ["proxy-authorization", "cookie", "x-goog-api-key", "x-token"])
def test_redaction_rather_too_much(name: str) -> None:
    """Everything whose name suggests a key is removed; the rest stays."""
    assert redact({name: "s", "accept": "a"}) == {name: "[redacted]", "accept": "a"}


@pytest.mark.parametrize("there", [False, True])
def test_the_file_is_private(tmp_path: Path, there: bool) -> None:
    """The file has mode 0600, new or not, and lines are appended to existing ones."""
    journal = tmp_path / "j.jsonl"
    if there:
        journal.write_text("{}\n")
        journal.chmod(0o644)
    lines = run(journal, "hi")
    assert journal.stat().st_mode & 0o777 == 0o600
    assert len(lines) == (3 if there else 2)
