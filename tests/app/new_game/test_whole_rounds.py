"""Whole rounds of three and four players by touch: marched, claimed, scored, told and replayed."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.app.scripted.driver import Driver
from tests.app.moving.test_moving import drag, pose
from tests.app.new_game.test_many_players import begun, state, told
from tests.trials import trials

MOST_STEPS = 250


def names(driver: Driver, prefix: str) -> list[str]:
    return [name for name in driver.names() if name.startswith(prefix)]


def gold(driver: Driver) -> str:
    look = (one.name for one in driver.widgets(driver.top) if getattr(one, "look", "") == "primary")
    return next(look, "")


class Round:
    """Everybody at one tablet: NCUs claim, the first tray of each player marches, others stay."""

    def __init__(self, driver: Driver) -> None:
        self.driver = driver
        self.turns: list[str] = []
        self.marched: set[str] = set()
        self.claimed = 0

    def play(self) -> None:
        began = state(self.driver).round
        for _ in range(MOST_STEPS):
            if state(self.driver).round != began:
                return
            self.step()
        raise AssertionError("the round does not end")

    def step(self) -> None:
        """The next tap."""
        driver, snapshot = self.driver, self.driver.app.service.snapshot
        if driver.app.place == "score":
            driver.press("confirm-score")
        elif snapshot.prompts[0].id == "turn-start" and snapshot.chosen is None:
            self.turns.append(state(driver).active)
            driver.press(names(driver, "unit:")[0])
        elif offers := names(driver, "offer:"):
            self.act(offers)
        elif name := gold(driver):
            driver.press(name)
        else:  # an effect that nobody uses, or dice
            driver.press((names(driver, "die:") or names(driver, "choice:"))[-1])

    def act(self, offers: list[str]) -> None:
        driver, unit = self.driver, str(self.driver.app.service.snapshot.chosen)
        claims = [one for one in offers if one.startswith("offer:claim:")]
        trays = {one.id: one.player for one in state(driver).units}
        owner = trays.get(unit, "")
        if claims:
            self.claimed += 1
            self.take(claims[0])
        elif "offer:march" in offers and owner not in self.marched:
            self.march(unit)
            self.marched.add(owner)
        else:
            self.take("offer:forgo" if "offer:forgo" in offers else offers[-1])

    def take(self, offer: str) -> None:
        self.driver.press(offer)
        self.driver.press("do-offer")

    def march(self, unit: str) -> None:
        """Drag a tray straight ahead."""
        driver = self.driver
        self.take("offer:march")
        start = pose(driver, unit)
        drag(driver, (start.x, start.y), start.ahead(4.0))
        card = driver.app.screen.mover.card
        driver.until(lambda: card.verdict in ("yes", "no"), 20)
        assert card.verdict == "yes", (unit, card.why.text)
        driver.press("place")
        there = pose(driver, unit)
        assert (there.x, there.y) == pytest.approx(start.ahead(4.0), abs=0.3)


@pytest.mark.slow
@pytest.mark.rule("TMG-FFA-4", "TMG-TEAM-5", "TMG-RND-13")
@pytest.mark.parametrize(
    ("way", "edition"),
    [
        ("three", ""),
        ("teams", "choice:tmg-2018"),
        ("four", "choice:tmg-2018"),
        ("teams", ""),
        ("three", "choice:tmg-2018"),
        ("four", ""),
    ][: trials(2, 6)],
)
def test_a_whole_round_by_touch(driver: Driver, way: str, edition: str) -> None:
    assert begun(driver, way, edition) < 10
    sides = [side.id for side in state(driver).sides]
    players = state(driver).players
    played = Round(driver)
    played.play()
    now = state(driver)
    assert now.round == 2
    assert set(played.turns) == set(sides)
    assert played.turns[: len(sides)] == sides, "clockwise from the first player"
    assert len(played.marched) == len(players)
    assert played.claimed == len(now.ncus)
    after_the_game(driver, [str(one.name) for one in driver.app.service.snapshot.seats])


def after_the_game(driver: Driver, seats: list[str]) -> None:
    """Everybody stands in the score, the report and the replay."""
    path = Path(driver.app.service.snapshot.path)
    driver.app.service.leave()
    driver.app.go("home")
    driver.rest()
    driver.press(f"game:{path.stem}")
    for button in ("report-game", "replay-game"):
        driver.press(button)
        driver.until(lambda: driver.app.waiting is None, 60)
        driver.rest()
        words = " ".join(told(driver)).replace("&amp;", "&")
        for seat in seats:
            assert all(one in words for one in seat.split(" & ")), (button, seat)
        driver.press("back")


@pytest.mark.slow
@pytest.mark.rule("TMG-FFA-2")
def test_who_gives_up_is_told_and_the_others_play_on(driver: Driver) -> None:
    begun(driver, "three")
    last = state(driver).sides[-1].id
    name = str(driver.app.service.snapshot.seats[-1].name)
    for tap in ("menu", "end-early", f"choice:concede:{last}"):
        driver.press(tap)
    assert not [one for one in state(driver).sides if one.eliminated], "a row only shows"
    driver.press("do-choice")
    assert [one.id for one in state(driver).sides if one.eliminated] == [last]
    driver.press("undo")
    assert not [one for one in state(driver).sides if one.eliminated], "a wrong finger"
    for tap in ("menu", "redo"):
        driver.press(tap)
    now = state(driver)
    assert now.phase != "over", "two are left"
    driver.app.go("table")
    driver.rest()
    played = Round(driver)
    played.play()
    assert last not in played.turns
    assert set(played.turns) == {side.id for side in now.sides} - {last}
    after_the_game(driver, [name])
