"""The TOML of a case is read back as it was written."""

import tomllib

from hypothesis import example, given
from hypothesis import strategies as st

from ccc.evaluation.case import toml

TEXT = st.text(st.characters(exclude_categories=["Cs"]))


@given(text=TEXT, texts=st.lists(TEXT))
@example(text='a\n"""\\n"', texts=['"', "\\", "\r\n"])
@example(text='\n""""', texts=["\n\n", "\x7f\x00", 'x\n\\"'])
@example(text='\n\\"""\\"', texts=["a\\\nb"])
def test_texts(text: str, texts: list[str]) -> None:
    """Any text survives, on one line or on several."""
    values = {"text": text, "texts": texts, "number": 4, "failed": True}
    assert tomllib.loads(toml(values)) == values


def test_readable() -> None:
    """A text of several lines is one of several lines in the file."""
    assert toml({"message": 'It is "done".\nAll of it.'}) == (
        'message = """\nIt is "done".\nAll of it."""\n'
    )
