"""One connection of a browser: it asks soon, and no address takes every place."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

MOST_CONNECTIONS = 64
MOST_OF_ADDRESS = MOST_CONNECTIONS // 2
ASK_S = 10.0
"""A connection that has not asked for anything in that time is closed."""


class ScreenConnection(H11Protocol):
    """Closes connections that only hold a place: one slow device could shut out all the others."""

    _seen: RequestResponseCycle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        clients = [getattr(one, "client", None) for one in self.connections]
        same = [
            client for client in clients if client and self.client and client[0] == self.client[0]
        ]
        if len(same) > MOST_OF_ADDRESS:
            transport.abort()
        else:
            self.loop.call_later(ASK_S, self.close_idle)

    def close_idle(self) -> None:
        """Close it if no request has begun since the last look and none is being answered."""
        if self not in self.connections:
            return  # it is closed, or has become a socket
        if self.cycle is self._seen and (self.cycle is None or self.cycle.response_complete):
            self.transport.abort()
        else:
            self._seen = self.cycle
            self.loop.call_later(ASK_S, self.close_idle)
