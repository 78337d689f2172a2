"""Games of three and four players are told with names and colours: replay, report, page."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from companion.app.render.theme import THEME
from companion.app.scripted.driver import Driver
from companion.overlay.map_theme import SIDE_LOOKS

NAMES = ("Anna", "Bert", "Cara", "Dora")
WAYS = {"three": ("choice:('ffa', 3)", 3), "teams": ("choice:('team', 4)", 4)}


def screen_text(driver: Driver) -> str:
    return " ".join(one.text for one in driver.widgets() if getattr(one, "text", ""))


def begun(driver: Driver, way: str) -> None:
    """A game with ready armies and named players; the first unit has acted."""
    name, players = WAYS[way]
    for tap in ("new", name, "step:armies", "ready:all"):
        driver.press(tap)
    bench = driver.app.service.drafting
    seats = (replace(one, name=NAMES[n]) for n, one in enumerate(bench.draft.seats))
    bench.plan(replace(bench.draft, seats=tuple(seats)))
    assert len(bench.draft.seats) == players
    driver.press("step:begin")
    driver.press("begin")
    driver.rest()
    driver.press(next(one for one in driver.names() if one.startswith(("unit:", "best:"))))
    for tap in ("offer:forgo", "do-offer", "choice:end-turn"):
        driver.press(tap)


@pytest.mark.parametrize("way", list(WAYS))
@pytest.mark.rule("TMG-FFA-1", "TMG-TEAM-1")
def test_every_player_is_named_in_replay_report_and_page(driver: Driver, way: str) -> None:
    begun(driver, way)
    path, sides = Path(driver.app.service.snapshot.path), driver.app.service.snapshot.seats
    names = NAMES[: WAYS[way][1]]
    colours = {one.colour for one in sides}
    assert len(colours) == len(sides), "no two sides look alike"
    driver.app.service.leave()
    driver.app.go("home")
    driver.rest()
    driver.press(f"game:{path.stem}")
    assert all(name in screen_text(driver) for name in names)
    driver.press("report-game")
    driver.until(lambda: driver.app.waiting is None, 60)
    driver.steps(3)
    assert all(name in screen_text(driver) for name in names)
    driver.press("back")
    driver.press("replay-game")
    driver.until(lambda: driver.app.waiting is None, 60)
    driver.rest()
    told = screen_text(driver)
    assert all(THEME.mark_of(one.colour) in told for one in sides)
    assert ("Anna activates" in told) == (way == "teams"), "a team's units are its players'"
    driver.press("back")
    driver.press("export:html")
    page = driver.app.service.folder / "exports" / f"{path.stem}.html"
    driver.until(page.exists, 60)
    text = page.read_text(encoding="utf-8").casefold()
    assert all(name.casefold() in text for name in names)
    inks = ["#{:02x}{:02x}{:02x}".format(*SIDE_LOOKS[one.colour - 1].colour) for one in sides]
    assert all(ink in text for ink in inks), inks
