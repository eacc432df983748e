"""What the open pages show: looked at once a second for all of them, and only while one is open."""

import asyncio
import json
import os
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from ccc import words
from ccc.text.values import dataclass, field

_TICK_SECONDS = 1.0
_ALIVE_TICKS = 15
_MOST_WAITING = 50
MOST_PAGES = 100

Made = TypeVar("Made")
Fragment = tuple[str, str, str]
"""A view, a language and a token of forms: what a part of a page depends on."""


@dataclass(slots=True, eq=False)
class Reader:
    """An open page."""

    view: str
    language: str
    form_token: str
    queue: "asyncio.Queue[str]" = field(default_factory=lambda: asyncio.Queue(_MOST_WAITING))
    shown: str = ""

    def put(self, message: str) -> None:
        """Send a message, unless the browser doesn't read; it gets the next one."""
        if not self.queue.full():
            self.queue.put_nowait(message)


class Feed:
    """Looks at sessions and queue, and tells the pages what changed."""

    def __init__(
        self,
        look: Callable[[], list[str]],
        render: Callable[[str, str], str],
    ) -> None:
        """`look` returns what a screen reader should say; `render` a view for a form's token."""
        self._look = look
        self._render = render
        self._readers: set[Reader] = set()
        self._task: asyncio.Task[None] | None = None
        # one thread: the language of the messages belongs to the process
        self._thread = ThreadPoolExecutor(1)

    async def run(self, language: str, work: Callable[[], Made]) -> Made:
        """Do work that reads files or makes a page, in a language."""

        def in_language() -> Made:
            words.use({**os.environ, "CCC_LANG": language})
            return work()

        return await asyncio.get_running_loop().run_in_executor(self._thread, in_language)

    @property
    def count(self) -> int:
        """How many pages are open."""
        return len(self._readers)

    async def follow(self, reader: Reader) -> AsyncIterator[str]:
        """Yield the messages for a page until it is closed."""
        self._readers.add(reader)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._watch())
        try:
            ticks = 0
            await self._refresh([reader])
            while True:
                try:
                    yield await asyncio.wait_for(reader.queue.get(), _TICK_SECONDS)
                    ticks = 0
                except TimeoutError:
                    ticks += 1
                    if ticks % _ALIVE_TICKS == 0:
                        yield ": alive\n\n"
        finally:
            self._readers.discard(reader)

    async def _watch(self) -> None:
        """Look until the last page is closed."""
        while self._readers:
            await self.refresh()
            await asyncio.sleep(_TICK_SECONDS)

    async def refresh(self) -> None:
        """Look now, and tell all pages."""
        readers = list(self._readers)
        if not readers:
            return
        # whoever reads another language hears these words in the first reader's
        news = await self.run(readers[0].language, self._look)
        for reader in readers if news else ():
            reader.put(message("news", {"text": " ".join(news)}))
        await self._refresh(readers)

    async def _refresh(self, readers: list[Reader]) -> None:
        made: dict[Fragment, str] = {}
        for reader in readers:
            key = (reader.view, reader.language, reader.form_token)
            if key not in made:
                made[key] = await self.run(
                    reader.language, lambda: self._render(reader.view, reader.form_token)
                )
            if made[key] != reader.shown:
                reader.shown = made[key]
                reader.put(message("show", {"html": made[key]}))

    def close(self) -> None:
        """Stop looking."""
        if self._task is not None:
            self._task.cancel()
        self._thread.shutdown(wait=False, cancel_futures=True)


def message(name: str, value: dict[str, Any]) -> str:
    """Return a server-sent event."""
    return f"event: {name}\ndata: {json.dumps(value)}\n\n"
