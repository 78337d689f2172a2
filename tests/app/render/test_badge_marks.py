"""What the badge of a tray says: name, number, ranks, activated, commander, engaged, tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from companion.app.render.chip_layer import (
    ChipLayer,
    badge_icons,
    holder,
    objective_sign,
    share_left,
    told_apart,
)
from companion.app.render.table_marks import badge_marks, flag_marks
from companion.engine.app_words import _, set_language
from companion.engine.drawing.display_list import Fill, Mark, Stroke, TextMark
from companion.engine.snapshot import Snapshot
from companion.games.api.new_game import SeatView
from companion.games.api.screen_views import Badge, PieceView, ScoreLine, ScoreView
from companion.games.tmg.play import practice_game
from companion.games.tmg.play.names import names_of
from companion.overlay.badge import BadgeSize, PlacedBadge, TrayBadge
from companion.overlay.icons import MARK_NAMES, strokes
from companion.overlay.view_frame import BoundingBox
from companion.session.game_view import GameView
from models import Table
from models.table import TableToken
from tests.play.battle import Battle

SIZE = BadgeSize(14.0)
PLAIN = TrayBadge("b1", "Greataxes", "9", 0, ((0.0, 0.0), (60.0, 0.0), (60.0, 40.0)), (2, 3), 0.75)


def marks(badge: TrayBadge) -> Sequence[Mark]:
    box = BoundingBox(0.0, 0.0, *SIZE.whole(badge))
    return list(badge_marks(PlacedBadge(badge, box), SIZE))


def texts(found: Sequence[Mark]) -> list[str]:
    return [one.text for one in found if isinstance(one, TextMark)]


def lines(found: Sequence[Mark]) -> int:
    return sum(isinstance(one, Stroke) for one in found)


def test_a_badge_has_the_name_and_what_is_left() -> None:
    assert texts(marks(PLAIN)) == ["Greataxes", "9"]


def test_the_ranks_left_are_filled() -> None:
    def segments(badge: TrayBadge) -> int:
        return sum(isinstance(one, Fill) for one in marks(badge))

    whole, gone = replace(PLAIN, share=1.0), replace(PLAIN, share=0.0)
    assert segments(whole) - segments(gone) == 3
    assert segments(PLAIN) - segments(gone) == 3  # the third a quarter full
    assert segments(replace(PLAIN, share=0.5)) - segments(gone) == 2


@pytest.mark.parametrize(
    ("changed", "icon"),
    [({"leader": True}, "star"), ({"engaged": True}, "swords"), ({"tokens": ("bolt",)}, "bolt")],
)
def test_commander_engaged_and_tokens_are_drawn(changed: dict[str, object], icon: str) -> None:
    more = lines(marks(replace(PLAIN, **changed))) - lines(marks(PLAIN))  # type: ignore[arg-type]
    assert more == len(list(strokes(icon)))


def test_an_activated_unit_has_a_tick_in_place_of_its_mark() -> None:
    spent = replace(PLAIN, spent=True)
    ticked, marked = len(list(strokes("check"))), len(list(strokes(MARK_NAMES[0])))
    assert lines(marks(spent)) - lines(marks(PLAIN)) == ticked - marked
    assert marks(spent) != marks(PLAIN)
    assert texts(marks(spent)) == ["Greataxes", "9"], "its name does not vanish"


@pytest.mark.rule("TMG-OBJ-1")
def test_the_flag_of_a_held_objective_has_the_colour_of_its_holder() -> None:
    table = Table.load(practice_game.TABLE)
    unit, free = table.units[0], TableToken("o2", 1.0, 1.0)
    held = TableToken("o1", unit.pose.x, unit.pose.y)
    line = ScoreLine(unit.side, "", 1, unit.id)
    view = GameView((SeatView("blue", "Anna", 1),), score=ScoreView((), (line,)))
    shown = Snapshot(path="a", table=table, view=view)
    assert holder(shown, held) == unit.side
    assert holder(shown, free) == ""
    assert list(flag_marks((9.0, 9.0), 16.0, 0)) != list(flag_marks((9.0, 9.0), 16.0))


def test_an_objective_that_is_called_by_its_number_shows_it() -> None:
    battle = Battle("GOT", "2018")
    called = {key: str(name) for key, name in names_of(battle.state).things.items()}
    signs = [objective_sign(called[token.id]) for token in battle.state.tokens]
    assert "3" in signs
    for sign in signs:
        written = texts(list(flag_marks((9.0, 9.0), 16.0, None, sign)))
        assert written == ([sign] if sign else [])


def test_a_piece_becomes_its_badge() -> None:
    piece = PieceView(
        "b1",
        "House Umber Greataxes",
        "Greataxes",
        "blue",
        left=9,
        most=12,
        ranks=(3, 3),
        state="spent",
        leader=True,
        engaged=True,
        badges=(Badge("Panicked", "bolt"), Badge("Marked", "flag")),
    )
    seats = (SeatView("blue", "Anna", 1), SeatView("red", "Ben", 2))
    snapshot = Snapshot(path="a", view=GameView(seats, ("blue",), pieces=(piece,)))
    layer = ChipLayer.__new__(ChipLayer)  # nothing of it is drawn
    layer.aimed = None
    names = told_apart([piece])
    badge = layer.badge(piece, badge_icons(snapshot), PLAIN.outline, snapshot, names["b1"], {})
    assert (badge.name, badge.count, badge.bar) == ("Greataxes", "9", (3, 3))
    set_language("de")
    try:  # a badge and the lists beside the table call a unit the same
        named = replace(piece, short="Heavy Inf. 2")
        names = told_apart([named])
        german = layer.badge(named, badge_icons(snapshot), PLAIN.outline, snapshot, names["b1"], {})
        assert german.name == _("Heavy Inf. 2") == "Schwere Inf. 2"
    finally:
        set_language("en")
    assert badge.share == share_left(piece) == 0.75
    assert (badge.spent, badge.leader, badge.engaged) == (True, True, True)
    assert badge.tokens == ("bolt", "flag")
