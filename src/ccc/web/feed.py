"""What the open pages show: looked at once a second for all of them, and only while one is open."""

import asyncio
import functools
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import TypeVar

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from ccc import words
from ccc.web import layout
from ccc.web.queue_watch import QueueWatch
from ccc.web.threads import Worker, print_if_debugging
from ccc.web.views import Views

MOST_PAGES = 100
_TICK_SECONDS = 1.0
_ALIVE_SECONDS = 15.0

Made = TypeVar("Made")


@dataclass(slots=True, eq=False)
class Reader:
    """An open page."""

    view: str
    language: str
    form_token: str
    shown: str = ""
    waiting: dict[str, str] = field(default_factory=dict)
    """The last message of each kind that the browser hasn't got yet."""
    ready: asyncio.Event = field(default_factory=asyncio.Event)

    def put(self, name: str, value: str) -> None:
        """Send a message; a browser that doesn't read gets only the last one."""
        self.waiting[name] = f"event: {name}\ndata: {json.dumps(value)}\n\n"
        self.ready.set()

    def show(self, part: str) -> None:
        """Send what the page shows, if it has changed."""
        if part != self.shown:
            self.shown = part
            self.put("show", layout.with_token(part, self.form_token))

    def take(self) -> list[str]:
        """Return the messages that wait."""
        self.ready.clear()
        messages, self.waiting = list(self.waiting.values()), {}
        return messages


class Feed:
    """Looks at sessions and queue, and tells the pages what changed."""

    def __init__(self, make_views: Callable[[], Views], queue: QueueWatch) -> None:
        self._make_views = make_views
        self._views: Views | None = None
        self._queue = queue
        self._readers: set[Reader] = set()
        self._task: asyncio.Task[None] | None = None
        self._is_closed = False
        self._worker = Worker("pages")

    async def run(self, language: str, work: Callable[[Views], Made]) -> Made:
        """Do work that reads files or makes a page, in a language and in the views' own thread."""
        await self._queue.look()
        return await self._worker.do(
            lambda: words.in_language(language, lambda: work(self._in_thread()))
        )

    def _in_thread(self) -> Views:
        """Return the views, which are made when the first page needs them."""
        self._views = self._views or self._make_views()
        self._views.look_for_keys()
        return self._views

    def add(self, reader: Reader) -> bool:
        """Open a page, unless as many are open as may be."""
        if len(self._readers) >= MOST_PAGES:
            return False
        self._readers.add(reader)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._watch())
        return True

    def remove(self, reader: Reader) -> None:
        """Close a page."""
        self._readers.discard(reader)

    async def follow(self, reader: Reader) -> AsyncIterator[str]:
        """Yield the messages for an open page."""
        yield "retry: 1000\n\n"
        try:
            await self._refresh([reader])
        except Exception:
            pass  # the next look tries again
        while not self._is_closed:
            try:
                await asyncio.wait_for(reader.ready.wait(), _ALIVE_SECONDS)
            except TimeoutError:
                yield ": alive\n\n"
            for message in reader.take():
                yield message

    async def _watch(self) -> None:
        """Look until the last page is closed."""
        while self._readers and not self._is_closed:
            try:
                await self._refresh(list(self._readers))
            except Exception:
                # a file that nobody expected must not end the other pages
                print_if_debugging()
            await asyncio.sleep(_TICK_SECONDS)

    async def _refresh(self, readers: list[Reader]) -> None:
        """Look now, and tell the pages; all others hear the news the next time."""
        is_for_all = len(readers) == len(self._readers)
        wanted = {(reader.language, reader.view) for reader in readers}

        await self._queue.look()

        def make() -> tuple[dict[tuple[str, str], str], dict[str, str]]:
            views = self._in_thread()
            views.look()
            parts, news = {}, {}
            for language, view in sorted(wanted):
                parts[language, view] = words.in_language(
                    language, functools.partial(views.render, view)
                )
                told = words.in_language(language, views.news) if is_for_all else ""
                news[language] = told
            if is_for_all:
                views.told()
            return parts, news

        parts, news = await self._worker.do(make)
        for reader in readers:
            reader.show(parts[reader.language, reader.view])
            if text := news[reader.language]:
                reader.put("news", text)

    def close(self) -> None:
        """Stop looking, and end the streams."""
        self._is_closed = True
        for reader in self._readers:
            reader.ready.set()


class EventStream(StreamingResponse):
    """The answer that an open page reads until it is closed."""

    def __init__(self, feed: Feed, reader: Reader) -> None:
        super().__init__(feed.follow(reader), media_type="text/event-stream")
        self._close = functools.partial(feed.remove, reader)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the messages; the page is closed however that ends."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._close()
