"""The scripted model over HTTP."""

import http.client
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from harness.scripted import (
    Reply,
    Request,
    Rule,
    Scenario,
    ScriptedModel,
    answer,
    anything,
    broken,
    cut,
    endless,
    overloaded,
    rate_limited,
    said_last,
    server_error,
    slow,
    tool,
    unauthorized,
)

HELLO = answer("Hello, wörld ☕ 👩‍👩‍👧 " * 10)
MESSAGES = "/v1/messages?beta=true"


@contextmanager
def served(reply: Reply = HELLO, **bounds: Any) -> Iterator[ScriptedModel]:
    """Run a model that always gives this reply."""
    with ScriptedModel(Scenario([Rule(anything(), reply)]), max_seconds=30, **bounds) as model:
        yield model


@contextmanager
def connected(model: ScriptedModel) -> Iterator[http.client.HTTPConnection]:
    """Open a client connection, and close it at the end."""
    link = http.client.HTTPConnection(model.url.removeprefix("http://"), timeout=10)
    try:
        yield link
    finally:
        link.close()


def body(words: str = "hi", **more: Any) -> dict[str, Any]:
    """Return a message request."""
    return {"model": "m", "messages": [{"role": "user", "content": words}], **more}


@contextmanager
def opened(
    model: ScriptedModel, path: str = MESSAGES, **more: Any
) -> Iterator[http.client.HTTPResponse]:
    """Open the response to a message request, without reading its body."""
    with connected(model) as link:
        link.request("POST", path, json.dumps(body(**more)))
        with link.getresponse() as response:
            yield response


def plain(model: ScriptedModel, path: str = MESSAGES, **more: Any) -> Any:
    """Return the response as JSON."""
    with opened(model, path=path, **more) as response:
        return json.loads(response.read())


def events(raw: bytes) -> list[dict[str, Any]]:
    """Return the data of each event, checking that its name matches."""
    found = []
    for frame in raw.decode().split("\n\n")[:-1]:
        name, data = frame.split("\n")
        found.append(json.loads(data.removeprefix("data: ")))
        assert name == f"event: {found[-1]['type']}"
    return found


def streamed(model: ScriptedModel, **more: Any) -> list[dict[str, Any]]:
    """Return the events of the response."""
    with opened(model, stream=True, **more) as response:
        assert response.headers["content-type"] == "text/event-stream"
        return events(response.read())


def deltas(told: list[dict[str, Any]], index: int, part: str) -> str:
    """Return the joined pieces of one block."""
    return "".join(
        event["delta"][part]
        for event in told
        if event["type"] == "content_block_delta" and event["index"] == index
    )


def test_plain_reply() -> None:
    """Without `stream`, the message comes in one piece, with usage."""
    with served() as model:
        said = plain(model)
    assert said["content"] == [{"type": "text", "text": "Hello, wörld ☕ 👩‍👩‍👧 " * 10}]
    assert (said["type"], said["role"], said["model"]) == ("message", "assistant", "m")
    assert said["stop_reason"] == "end_turn"
    assert said["usage"]["input_tokens"] > 0
    assert said["usage"]["output_tokens"] > 0


def test_streamed_reply() -> None:
    """The events come in Anthropic's order, and their pieces form the text, including Unicode."""
    with served() as model:
        told = streamed(model)
    names = [event["type"] for event in told]
    assert names[:2] == ["message_start", "content_block_start"]
    assert names[-3:] == ["content_block_stop", "message_delta", "message_stop"]
    assert set(names[2:-3]) == {"content_block_delta"}
    assert len(names) > 10
    assert deltas(told, 0, "text") == "Hello, wörld ☕ 👩‍👩‍👧 " * 10
    assert told[0]["message"]["content"] == []
    assert told[0]["message"]["usage"]["input_tokens"] > 0
    assert told[-2]["delta"]["stop_reason"] == "end_turn"
    assert told[-2]["usage"]["output_tokens"] > 0


