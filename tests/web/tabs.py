"""A tab in a real browser by what all of them can do: open a page, run a script, make a picture.

Chromium is driven by Playwright; Firefox by WebDriver BiDi, which it speaks itself; WebKit by the
driver that belongs to it, in a window: a display must be there.
"""

from __future__ import annotations

import base64
import itertools
import json
import os
import re
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any, Protocol
from urllib.error import URLError
from urllib.request import ProxyHandler, Request, build_opener

from websockets.sync.client import ClientConnection, connect

from tests.web.browser import CHROMIUM, chromium

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox") or ""
WEBKIT = (shutil.which("WebKitWebDriver") or "") if os.environ.get("DISPLAY") else ""
START_S, ANSWER_S = 60.0, 60.0
open_url = build_opener(ProxyHandler({})).open


class Tab(Protocol):
    """One page of a device of its own: nothing is shared with the other tabs."""

    def open(self, address: str) -> None: ...

    def run(self, script: str) -> Any:
        """The value of an expression of JavaScript; a promise is waited for."""

    def picture(self, path: Path) -> None: ...


Opener = Callable[[tuple[int, int], str], Tab]
"""Opens a tab of a size, in pixels, for somebody who speaks a language."""


class ChromiumTab:
    def __init__(self, page: Any) -> None:
        self.page = page

    def open(self, address: str) -> None:
        self.page.goto(address)

    def run(self, script: str) -> Any:
        return self.page.evaluate(script)

    def picture(self, path: Path) -> None:
        self.page.screenshot(path=path)


@contextmanager
def in_chromium() -> Iterator[Opener]:
    with chromium() as browser:

        def opened(size: tuple[int, int], language: str) -> Tab:
            viewport: Any = {"width": size[0], "height": size[1]}
            return ChromiumTab(browser.new_context(viewport=viewport, locale=language).new_page())

        yield opened


class FirefoxTab:
    def __init__(self, line: ClientConnection, size: tuple[int, int], language: str) -> None:
        self.line = line
        person = self.ask("browser.createUserContext")["userContext"]
        self.context = self.ask("browsingContext.create", type="window", userContext=person)[
            "context"
        ]
        viewport = {"width": size[0], "height": size[1]}
        self.ask("browsingContext.setViewport", context=self.context, viewport=viewport)
        self.ask("emulation.setLocaleOverride", contexts=[self.context], locale=language)

    def ask(self, method: str, **values: Any) -> dict[str, Any]:
        return asked(self.line, method, **values)

    def open(self, address: str) -> None:
        self.ask("browsingContext.navigate", context=self.context, url=address, wait="complete")

    def run(self, script: str) -> Any:
        expression = f"(async () => JSON.stringify(await ({script})))()"
        where = {"context": self.context}
        answer = self.ask("script.evaluate", expression=expression, target=where, awaitPromise=True)
        assert answer["type"] == "success", answer
        return json.loads(answer["result"].get("value", "null"))

    def picture(self, path: Path) -> None:
        answer = self.ask("browsingContext.captureScreenshot", context=self.context)
        path.write_bytes(base64.b64decode(answer["data"]))


NUMBERS = itertools.count(1)


def asked(line: ClientConnection, method: str, **values: Any) -> dict[str, Any]:
    """The answer to one command of WebDriver BiDi; what is told meanwhile is not listened to."""
    number = next(NUMBERS)
    line.send(json.dumps({"id": number, "method": method, "params": values}))
    while True:
        answer = json.loads(line.recv(ANSWER_S))
        if answer.get("id") == number:
            assert answer["type"] == "success", answer
            found: dict[str, Any] = answer["result"]
            return found


@contextmanager
def in_firefox() -> Iterator[Opener]:
    with ExitStack() as end:
        folder = end.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
        words = [FIREFOX, "--headless", "--remote-debugging-port=0", "--no-remote"]
        process = subprocess.Popen(
            [*words, "--profile", folder], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL
        )
        end.callback(process.wait, 20)
        end.callback(process.terminate)
        assert process.stderr is not None
        lines = iter(process.stderr.readline, b"")
        address = next(filter(None, (re.search(rb"listening on (ws://\S+)", one) for one in lines)))
        where = f"{address[1].decode()}/session"
        line = end.enter_context(connect(where, proxy=None, max_size=None))
        asked(line, "session.new", capabilities={})
        yield lambda size, language: FirefoxTab(line, size, language)


class WebKitTab:
    """A browser with a driver of its own: one driver serves one session."""

    def __init__(self, end: ExitStack, size: tuple[int, int], language: str) -> None:
        with closing(socket.socket()) as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{port}"
        words = ["env", f"LANGUAGE={language.replace('-', '_')}", WEBKIT, f"--port={port}"]
        process = subprocess.Popen(words, stderr=subprocess.DEVNULL)
        end.callback(process.wait, 20)
        end.callback(process.terminate)
        until = time.monotonic() + START_S
        while True:
            try:
                session = self.ask("POST", "/session", {"capabilities": {"alwaysMatch": {}}})
                break
            except URLError:
                assert time.monotonic() < until, "the driver of WebKit does not answer"
                time.sleep(0.1)
        self.address += f"/session/{session['sessionId']}"
        self.ask("POST", "/window/rect", {"x": 0, "y": 0, "width": size[0], "height": size[1]})

    def ask(self, how: str, what: str, values: Any = None) -> Any:
        body = None if values is None else json.dumps(values).encode()
        with open_url(Request(self.address + what, body, method=how), timeout=ANSWER_S) as answer:
            return json.load(answer)["value"]

    def open(self, address: str) -> None:
        self.ask("POST", "/url", {"url": address})

    def run(self, script: str) -> Any:
        body = f"const done = arguments[0]; (async () => done(await ({script})))()"
        return self.ask("POST", "/execute/async", {"script": body, "args": []})

    def picture(self, path: Path) -> None:
        path.write_bytes(base64.b64decode(self.ask("GET", "/screenshot")))


@contextmanager
def in_webkit() -> Iterator[Opener]:
    with ExitStack() as end:
        yield lambda size, language: WebKitTab(end, size, language)


BROWSERS = {
    "chromium": (CHROMIUM, in_chromium),
    "firefox": (FIREFOX, in_firefox),
    "webkit": (WEBKIT, in_webkit),
}
"""Each with its program, empty where it is not installed."""
