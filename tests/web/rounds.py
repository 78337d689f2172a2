"""Two phones and a television play whole rounds by taps alone, in any browser.

python -m tests.web.rounds [BROWSER …] [--game GAME] [--pictures FOLDER] [--seed N]
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from companion.web import link
from companion.web.server import PhoneServer
from tests.web.browser import DOING, PHONE, TELEVISION
from tests.web.served import GAMES, served
from tests.web.tabs import BROWSERS, Opener, Tab

WAIT_S = 30.0
MOST_TAPS = 2500
"""No round takes so many."""
STATE = (
    'import("/static/app.js").then((app) => ({stage: app.state.stage, busy: app.state.busy.size, \
seq: app.state.parts.view?.seq, me: app.state.parts.view?.me, boot: app.state.parts.boot}))'
)
LISTEN = """(() => { window.complaints = [];
  addEventListener("error", (event) => complaints.push(event.message));
  addEventListener("unhandledrejection", (event) => complaints.push(String(event.reason))); })()"""
LEADS = "[data-do=cells], [data-do=page]"
"""What leads from the prompt to a space on the map, or to the page where it is answered."""
THERE = (
    ".cell[data-shows], .place [data-tap], .place [data-shows], [data-do=there],"
    " button.gold[data-tap]"
)


@dataclass
class Phone:
    """A page that somebody taps on."""

    tab: Tab

    def state(self) -> dict[str, object]:
        found: dict[str, object] = self.tab.run(STATE)
        return found

    def words(self) -> str:
        return str(self.tab.run("document.body.innerText.slice(0, 600)"))

    def until(self, script: str) -> None:
        end = time.monotonic() + WAIT_S
        while not self.tab.run(script):
            assert time.monotonic() < end, f"{script} is never so: {self.words()}"
            time.sleep(0.05)

    def can(self, selector: str) -> list[tuple[int, bool]]:
        """The number of each that can be tapped, and whether it is gold."""
        enabled = f"[...document.querySelectorAll(`{selector}`)].map((one, at) => [at, one])"
        golden = "[at, one.classList.contains('gold')]"
        shown = "!one.disabled && one.getClientRects().length"  # not in a row that is closed
        script = f"{enabled}.filter(([, one]) => {shown}).map(([at, one]) => {golden})"
        return [(at, gold) for at, gold in self.tab.run(script)]

    def click(self, selector: str, number: int = 0) -> None:
        event = 'new MouseEvent("click", {bubbles: true})'
        self.tab.run(
            f"document.querySelectorAll(`{selector}`)[{number}]?.dispatchEvent({event}), 1"
        )

    def join(self, server: PhoneServer, seat: str) -> None:
        self.tab.open(server.join_url)
        self.tab.run(LISTEN)
        self.until(f"Boolean(document.querySelector('[data-seat=\"{seat}\"]'))")
        self.click(f'[data-seat="{seat}"]')
        self.until("Boolean(document.querySelector('.seat.chosen'))")
        self.click("[data-do=sit]")
        self.until(f"({STATE}).then((state) => state.me === '{seat}')")
        self.until("Boolean(document.querySelector('nav, .tv'))")

    def idle(self) -> None:
        self.until(f"({STATE}).then((state) => state.stage === 'live' && !state.busy)")

    def tap(self, draw: random.Random) -> bool:
        """Tap something that may be done; False if there is nothing."""
        self.idle()
        if self.can(".place"):  # a tray is in the hand
            return self.one_of(THERE, draw) or self.one_of("[data-do=put-back]", draw)
        self.click("[data-tab=now]")
        leads = self.can(LEADS)
        if leads and (draw.random() < 0.3 or not self.can(DOING)):
            self.click(LEADS, draw.choice(leads)[0])
            found = self.one_of(THERE, draw)
            return self.one_of("[data-do=there]", draw) or found
        return self.one_of(DOING, draw)

    def one_of(self, selector: str, draw: random.Random) -> bool:
        """Tap one of these, mostly a golden one."""
        self.tab.run("new Promise((drawn) => requestAnimationFrame(() => drawn(1)))")
        buttons = self.can(selector)
        gold = [at for at, golden in buttons if golden]
        if buttons:
            at = gold[0] if gold and draw.random() < 0.8 else draw.choice(buttons)[0]
            self.click(selector, at)
        return bool(buttons)

    def complaints(self) -> list[str]:
        return list(self.tab.run("window.complaints"))


@dataclass(frozen=True)
class Round:
    """What it took to play one."""

    taps: int
    steps: int
    seconds: float


def play_round(opened: Opener, game: str, folder: Path, seed: int) -> Round:
    """Play from the practice game's first prompt until a later round has begun."""
    draw, begun = random.Random(seed), time.monotonic()
    with tempfile.TemporaryDirectory() as home, served(Path(home) / "p.game", game) as server:
        seats = [seat.id for seat in server._host.call(lambda g: g.view(None).seats).result(20)]
        phones = [Phone(opened(PHONE, language)) for language in ("en-GB", "de-DE")]
        watching = Phone(opened(TELEVISION, "ru-RU"))
        for phone, seat in zip((*phones, watching), (*seats[:2], ""), strict=True):
            phone.join(server, seat)
        taps = idle = 0
        first = now = state_of(server)
        while now[0] <= max(1, first[0]):
            assert taps < MOST_TAPS, f"no new round after {taps} taps"
            phone = phones[taps % 2]
            idle = 0 if phone.tap(draw) else idle + 1
            assert idle < 12, f"nobody may do anything: {[one.words() for one in phones]}"
            taps += 1
            now = state_of(server)
            if folder.name and taps % 20 == 0:
                pictures(folder, f"{game}-{taps:03}", (*phones, watching))
        for phone in (*phones, watching):
            phone.until(f"({STATE}).then((state) => state.seq === {now[1]})")
            assert phone.complaints() == []
        if folder.name:
            pictures(folder, f"{game}-end", (*phones, watching))
    return Round(taps, now[1] - first[1], time.monotonic() - begun)


def pictures(folder: Path, name: str, devices: tuple[Phone, ...]) -> None:
    for number, device in enumerate(devices):
        device.tab.picture(folder / f"{name}-{number}.png")


def state_of(server: PhoneServer) -> tuple[int, int]:
    """The round that is played, and the newest step."""
    history = server._host.call(lambda game: game.session.history).result(20)
    return history.now.whole.state.round, history.seq


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("browsers", nargs="*", metavar="BROWSER", help=", ".join(BROWSERS))
    parser.add_argument("--game", choices=GAMES)
    parser.add_argument("--pictures", type=Path, default=Path())
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    for name in asked.browsers or BROWSERS:
        if name not in BROWSERS:
            parser.error(f"{name}: no browser that is tried here: {', '.join(BROWSERS)}")
        program, browser = BROWSERS[name]
        if not program:
            print(f"{name}: not installed here, not tried")
            continue
        for game in (asked.game,) if asked.game else GAMES:
            folder = asked.pictures / name if asked.pictures.name else Path()
            folder.mkdir(parents=True, exist_ok=True)
            patient = mock.patch.object(link, "STEPS_A_MINUTE", 10**6)  # no finger is so quick
            with patient, browser() as opened:
                found = play_round(opened, game, folder, asked.seed)
            print(f"{name}: {game}: a round in {found.taps} taps, {found.steps} steps", flush=True)


if __name__ == "__main__":
    main()
