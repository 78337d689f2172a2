"""The pictures of the page about phones: python -m tests.web.pictures [FOLDER]."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
from PIL import Image
from playwright.sync_api import Browser

from tests.web.browser import AWAKE_MS, TELEVISION, Device, chromium
from tests.web.served import served

GAP_PX = 12
WIDTH_PX = 1200


def joining(browser: Browser, path: Path) -> bytes:
    with served(path, "tmg-2021") as server:
        phone = Device(browser)
        phone.page.goto(server.join_url)
        phone.page.wait_for_selector("[data-seat=red]")
        return phone.page.screenshot()


def dice(browser: Browser, path: Path) -> bytes:
    """A charge's roll, by count."""
    with served(path, "tmg-2021") as server:
        phone = Device(browser)
        phone.join(server, "blue")
        charge = next(one for one in phone.state()["parts"]["offers"] if "dice" in one["asks"])
        phone.page.tap(f'.row[data-tap="{charge["tap"]}"]')
        phone.page.tap(f'[data-gold="{charge["tap"]}"]')
        phone.page.wait_for_selector(".keys .key")
        phone.page.wait_for_timeout(AWAKE_MS)
        return phone.page.screenshot()


def table(browser: Browser, path: Path) -> bytes:
    with served(path, "tmg-2021") as server:
        phone = Device(browser)
        phone.join(server, "blue")
        phone.page.tap("[data-tab=table]")
        phone.page.wait_for_selector(".badge")
        phone.page.wait_for_timeout(AWAKE_MS)
        return phone.page.screenshot()


def plots(browser: Browser, path: Path) -> bytes:
    with served(path, "thrones") as server:
        phone = Device(browser)
        phone.join(server, "p1")
        phone.page.tap("[data-tab=mine]")
        phone.page.wait_for_selector(".box")
        return phone.page.screenshot()


def television(browser: Browser, path: Path) -> bytes:
    with served(path, "westeros") as server:
        wide = Device(browser, TELEVISION)
        wide.join(server, "")
        wide.page.wait_for_selector(".badge")
        wide.page.wait_for_timeout(AWAKE_MS)
        return wide.page.screenshot()


PHONES: tuple[Callable[[Browser, Path], bytes], ...] = (joining, dice, table, plots)


def side_by_side(pictures: Iterator[np.ndarray]) -> np.ndarray:
    first, *rest = pictures
    gap = np.full((first.shape[0], GAP_PX, 3), 255, np.uint8)
    return cv2.hconcat([first, *(part for one in rest for part in (gap, one))])


def write(path: Path, picture: np.ndarray) -> None:
    height = round(picture.shape[0] * WIDTH_PX / picture.shape[1])
    small = cv2.resize(picture, (WIDTH_PX, height), interpolation=cv2.INTER_AREA)
    colours = Image.fromarray(cv2.cvtColor(small, cv2.COLOR_BGR2RGB)).quantize(256)
    colours.save(path, optimize=True)


def decoded(png: bytes) -> np.ndarray:
    picture = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    return picture


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=Path("docs/phones"))
    folder: Path = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as home, chromium() as browser:
        games = (Path(home) / f"practice-{number}.game" for number in range(len(PHONES) + 1))
        shown = (decoded(make(browser, next(games))) for make in PHONES)
        write(folder / "phones.png", side_by_side(shown))
        write(folder / "television.png", decoded(television(browser, next(games))))


if __name__ == "__main__":
    main()
