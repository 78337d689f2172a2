"""A tray in the players' fingers: where it goes, what the game says of it, what they may say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from companion.engine.moves.contact import Contact
from companion.engine.snapshot import Notice
from companion.engine.turn.handles import PlaceTap
from companion.engine.turn.placing import Placing
from companion.engine.turn.turn_records import PlaceView
from companion.games.api.play import Plain, Refusal
from companion.games.api.prompt import ActionOffer, TrayEnd
from models import Pose
from tests.engine.turn.test_turn_screen import DIE, MARCH, TABLE, TURN, Screen, names, shot

START = TABLE.unit("b1").pose
THERE = Pose(START.x + 3.0, START.y + 4.0, START.heading)
MANEUVER = replace(MARCH, kind="maneuver", text="Maneuver")
RETREAT = ActionOffer("retreat", "Retreat", ({"do": "retreat"},), "b1", dice=DIE, moves=True)


class Hand(Screen):
    """Remembers where a tray was left or tried."""

    def put_down(self, placing: Placing, action: str, commands: Sequence[Plain]) -> Refusal | None:
        self.asked.append(("put", placing.pose, action))
        return None

    def leave_there(self, placing: Placing) -> Refusal | None:
        self.asked.append("stays")
        return None

    def try_at(self, placing: Placing, pose: Pose) -> Refusal | None:
        self.asked.append(("try", pose))
        return None


def judged(**more: Any) -> Notice:
    given: dict[str, Any] = {"legal": True, "actions": (MARCH,), **more}
    return Notice("b1", "Swords moved", "it is free", before=START, table=TABLE, **given)


def doubted() -> Notice:
    """A march for certain, and a maneuver only if it went no farther than it may."""
    more = {"doubtful": ("maneuver",), "doubt": "how far is open"}
    return judged(actions=(MARCH, MANEUVER), **more)


def placed(offer: ActionOffer | None = None, notice: Notice | None = None, **more: Any) -> Placing:
    return Placing("b1", START, THERE, offer, notice=notice, **more)


def shown(placing: Placing, screen: Hand | None = None, due: Any = ()) -> PlaceView:
    screen = screen or Hand()
    screen.see(shot(TURN, table=TABLE, seen={"due": due}))
    screen.placing = placing
    view = screen.place()
    assert view is not None
    return view


@pytest.mark.parametrize(
    ("offer", "notice", "tone", "text", "why"),
    [
        (None, judged(), "yes", "Legal", "it is free"),
        (MARCH, judged(), "yes", "Legal", "it is free"),
        (None, judged(actions=(MARCH, MANEUVER)), "yes", "Legal: say as what", "it is free"),
        (MARCH, judged(actions=(MARCH, MANEUVER)), "yes", "Legal", "it is free"),
        (None, judged(unsure=True), "unsure", "Too close to call", "it is free"),
        (MARCH, judged(unsure=True), "unsure", "Too close to call", "it is free"),
        (None, doubted(), "yes", "Legal: say as what", "it is free · how far is open"),
        (MARCH, doubted(), "yes", "Legal", "it is free"),
        (MANEUVER, doubted(), "unsure", "Too close to call", "how far is open"),
        (MANEUVER, judged(), "no", "Not legal", "it is free"),
        (
            MANEUVER,
            judged(why={"maneuver": "rocks"}, over={"march": 2.0}),
            "no",
            "Not legal",
            "rocks",
        ),
        (None, judged(legal=False, actions=()), "no", "Not legal", "it is free"),
        (None, None, "", "Not moved yet", ""),
    ],
)
def test_the_verdict_is_of_the_chosen_action_or_of_any(
    offer: ActionOffer | None, notice: Notice | None, tone: str, text: str, why: str
) -> None:
    view = shown(placed(offer, notice))
    assert (view.verdict, view.text, view.why) == (tone, text, why)
    assert (view.piece, view.title) == ("b1", "Place Sworn Swords")
    assert (view.x, view.y, view.heading, view.far) == (THERE.x, THERE.y, THERE.heading, 5.0)


def test_how_much_too_far_it_went_is_told() -> None:
    view = shown(placed(MARCH, judged(legal=False, actions=(), over={"march": 1.25})))
    assert view.verdict == "no"
    assert view.text.startswith("1.2") or view.text.startswith("1.3")


def test_a_place_in_contact_is_told_and_drawn() -> None:
    contact = Contact(THERE, "r1", ((1.0, 2.0), (3.0, 4.0)))
    view = shown(placed(MARCH, judged(), contact=contact))
    assert (view.text, view.contact) == ("In contact, legal", (1.0, 2.0, 3.0, 4.0))
    assert shown(placed(MARCH, judged())).contact == ()


@pytest.mark.parametrize(
    ("offer", "notice", "buttons"),
    [
        (None, judged(), [("place", "March")]),
        (MARCH, judged(), [("place", "Done")]),
        (None, judged(unsure=True), [("place:march", "March"), ("correct-position", None)]),
        (
            None,
            judged(actions=(MARCH, MANEUVER)),
            [("place:march", "March"), ("place:maneuver", "Maneuver"), ("correct-position", None)],
        ),
        (
            MANEUVER,
            doubted(),
            [("place:march", "March"), ("place:maneuver", "Maneuver"), ("correct-position", None)],
        ),
        (MANEUVER, judged(possible=False), [("place:march", "March")]),
        (
            MANEUVER,  # another action explains the place: the chosen one is agreed upon
            judged(agreeable=(MANEUVER, RETREAT)),
            [
                ("place:march", "March"),
                ("agree:maneuver", "Both agree: Maneuver"),
                ("correct-position", None),
            ],
        ),
        (None, judged(agreeable=(MANEUVER,)), [("place", "March")]),
        (
            MARCH,
            judged(legal=False, actions=(), agreeable=(MARCH, MANEUVER), barred="rocks"),
            [("agree:march", None), ("correct-position", "Correct it all the same")],
        ),
        (
            None,
            judged(legal=False, actions=(), agreeable=(MARCH, MANEUVER)),
            [
                ("agree:march", None),
                ("agree:maneuver", None),
                ("correct-position", "Only correct the position"),
            ],
        ),
        (None, None, []),
        (MARCH, None, [("stay", "It stays where it is")]),
    ],
)
def test_what_the_players_may_say_of_a_place(
    offer: ActionOffer | None, notice: Notice | None, buttons: list[tuple[str, str | None]]
) -> None:
    found = shown(placed(offer, notice)).choices
    assert [one.name for one in found] == [name for name, _ in buttons]
    assert all(one.text == text for one, (_, text) in zip(found, buttons, strict=True) if text)
    assert all(one.acts == ("blue",) for one in found)
    assert [one.look for one in found if one.name == "place"] in ([], ["primary"])


def test_a_drag_becomes_the_action_that_explains_it_unless_another_was_picked() -> None:
    snapshot = shot(TURN, table=TABLE)
    begun = Placing.begin(snapshot, "b1", THERE, MANEUVER, proposed=True)
    assert begun is not None
    far = begun.judged(judged(legal=False, actions=(), agreeable=(MANEUVER,)))
    assert far.offer == MANEUVER, "nothing explains it"
    known = begun.judged(judged())
    assert known.offer is None
    assert [one.text for one in shown(known).choices] == ["March"]
    picked = Placing.begin(snapshot, "b1", THERE, MANEUVER)
    assert picked is not None
    assert picked.judged(judged()).offer == MANEUVER
    assert picked.judged(None).notice is None


def test_the_nearest_legal_place_is_tried_with_a_tap() -> None:
    near, far = replace(THERE, x=THERE.x - 1), replace(THERE, x=THERE.x - 2)
    missed = judged(legal=False, actions=(), nearest={"march": far, "maneuver": near})
    screen = Hand()
    (nearest, _only) = shown(placed(None, missed), screen).choices
    assert (nearest.name, nearest.text) == ("nearest", "To a legal place on its way")
    assert screen.tap({"tap": nearest.tap}) is None
    assert screen.asked == [("try", near)]
    (nearest, _only) = shown(placed(MARCH, missed), screen).choices
    assert screen.tap({"tap": nearest.tap}) is None
    assert screen.asked[1:] == [("try", far)]
    assert screen.placing is not None, "it stays in the fingers"


def test_named_ends_are_tried_and_a_tray_that_goes_nowhere_stays() -> None:
    one = TrayEnd("to its left", (("b1", THERE),))
    two = TrayEnd("with another", (("b1", THERE), ("r1", START)))
    due = replace(MARCH, ends=(one, two))
    screen = Hand()
    (end,) = shown(placed(due), screen).choices
    assert (end.name, end.text) == ("end:0", "to its left")
    assert screen.tap({"tap": end.tap}) is None
    assert screen.asked == [("try", THERE)]
    assert names(shown(placed(due, judged())).choices) == ["place"]
    retreat = replace(due, kind="retreat")
    screen = Hand()
    choices = shown(placed(retreat), screen).choices
    assert names(choices) == ["end:0", "stay"]
    assert screen.tap({"tap": choices[1].tap}) is None
    assert screen.asked == ["stays"]


def test_a_place_is_taken_as_what_the_players_say() -> None:
    screen = Hand()
    costly = judged(actions=(MARCH, MANEUVER), costs={"march": "rough ground: -1"})
    march, _maneuver, only = shown(placed(None, costly), screen).choices
    assert (march.detail, only.detail) == ("Rough ground: -1", "")
    assert screen.tap({"tap": march.tap}) is None
    assert screen.asked == [("put", THERE, "march")]
    assert screen.placing is None
    assert screen.tap({"tap": only.tap}) is not None, "nothing is in the fingers any more"
    only = shown(placed(None, costly), screen).choices[-1]
    assert screen.tap({"tap": only.tap}) is None
    assert screen.asked[1:] == [("put", THERE, "")]
    done = shown(placed(MARCH, judged()), screen).choices[0]
    assert screen.tap({"tap": done.tap}) is None
    assert screen.asked[2:] == [("put", THERE, "march")]


def test_an_action_with_dice_is_rolled_before_its_tray_goes() -> None:
    screen = Hand()
    (place,) = shown(placed(None, judged(actions=(RETREAT,))), screen).choices
    assert screen.tap({"tap": place.tap}) is None
    assert screen.asked == []
    assert screen.rolling is not None
    assert (screen.rolling.text, screen.rolling.acts) == ("Retreat", ("blue",))


def test_a_screen_without_fingers_has_no_place_to_take() -> None:
    screen = Screen()
    for tap in (
        PlaceTap("b1", "march"),
        PlaceTap("b1", "march", stays=True),
        PlaceTap("b1", "", at=THERE),
    ):
        screen.placing = placed(MARCH, judged())
        refusal = screen.put(tap)
        assert refusal is not None
        assert refusal.why == "STALE"


# -- where it goes ---------------------------------------------------------------------------------


def test_a_tray_is_taken_up_with_its_decided_move_if_it_is_on_the_table() -> None:
    here = shot(TURN, table=TABLE, seen={"due": (MARCH,)})
    begun = Placing.begin(here, "b1", THERE, MANEUVER)
    assert begun == Placing("b1", START, THERE, MARCH)
    free = Placing.begin(shot(TURN, table=TABLE), "b1", THERE, MANEUVER)
    assert free == Placing("b1", START, THERE, MANEUVER)
    assert Placing.begin(here, "nobody", THERE) is None
    assert Placing.begin(shot(TURN), "b1", THERE) is None


@pytest.mark.parametrize(
    ("more", "only_turns", "turns", "far"),
    [
        ({}, False, True, 5.0),
        ({"reach": 0.0}, True, True, 5.0),
        ({"reach": 2.0}, False, True, 5.0),
        ({"keeps_facing": True}, False, False, 5.0),
        ({"kind": "deploy"}, False, True, 0.0),
    ],
)
def test_what_the_move_of_a_tray_leaves_to_the_finger(
    more: Any, only_turns: bool, turns: bool, far: float
) -> None:
    view = shown(placed(replace(MARCH, **more)))
    assert (view.only_turns, view.turns, view.far) == (only_turns, turns, far)
    free = shown(placed())
    assert (free.only_turns, free.turns) == (False, True)


def test_a_tray_snaps_to_its_line_only_when_asked() -> None:
    straight = replace(MARCH, lines=(0.0,))
    aside = Pose(*START.ahead(3.0, 0.3), START.heading + 3.0)
    begun = placed(straight, judged())
    loose = begun.moved(TABLE, aside, snap=False)
    assert (loose.pose, loose.notice) == (aside, None)
    snapped = begun.moved(TABLE, aside, snap=True)
    assert (snapped.pose.x, snapped.pose.y) == pytest.approx(START.ahead(3.0, 0.0), abs=1e-6)
    assert snapped.pose.heading == START.heading + 3.0, "a finger has turned it"
    aside = Pose(*START.ahead(3.0, 1.0), START.heading)
    assert begun.moved(TABLE, aside, snap=True).pose == aside, "too far beside it"
    decided = placed(replace(straight, commands=()))
    there = decided.moved(TABLE, aside, snap=True).pose
    assert (there.x, there.y) == pytest.approx(START.ahead(3.0, 0.0), abs=1e-6), "no other way"
    assert snapped.contact is None


def test_whoever_goes_farther_than_its_speed_means_the_straight_one_of_the_offers() -> None:
    straight = replace(MARCH, lines=(0.0,))
    speed = TABLE.unit("b1").speed
    aside = Pose(*START.ahead(speed + 1.0, 0.3), START.heading)
    chosen = placed(MANEUVER).moved(TABLE, aside, True, (MANEUVER, straight))
    assert (chosen.pose.x, chosen.pose.y) == pytest.approx(START.ahead(speed + 1.0, 0.0), abs=0.1)
    near = Pose(*START.ahead(speed - 1.0, 0.3), START.heading)
    assert placed(MANEUVER).moved(TABLE, near, True, (MANEUVER, straight)).pose == near
    decided = placed(RETREAT).moved(TABLE, aside, True, (MANEUVER, straight))
    assert decided.pose == aside, "what is decided already is not another move"


def test_a_tray_is_laid_down_when_the_move_that_it_was_taken_up_for_is_undone() -> None:
    due = replace(MARCH, commands=())
    here = shot(TURN, table=TABLE, seen={"due": (due,)})
    begun = Placing.begin(here, "b1", THERE)
    assert begun is not None
    assert not begun.over(here)
    undone = shot(TURN, table=TABLE)
    assert begun.over(undone)
    assert not placed(MARCH).over(undone), "an action that was chosen and not carried out yet"