def test_tool_calls_streamed() -> None:
    """A call's input comes as JSON in pieces, with its own id, and stops for the tool."""
    command = "echo 'grüße' && " + "x" * 100
    with served(answer("Looking.", tool("Bash", command=command), tool("Read"))) as model:
        told = streamed(model)
    started = [e["content_block"] for e in told if e["type"] == "content_block_start"]
    assert [block["type"] for block in started] == ["text", "tool_use", "tool_use"]
    assert started[1]["input"] == {}
    assert started[1]["id"] != started[2]["id"]
    assert json.loads(deltas(told, 1, "partial_json")) == {"command": command}
    assert json.loads(deltas(told, 2, "partial_json")) == {}
    assert told[-2]["delta"]["stop_reason"] == "tool_use"


def test_tool_calls_whole() -> None:
    """Without `stream`, the call is the same, and a second one has another id."""
    with served(answer(tool("Bash", command="ls"))) as model:
        first, second = plain(model), plain(model)
    assert first["content"][0]["input"] == {"command": "ls"}
    assert first["content"][0]["name"] == "Bash"
    assert first["stop_reason"] == "tool_use"
    assert first["content"][0]["id"] != second["content"][0]["id"]


def test_repeated_prompts_are_read_from_the_cache() -> None:
    """The second request of a kind costs no input, streamed or not."""
    with served() as model:
        first = plain(model)["usage"]
        second = streamed(model)[0]["message"]["usage"]
    assert first["cache_read_input_tokens"] == 0
    assert second["cache_read_input_tokens"] == first["input_tokens"]
    assert second["input_tokens"] == 0


def test_errors_warm_no_cache() -> None:
    """A rejected request is neither billed nor cached."""
    scenario = Scenario([Rule(anything(), [overloaded(), HELLO])])
    with ScriptedModel(scenario, max_seconds=30) as model:
        plain(model)
        assert plain(model)["usage"]["cache_read_input_tokens"] == 0
        assert [exchange.usage is None for exchange in model.exchanges] == [True, False]


def test_count_tokens() -> None:
    """The count is what the request would cost, and leaves the cache and the script alone."""
    with served() as model:
        count = plain(model, path="/v1/messages/count_tokens?beta=true")
        usage = plain(model)["usage"]
        assert count == {"input_tokens": usage["input_tokens"]}
        assert usage["cache_read_input_tokens"] == 0
        assert [len(model.requests), len(model.everything)] == [1, 2]
        assert len(model.scenario.choices) == 1


def test_a_base_url_may_have_a_path() -> None:
    """Providers put the API under their own path."""
    with served() as model:
        assert plain(model, path="/anthropic/v1/messages")["type"] == "message"
        assert plain(model, path="/a/v1/messages/count_tokens")["input_tokens"] > 0
        assert model.requests[0].path == "/anthropic/v1/messages"


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("HEAD", "/", 200),
        ("HEAD", "/api/hello", 200),
        ("GET", "/", 200),
        ("GET", "/v1/models", 404),
        ("POST", "/v1/complete", 404),
    ],
)
def test_other_paths(method: str, path: str, status: int) -> None:
    """HEAD and the root answer; the rest is not found, in Anthropic's format."""
    with served() as model, connected(model) as link:
        link.request(method, path)
        response = link.getresponse()
        raw = response.read()
        assert response.status == status
        assert bool(raw) is (method != "HEAD")
        if status == 404:
            assert json.loads(raw)["error"]["type"] == "not_found_error"
        assert model.requests == []
        assert len(model.everything) == 1


def test_one_connection_serves_many_requests() -> None:
    """Keep-alive works across streamed, plain and failed replies."""
    with served() as model, connected(model) as link:
        link.connect()
        assert link.sock is not None
        port = link.sock.getsockname()[1]
        for stream in (True, False, True):
            link.request("POST", MESSAGES, json.dumps(body(stream=stream)))
            assert link.getresponse().read()
            link.request("GET", "/nowhere")
            assert link.getresponse().read()
        assert link.sock.getsockname()[1] == port


