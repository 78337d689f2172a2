"""Real browsers at a served game: phones and a television that play by taps."""

from __future__ import annotations

import os
import random
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Error, Page, sync_playwright

from companion.web.server import PhoneServer

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or ""
PHONE, TELEVISION = (390, 844), (1920, 1080)
WAIT_MS = 30_000
AWAKE_MS = 700
"""What has just come under the finger takes no tap for .6 s."""
DOING = (
    "[data-gold], .prompt [data-tap]:not([data-tap='']), .prompt > [data-shows],"
    " .form [data-value], .form [data-shows]:not([data-shows='']), .row[data-tap]"
)


@contextmanager
def chromium() -> Iterator[Browser]:
    """A Chromium of the machine, without a window."""
    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--no-proxy-server"]
        )
        try:
            yield browser
        finally:
            browser.close()


class Device:
    """One device with its page; what its console complains about is kept."""

    def __init__(
        self, browser: Browser, size: tuple[int, int] = PHONE, language: str = "en-GB"
    ) -> None:
        phone = size == PHONE
        self.context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            has_touch=phone,
            is_mobile=phone,
            locale=language,
            color_scheme="dark",
        )
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(WAIT_MS)
        self.complaints: list[str] = []
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", self.heard)

    def heard(self, message: Any) -> None:
        if message.type == "error" and "WebSocket" not in message.text:
            self.complaints.append(message.text)

    def join(self, server: PhoneServer, seat: str) -> None:
        """Scan the code and take a seat, or none to watch."""
        self.page.goto(server.join_url)
        self.page.click(f'[data-seat="{seat}"]')
        self.page.click("[data-do=sit]")
        self.page.wait_for_selector("nav, .tv")
        self.until(lambda: self.state()["parts"]["view"].get("me") == seat)  # as that seat sees it

    def state(self) -> dict[str, Any]:
        """What the page was sent."""
        found: dict[str, Any] = self.page.evaluate(
            'import("/static/app.js").then((app) => ({parts: app.state.parts, '
            "stage: app.state.stage, busy: app.state.busy.size}))"
        )
        return found

    @property
    def seq(self) -> int:
        """The newest step that it shows."""
        return int(self.state()["parts"]["view"]["seq"])

    def until(self, reached: Callable[[], bool]) -> None:
        end = time.monotonic() + WAIT_MS / 1000
        while not reached():
            assert time.monotonic() < end, self.page.inner_text("body")[:800]
            time.sleep(0.05)

    def tap(self, draw: random.Random) -> bool:
        """Tap something that may be done now; False if there is nothing."""
        self.until(lambda: not self.state()["busy"])
        self.page.click("[data-tab=now]")
        buttons = self.page.evaluate(
            "(doing) => [...document.querySelectorAll(doing)].map((one, number) => "
            "[number, !one.disabled && one.getClientRects().length, "
            "one.classList.contains('gold')]).filter((one) => one[1])",
            DOING,
        )
        gold = [number for number, _, golden in buttons if golden]
        if not buttons:
            return False
        chosen = gold[0] if gold and draw.random() < 0.8 else draw.choice(buttons)[0]
        with suppress(Error):  # a step of somebody else has just redrawn it
            self.page.locator(DOING).nth(chosen).tap(timeout=3000)
        return True

    def picture(self, name: str) -> None:
        """Keep a picture where a folder for them is named."""
        folder = os.environ.get("COMPANION_PICTURES")
        if folder:
            self.page.screenshot(path=Path(folder) / f"{name}.png")


def play(devices: list[Device], taps: int, seed: int) -> int:
    """Let devices tap in turn, whoever is asked; how many steps were taken."""
    draw, first = random.Random(seed), devices[0].seq
    idle = 0
    for number in range(taps):
        device = devices[number % len(devices)]
        idle = 0 if device.tap(draw) else idle + 1
        assert idle < len(devices) * 3, "nobody may do anything"
    for device in devices:
        device.until(lambda device=device: not device.state()["busy"])  # type: ignore[misc]
    return devices[0].seq - first
