"""The socket of the page: it is there before the server, whose packages take a while to load."""

import errno
import socket

from ccc.errors import CccError

USUAL_PORT = 8765
_MOST_TRIES = 50
_IN_USE = (errno.EADDRINUSE, errno.EACCES)


def listen(host: str, port: int | None) -> socket.socket:
    """Return a socket on the port; without one, on the usual port or the next free one."""
    ports = range(USUAL_PORT, USUAL_PORT + _MOST_TRIES) if port is None else (port,)
    problem: OSError | None = None
    for number in ports:
        try:
            family, both = _family(host), host == "::"
            return socket.create_server((host, number), family=family, dualstack_ipv6=both)
        except OSError as error:
            problem = error
            if error.errno not in _IN_USE:
                break
    assert problem is not None
    cause = problem.strerror or str(problem)
    hint = "web.port_hint" if problem.errno in _IN_USE else "web.host_hint"
    raise CccError("web.port", hint=hint, host=host, port=ports[0], cause=cause)


def _family(host: str) -> socket.AddressFamily:
    return socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)[0][0]
