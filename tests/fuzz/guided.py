"""Coverage-guided fuzzing: `python guided.py verdict|stream <corpus> [options of libFuzzer]`."""

import json
import sys

import atheris

with atheris.instrument_imports(include=["ccc", "json"]):
    from ccc.claude.client import Listener, Output
    from ccc.claude.formats import stream
    from ccc.providers import usage
    from ccc.supervision import verdict

NO = json.dumps({"completed": False, "feedback": "add a test"})
CODE = "0badc0de"


def is_yes(text: str) -> bool:
    """Whether the text counts as completed."""
    found = verdict.find(text, CODE)
    return found is not None and found.completed


def try_verdict(data: bytes) -> None:
    """No text is an error; a yes is the last word, is whole, and never survives a no behind it."""
    text = data.decode("utf-8", "replace")
    verdict.without(text)
    assert not is_yes(f"{text}\n{NO}"), "a yes before a no"
    if not is_yes(text):
        return
    assert not is_yes(f"{text}\nWait, the tests fail"), "a yes that is not the last word"
    said = text.rstrip().removesuffix("```").rstrip()
    assert said.endswith("}"), "a yes that is cut off"
    assert not is_yes(said[:-1]), "a yes that lacks its end"
    assert "true" in said, "a yes without true"
    assert said.count(CODE) == 1, "a yes without its code"


def try_stream(data: bytes) -> None:
    """Where the chunks end does not matter, every line is kept, and no message is an error."""
    size, data = (data[0] + 1, data[1:]) if data else (1, data)
    framer, whole = stream.Framer(), stream.Framer()
    lines = [line for at in range(0, len(data), size) for line in framer.feed(data[at : at + size])]
    lines += framer.rest()
    assert lines == [*whole.feed(data), *whole.rest()], "lines depend on the chunks"
    kept: list[str] = []
    output = Output(Listener(kept.append, lambda text: None))
    for line in lines:
        message = stream.message(line)
        output.read(line, message)
        if message is not None:
            stream.retry(message)
            stream.limit_end(message)
            stream.piece(message)
            stream.begins(message)
            stream.calls(message)
    assert kept == lines, "a line is not kept"
    assert all(0 <= usage.estimate(result.used) < 1e12 for result in output.results), (
        "a cost that is none"
    )


if __name__ == "__main__":
    target = {"verdict": try_verdict, "stream": try_stream}[sys.argv.pop(1)]
    atheris.Setup(sys.argv, target)
    atheris.Fuzz()