def test_what_is_recorded() -> None:
    """A request keeps its order, lower-case headers, path without query, and its rule."""
    scenario = Scenario([Rule(said_last("two"), HELLO, name="second")])
    with ScriptedModel(scenario, max_seconds=30) as model, connected(model) as link:
        for words in ("one", "two"):
            link.request("POST", MESSAGES, json.dumps(body(words)), {"X-Api-Key": "k"})
            link.getresponse().read()
        first, second = model.requests
        assert (first.last_text, second.last_text) == ("one", "two")
        assert (first.number, first.method, first.path) == (1, "POST", "/v1/messages")
        assert first.received_at <= second.received_at <= time.time()
        assert first.key == "k"
        assert [exchange.rule for exchange in model.exchanges] == [None, "second"]
        assert [asked.last_text for asked in model.scenario.unmatched] == ["one"]


def test_wait_for_a_request_that_waits_for_the_test() -> None:
    """A request is visible while its rule is still running."""
    go_on = threading.Event()

    def think(_: Request) -> Reply:
        assert go_on.wait(10)
        return HELLO

    with ScriptedModel(Scenario([Rule(anything(), think)]), max_seconds=30) as model:
        client = threading.Thread(target=plain, args=(model,))
        client.start()
        assert model.wait_for(lambda r: r.last_text == "hi", 10).number == 1
        assert model.exchanges == []
        go_on.set()
        client.join()
        assert len(model.exchanges) == 1


def test_waiting_in_vain_shows_what_came_instead() -> None:
    """The error of a wait is the scenario's report; the end of the server ends the wait."""
    with served() as model:
        plain(model, words="something else")
        with pytest.raises(TimeoutError, match="something else"):
            model.wait_for(lambda r: False, 0.05)
        threading.Timer(0.1, model.stop).start()
        with pytest.raises(TimeoutError):
            model.wait_for(lambda r: False, 20)


@pytest.mark.parametrize(
    ("fault", "status", "kind"),
    [
        (unauthorized(), 401, "authentication_error"),
        (rate_limited(7), 429, "rate_limit_error"),
        (server_error(), 500, "api_error"),
        (overloaded(), 529, "overloaded_error"),
    ],
)
@pytest.mark.parametrize("stream", [True, False])
def test_error_replies(fault: Reply, status: int, kind: str, stream: bool) -> None:
    """Each error has its status and Anthropic's body, streamed or not."""
    with served(fault) as model, opened(model, stream=stream) as response:
        said = json.loads(response.read())
    assert response.status == status
    assert said["type"] == "error"
    assert said["error"]["type"] == kind
    assert said["error"]["message"]
    assert response.headers.get("retry-after") == ("7" if status == 429 else None)


@pytest.mark.parametrize("stream", [True, False])
def test_slow_reply(stream: bool) -> None:
    """A slow reply is complete in the end, and its first event is not delayed."""
    with served(slow(HELLO, 1.5)) as model:
        started = time.monotonic()
        with opened(model, stream=stream) as response:
            response.read(20)
            first = time.monotonic() - started
            rest = response.read()
        assert 1.2 < time.monotonic() - started < 20
        assert (first < 1.2) is stream
        assert (b"message_stop" in rest) is stream


def test_delayed_reply() -> None:
    """A delay comes before the first byte."""
    with served(answer("hi", delay=0.3)) as model:
        started = time.monotonic()
        plain(model)
        assert 0.3 <= time.monotonic() - started < 20


@pytest.mark.parametrize("after", [0, 1, 4])
def test_cut_stream(after: int) -> None:
    """The connection ends after this many events, without the end of the body."""
    with served(cut(HELLO, after)) as model, opened(model, stream=True) as response:
        with pytest.raises(http.client.IncompleteRead) as caught:
            response.read()
        assert len(events(caught.value.partial)) == after


