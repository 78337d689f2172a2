"""The practice table as a network camera: an MJPEG stream on this machine only."""

from __future__ import annotations

import html
import json
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.message import CompanionError
from models.table import Table

Picture = NDArray[np.uint8]

HOST = "127.0.0.1"
BOUNDARY = "frame"
PAGE = (
    b"<!doctype html><title>practice table</title>"
    b"<style>body{margin:0;background:#222;color:#eee;font:16px sans-serif}img{width:100%}"
    b"p{margin:8px}</style><img src=stream.mjpg>"
)


MOST_READERS = 16
"""The limit of simultaneous clients; further ones are refused."""
PATIENCE_S = 3.0
"""A client that sends or reads nothing for this long is disconnected."""
QUEUE_BYTES = 64 * 1024
"""What may wait on its way to a client: more would be old pictures."""


class NoStream(CompanionError):
    """Raised when the port cannot be opened."""


@dataclass
class Broadcast:
    """The newest picture for all clients; slow clients skip pictures. `told` stands under it on the
    page."""

    told: str = ""
    _changed: threading.Condition = field(default_factory=threading.Condition)
    _jpeg: bytes = b""
    _truth: bytes = b"{}"
    _number: int = 0
    _over: bool = False

    def show(self, picture: Picture, table: Table, quality: int = 88) -> None:
        """Publish the next picture."""
        _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
        with self._changed:
            self._jpeg = bytes(data)
            self._truth = json.dumps(table.to_json()).encode()
            self._number += 1
            self._changed.notify_all()

    def end(self) -> None:
        """Disconnect all clients."""
        with self._changed:
            self._over = True
            self._changed.notify_all()

    def latest(self) -> tuple[bytes, bytes]:
        """The newest picture and the true table of that moment."""
        with self._changed:
            return self._jpeg, self._truth

    def pictures(self) -> Iterator[bytes]:
        """Every new picture that the client is fast enough for."""
        seen = 0
        while True:
            with self._changed:
                while self._number == seen and not self._over:
                    self._changed.wait(timeout=10)
                if self._over:
                    return
                seen, jpeg = self._number, self._jpeg
            yield jpeg


def page_text(told: str) -> bytes:
    """Lines under the picture."""
    return "".join(f"<p>{html.escape(line)}</p>" for line in told.splitlines()).encode()


class StreamServer(ThreadingHTTPServer):
    """Serves a limited number of clients; their errors are not printed."""

    daemon_threads = True
    request_queue_size = MOST_READERS

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler]) -> None:
        self._places = threading.BoundedSemaphore(MOST_READERS)
        super().__init__(address, handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Handle the request on its own thread, if the limit allows one more."""
        if not self._places.acquire(blocking=False):
            self.shutdown_request(request)
            return
        try:
            super().process_request(request, client_address)
        except BaseException:  # no thread could be started
            self._places.release()
            raise

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Handle one request."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._places.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore clients that disconnect in the middle."""


def serve(broadcast: Broadcast, port: int) -> StreamServer:
    """Start a server on its own thread; port 0 takes any free one."""

    class Handler(BaseHTTPRequestHandler):
        """Serves the stream, one picture, the truth, and a page to view it."""

        timeout = PATIENCE_S

        def do_GET(self) -> None:
            """Answer a GET request."""
            path = self.path.split("?")[0]
            if path == "/stream.mjpg":
                self._stream()
            elif path == "/frame.jpg":
                self._send("image/jpeg", broadcast.latest()[0])
            elif path == "/table.json":
                self._send("application/json", broadcast.latest()[1])
            elif path == "/":
                self._send("text/html; charset=utf-8", PAGE + page_text(broadcast.told))
            else:
                self.send_error(404)

        def _send(self, kind: str, data: bytes) -> None:
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.send_header("Cache-Control", "no-store")
            self.end_headers()
            self.wfile.write(data)

        def _stream(self) -> None:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, QUEUE_BYTES)
            self.send_response(200)
            self.send_header("Content-Type", f"multipart/x-mixed-replace; boundary={BOUNDARY}")
            self.end_headers()
            for jpeg in broadcast.pictures():
                head = f"--{BOUNDARY}\r\nContent-Type: image/jpeg\r\n"
                head += f"Content-Length: {len(jpeg)}\r\n\r\n"
                self.wfile.write(head.encode() + jpeg + b"\r\n")

        def log_message(self, format: str, *args: object) -> None:
            """Print nothing: the terminal is the player's."""

    try:
        server = StreamServer((HOST, port), Handler)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise NoStream(f"port {port}: cannot be opened: {reason}") from None
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def paced(period_s: float) -> Iterator[float]:
    """Seconds since the start, one value per period; late ones are skipped, not queued."""
    start = time.monotonic()
    due = 0.0
    while True:
        now = time.monotonic() - start
        if now < due:
            time.sleep(due - now)
            now = due
        yield now
        due = max(due + period_s, time.monotonic() - start)
