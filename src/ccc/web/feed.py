"""What the open pages show: looked at once a second for all of them, and only while one is open."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable, Iterable

from msgspec import Struct, field

from ccc import failure
from ccc.sessions.known_keys import KnownKeys
from ccc.storage.paths import Paths
from ccc.web import layout
from ccc.web.browser import LANGUAGE
from ccc.web.threads import Made, QueueWatch, Worker
from ccc.web.views import Views

_TICK_SECONDS = 1.0
_ALIVE_SECONDS = 15.0


class OpenPage(Struct, eq=False):
    """A page in a browser that follows what happens."""

    view: str
    language: str
    form_token: str
    shown: str = ""
    waiting: dict[str, str] = field(default_factory=dict)
    """The last message of each kind that the browser hasn't got yet."""
    ready: asyncio.Event = field(default_factory=asyncio.Event)

    def send(self, name: str, value: str) -> None:
        """Send a message; a browser that doesn't read gets only the last one."""
        self.waiting[name] = f"event: {name}\ndata: {json.dumps(value)}\n\n"
        self.ready.set()

    def show(self, part: str) -> None:
        """Send what the page shows, if it has changed."""
        if part != self.shown:
            self.shown = part
            self.send("show", layout.with_forms(part, self.form_token, layout.path_of(self.view)))


class PageFeed:
    """Looks at sessions and queue, and tells the pages what changed."""

    def __init__(self, where: Paths) -> None:
        self.keys = KnownKeys(where)
        self.queue = QueueWatch(where, self.keys)
        self._views = Views(where, self.queue, self.keys)
        self._worker = Worker("pages")
        self._open: set[OpenPage] = set()
        self._task: asyncio.Task[None] | None = None
        self._has_new_page = asyncio.Event()
        self._is_closed = False

    async def run(self, work: Callable[[Views], Made]) -> Made:
        """Do work that reads files or makes a page, in the views' own thread."""
        await self.queue.look()

        def make() -> Made:
            self._views.forget_shown_keys()
            return work(self._views)

        return await self._worker.do(make)

    async def follow(self, page: OpenPage) -> AsyncIterator[str]:
        """Yield the messages for an open page, until it is closed."""
        self._open.add(page)
        self._has_new_page.set()
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._watch())
        try:
            yield "retry: 1000\n\n"
            while not self._is_closed:
                try:
                    await asyncio.wait_for(page.ready.wait(), _ALIVE_SECONDS)
                except TimeoutError:
                    yield ": alive\n\n"
                page.ready.clear()
                messages, page.waiting = page.waiting.values(), {}
                for message in messages:
                    yield message
        finally:
            self._open.discard(page)

    async def _watch(self) -> None:
        """Look until the last page is closed."""
        while self._open and not self._is_closed:
            self._has_new_page.clear()
            try:
                await self._refresh(list(self._open))
            except Exception:
                # a file that nobody expected must not end the other pages
                failure.print_if_debugging()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._has_new_page.wait(), _TICK_SECONDS)

    async def _refresh(self, pages: Iterable[OpenPage]) -> None:
        """Look now, and tell the pages."""
        wanted = {(page.language, page.view) for page in pages}

        def make(views: Views) -> dict[tuple[str, str], tuple[str, str]]:
            views.look()
            made = {}
            for language, view in sorted(wanted):
                LANGUAGE.set(language)
                made[language, view] = views.render(view), views.news()
            views.forget_news()
            return made

        made = await self.run(make)
        for page in pages:
            part, news = made[page.language, page.view]
            page.show(part)
            if news:
                page.send("news", news)

    def close(self) -> None:
        """Stop looking, and end the streams."""
        self._is_closed = True
        for page in self._open:
            page.ready.set()
