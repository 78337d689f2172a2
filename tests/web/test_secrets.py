"""No secret of a seat reaches another screen: two games that differ in it look the same there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.engine.turn.running_game import RunningGame
from companion.library.kept_game import begin_practice
from companion.session.session import Session
from companion.web.lobby import PairedScreen
from companion.web.viewer import SeatedViewer, TableVersions
from tests.web.served import GAMES


def viewers(path: Path, game: str) -> tuple[Session, dict[str, SeatedViewer]]:
    """A practice game with a screen for each seat, and one that watches."""
    session = Session.open(path)
    begin_practice(session, game, path)
    running = RunningGame(session, moves_trays=True)
    seats = ["", *(seat.id for seat in running.view(None).seats)]
    tables = TableVersions()
    return session, {
        seat: SeatedViewer(running, PairedScreen(seat or "w", "k", seat=seat), tables, {})
        for seat in seats
    }


def shown(viewer: SeatedViewer) -> str:
    return json.dumps(viewer.parts(), sort_keys=True)


def choices(viewer: SeatedViewer) -> list[dict[str, Any]]:
    """The buttons of secret prompts."""
    prompts = viewer.parts()["prompts"]
    return [one for prompt in prompts if prompt.get("secret") for one in prompt.get("choices", ())]


def forward(screens: dict[str, SeatedViewer], reached: Any) -> bool:
    """Press the first button of whoever is asked until something is so."""
    for _ in range(60):
        if reached():
            return True
        for viewer in screens.values():
            prompts = viewer.parts()["prompts"] if viewer.seat else []
            buttons = [one for prompt in prompts for one in prompt.get("choices", ())]
            if buttons and viewer.act({"tap": buttons[0]["tap"]}) is None:
                break
        else:
            return False
    return False


def test_two_different_plots_look_the_same_to_everybody_else(tmp_path: Path) -> None:
    seen: list[dict[str, str]] = []
    states: list[str] = []
    for number in (0, 1):
        session, screens = viewers(tmp_path / f"practice-{number}.game", "thrones")
        with session:
            assert forward(screens, lambda own=screens["p1"]: len(choices(own)) > 2)
            plots = choices(screens["p1"])
            assert screens["p1"].act({"tap": plots[number]["tap"]}) is None
            states.append(repr(session.history.now.state))
            seen.append({seat: shown(viewer) for seat, viewer in screens.items()})
    assert states[0] != states[1], "they are different plots"
    assert seen[0]["p2"] == seen[1]["p2"]
    assert seen[0][""] == seen[1][""]


@pytest.mark.parametrize("game", GAMES)
def test_what_only_a_seat_sees_is_sent_to_nobody_else(game: str, tmp_path: Path) -> None:
    """The cards that stand on a seat's own pages and prompts are on no other screen."""
    session, screens = viewers(tmp_path / "practice-1.game", game)
    with session:
        public = shown(screens[""])
        for seat, viewer in screens.items():
            own = set(titles(viewer)) if seat else set()
            secret = {title for title in own if title not in public}
            for other, stranger in screens.items():
                if other != seat:
                    leaked = {title for title in secret if f'"{title}"' in shown(stranger)}
                    assert leaked <= shared(screens, seat, other)


def titles(viewer: SeatedViewer) -> list[str]:
    """The titles of everything on the pages of a viewer."""
    found: list[str] = []

    def walk(value: Any) -> None:
        if isinstance(value, dict):
            found.extend(str(value[key]) for key in ("title",) if key in value)
            for one in value.values():
                walk(one)
        elif isinstance(value, list):
            for one in value:
                walk(one)

    walk(viewer.parts()["pages"])
    return found


def shared(screens: dict[str, SeatedViewer], seat: str, other: str) -> set[str]:
    """Cards of which both players have a copy of their own."""
    return set(titles(screens[seat])) & set(titles(screens[other])) if other else set()
