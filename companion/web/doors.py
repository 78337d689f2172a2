"""What every request must be, and what every answer says about itself."""

from __future__ import annotations

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send


class Doors:
    """Lets requests in that were meant for this address and came from its own pages.

    The exact `Host` keeps out a page elsewhere whose name was made to point here; the exact
    `Origin` one that sends from elsewhere.
    """

    def __init__(self, app: ASGIApp, hosts: tuple[str, ...]) -> None:
        self.app, self.hosts = app, hosts
        sockets = " ".join(f"ws://{host}" for host in hosts)
        self.headers = {
            "Content-Security-Policy": (
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
                f"font-src 'self'; connect-src 'self' {sockets}; base-uri 'none'; "
                "form-action 'none'; frame-ancestors 'none'"
            ),
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "DENY",
            "Referrer-Policy": "no-referrer",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Cross-Origin-Opener-Policy": "same-origin",
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        acts = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        hosts, origins = headers.getlist("host"), headers.getlist("origin")
        meant = len(hosts) == 1 and hosts[0] in self.hosts
        own = not acts or (meant and origins == [f"http://{hosts[0]}"])
        if meant and own:
            await self.app(scope, receive, self.signed(scope, send))
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            refusal = PlainTextResponse("This page is not for you.", 421 if not meant else 403)
            await refusal(scope, receive, self.signed(scope, send))

    def signed(self, scope: Scope, send: Send) -> Send:
        """`send` with the headers that every answer carries."""
        if scope["type"] != "http":
            return send

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(self.headers)
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        return with_headers
