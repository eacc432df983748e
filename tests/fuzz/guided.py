"""Coverage-guided fuzzing: `python guided.py verdict|stream <corpus> [options of libFuzzer]`."""

import json
import sys

import atheris

with atheris.instrument_imports(include=["ccc", "json"]):
    from ccc.claude.formats import stream, usage, usage_limit
    from ccc.claude.output import Output, OutputListener
    from ccc.supervision import verdict

NO = json.dumps({"completed": False, "feedback": "add a test"})
CODE = "0badc0de"


def is_yes(text: str) -> bool:
    """Return whether the text counts as completed."""
    result = verdict.find(text, CODE)
    return result is not None and result.completed


def try_verdict(data: bytes) -> None:
    """Any text can be parsed; a yes must be complete and last, and a later no overrides it."""
    text = data.decode("utf-8", "replace")
    verdict.without(text)
    assert not is_yes(f"{text}\n{NO}"), "a yes before a no counts"
    if not is_yes(text):
        return
    assert not is_yes(f"{text}\nWait, the tests fail"), "a yes with text after it counts"
    answer = text.rstrip().removesuffix("```").rstrip()
    assert answer.endswith("}"), "a truncated yes counts"
    assert not is_yes(answer[:-1]), "a yes without its end counts"
    assert "true" in answer, "a yes without true counts"
    assert answer.count(CODE) == 1, "a yes without its code counts"


def try_stream(data: bytes) -> None:
    """Lines don't depend on chunks, every line is recorded, and no message is an error."""
    size, data = (data[0] + 1, data[1:]) if data else (1, data)
    framer, whole = stream.Framer(), stream.Framer()
    lines = [line for at in range(0, len(data), size) for line in framer.feed(data[at : at + size])]
    lines += framer.rest()
    assert lines == [*whole.feed(data), *whole.rest()], "lines depend on the chunks"
    records: list[str] = []
    output = Output(OutputListener(records.append, lambda text: None))
    for line in lines:
        message = stream.message(line)
        output.read(line, message)
        if message is not None:
            usage_limit.parse_retry(message)
            usage_limit.limit_end(message)
            stream.piece(message)
            stream.begins(message)
            stream.calls(message)
    assert records == lines, "a line is not recorded"
    assert all(0 <= usage.estimate(result.used) < 1e12 for result in output.results), (
        "the cost is out of range"
    )


if __name__ == "__main__":
    target = {"verdict": try_verdict, "stream": try_stream}[sys.argv.pop(1)]
    atheris.Setup(sys.argv, target)
    atheris.Fuzz()
