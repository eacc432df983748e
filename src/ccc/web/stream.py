"""An answer that is sent in parts."""

import asyncio

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send


class Stream(StreamingResponse):
    """Sends its parts until the last one, or until the browser leaves.

    Starlette's own would load a part of anyio that takes as long as the first page.
    """

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the parts."""
        sending = asyncio.ensure_future(self.stream_response(send))
        leaving = asyncio.ensure_future(self.listen_for_disconnect(receive))
        try:
            await asyncio.wait({sending, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if sending.done():
                sending.result()
        finally:
            sending.cancel()
            leaving.cancel()