def test_cut_plain_reply() -> None:
    """Without streaming, half of it arrives."""
    with served(cut(HELLO, 1)) as model, opened(model) as response:
        with pytest.raises(http.client.IncompleteRead) as caught:
            response.read()
        assert caught.value.partial.startswith(b'{"id"')


@pytest.mark.parametrize("stream", [True, False])
def test_broken_reply(stream: bool) -> None:
    """The HTTP is intact, but the JSON in it is not."""
    with served(broken(HELLO)) as model, opened(model, stream=stream) as response:
        raw = response.read()
    assert response.status == 200
    read: Callable[[bytes], object] = events if stream else json.loads
    with pytest.raises(json.JSONDecodeError):
        read(raw)


@pytest.mark.parametrize("stream", [True, False])
def test_endless_reply_ends_with_the_server(stream: bool) -> None:
    """It continues until the server ends."""
    with served(endless()) as model, opened(model, stream=stream) as response:
        for _ in range(10):
            assert response.read(1)
        model.stop()
        with pytest.raises((http.client.IncompleteRead, ConnectionError)):
            response.read()


def test_endless_reply_ends_with_the_client() -> None:
    """A client that disconnects frees the thread that served it."""
    with served(endless()) as model:
        before = set(threading.enumerate())
        with opened(model, stream=True) as response:
            response.read(10)
            serving = set(threading.enumerate()) - before
        assert len(serving) == 1
        for thread in serving:
            thread.join(5)
            assert not thread.is_alive()


def reachable(host: str, port: int) -> bool:
    """Return whether something listens there."""
    try:
        socket.create_connection((host, port), timeout=1).close()
    except OSError:
        return False
    return True


def test_only_loopback() -> None:
    """It is bound to 127.0.0.1, and to no other address of this machine."""
    with served() as model:
        host, port = model.url.removeprefix("http://").split(":")
        assert host == "127.0.0.1"
        assert reachable(host, int(port))
        assert not reachable("127.0.0.2", int(port))


def test_it_stops_by_itself() -> None:
    """After its time nothing listens, and open connections are dropped."""
    with ScriptedModel(Scenario([Rule(anything(), endless())]), max_seconds=0.4) as model:
        dropped = pytest.raises((http.client.IncompleteRead, ConnectionError))
        with opened(model, stream=True) as response, dropped:
            response.read()
        host, port = model.url.removeprefix("http://").split(":")
        assert not reachable(host, int(port))


def test_it_refuses_more_than_its_requests() -> None:
    """Past the maximum number of requests there is an error."""
    with served(max_requests=2) as model:
        for _ in range(2):
            assert plain(model)["type"] == "message"
        with opened(model) as response:
            assert response.status == 418
            assert "2 requests" in json.loads(response.read())["error"]["message"]


def test_stop_twice() -> None:
    """Stopping is idempotent, even before the start."""
    model = ScriptedModel(Scenario())
    model.stop()
    with pytest.raises(RuntimeError):
        _ = model.url
    model.start()
    model.stop()
    model.stop()


def test_a_crash_is_in_the_report() -> None:
    """An exception in the server's own threads is shown in the model's repr."""
    forgotten: Any = lambda request: None  # noqa: E731
    with served(forgotten) as model:
        with pytest.raises((http.client.HTTPException, ConnectionError)), opened(model):
            pass
        assert "'NoneType' object" in repr(model)


def test_silence(capfd: pytest.CaptureFixture[str]) -> None:
    """Neither requests nor clients that disconnect print anything on stdout or stderr."""
    with served(endless()) as model:
        with opened(model, stream=True) as response:
            response.read(10)
        with socket.create_connection(("127.0.0.1", int(model.url.rsplit(":", 1)[1]))) as raw:
            raw.sendall(b"no http at all\r\n\r\n")
            assert raw.recv(100)
        time.sleep(0.2)
    assert capfd.readouterr() == ("", "")
