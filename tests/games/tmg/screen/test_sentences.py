"""One event each, as players hear it; and small numbers of the screen at their limits."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import pytest

from companion.games.api.play import Event
from companion.games.tmg.play.names import names_of, seat_name
from companion.games.tmg.play.state.game_state import GameState, MoraleTrial
from companion.games.tmg.report_text import meanings, natural, report_text
from companion.games.tmg.screen import SCREEN
from companion.games.tmg.screen.action_offers import allowed, if_allowed, verdict
from companion.games.tmg.screen.dice_requests import expected, successes, summed
from companion.games.tmg.screen.dice_requests import test_dice as dice_of_test
from companion.geometry.plane.answer import Answer
from companion.text.verdicts import percent
from models import Table
from tests.conftest import TOYS
from tests.play.battle import battle_of

Data = dict[str, Any]
SWORDS, CROSSBOWS = "Stark Sworn Swords", "Lannister Crossbowmen"
ATTACK = {"dice": 3, "hits": 0, "defender": "r1", "attacker": "", "by": "", "weapon": "Pike"}
TEST = {"unit": "b1", "causes": ["Fear"]}
RAGE = {"what": "attack", "name": "Rage"}
OLD_NEW = {"side": "red", "old": 3, "new": 5}


@pytest.fixture(scope="module")
def state() -> GameState:
    return battle_of("GOT").state


@pytest.mark.rule("TMG-RND-6", "TMG-ATK-1", "TMG-OBJ-1", "TMG-CON-1", "TMG-VIC-1", "TMG-DECK-5")
@pytest.mark.parametrize(
    ("kind", "data", "words"),
    [
        (
            "eliminated",
            {"side": "red"},
            "Red has no combat unit left on the battlefield and is eliminated.",
        ),
        ("eliminated", {"side": "red", "conceded": True}, "Red concedes."),
        ("roll-off", {"dice": [["blue", 2], ["red", 5]]}, "Roll-off: Blue 2, Red 5."),
        ("role-chosen", {"side": "red", "role": "attacker"}, "Red is the attacker."),
        ("role-chosen", {"side": "red", "role": "defender"}, "Red is the defender."),
        ("piece-placed", {"side": "red", "piece": "low-wall"}, "Red places the low wall."),
        ("piece-count", {"count": 1}, "1 terrain piece will be placed."),
        ("engaged", {"unit": "b1", "with": ["r1"]}, f"{SWORDS} is engaged with {CROSSBOWS}."),
        ("engaged", {"unit": "b1", "with": []}, f"{SWORDS}: not engaged."),
        (
            "attack",
            {**ATTACK, "stage": "defense-dice", "hits": 2},
            f"{CROSSBOWS} takes 2 hits: Pike.",
        ),
        (
            "attack",
            {**ATTACK, "stage": "attack-dice"},
            f"an effect attacks {CROSSBOWS}: Pike.",
        ),
        (
            "attack",
            {**ATTACK, "stage": "attack-dice", "attacker": "b1"},
            f"{SWORDS} attacks {CROSSBOWS}: Pike.",
        ),
        (
            "attack-changed",
            {"what": "attack", "name": "Rage", "value": 2},
            "Rage: +2 for this attack.",
        ),
        (
            "attack-changed",
            {"what": "attack", "name": "Rage", "value": 0},
            "Rage counts for this attack.",
        ),
        ("test", {**TEST, "kind": "panic"}, f"{SWORDS} must take a panic test: Fear."),
        ("test", {**TEST, "kind": "morale"}, f"{SWORDS} must take a morale test: Fear."),
        ("test-changed", {"name": "Rage", "value": -1}, "Rage: -1 for this test."),
        ("token-held", {"token": "o1", "unit": ""}, "Nobody holds {o1} now."),
        ("token-held", {"token": "o1", "unit": "b1"}, f"{{o1}}: held by {SWORDS}."),
        (
            "control-lost",
            {"token": "o1", "unit": "b1"},
            f"{SWORDS} has lost {{o1}} and must move onto it again to claim it.",
        ),
        ("played", {"player": "blue", "card": "Rage"}, "Blue plays Rage."),
        (
            "played",
            {"player": "blue", "card": "Rage", "unit": "b1"},
            f"Blue plays Rage on {SWORDS}.",
        ),
        (
            "returned",
            {"player": "blue", "from": "discard", "card": "Rage"},
            "Blue takes Rage from the discard pile.",
        ),
        (
            "returned",
            {"player": "blue", "from": "deck", "card": "Rage"},
            "Blue takes a card from the deck.",
        ),
        ("condition", {"unit": "b1", "token": "weakened"}, f"{SWORDS} is weakened."),
        ("condition-gone", {"unit": "b1", "token": "panicked"}, f"{SWORDS} is no longer panicked."),
        ("abilities", {"unit": "b1", "lost": True}, f"{SWORDS} loses its abilities."),
        ("abilities", {"unit": "b1", "lost": False}, f"{SWORDS} has its abilities again."),
        ("missions-set", {"active": [], "reserve": []}, "Missions: none."),
        ("missions-set", {"active": ["2", "3"], "reserve": ["4"]}, "Missions: 2, 3; reserve: 4."),
        ("missions-taken", {"player": "red", "cards": ["1"]}, "Red takes 1 card in hand."),
        ("mission-shown", {"player": "red", "card": "4"}, "Red reveals mission 4."),
        ("mission-left", {"player": "red"}, "Red lays a mission aside, face down."),
        ("mission-scored", {"side": "red", "card": "4"}, "Red meets mission 4."),
        ("overridden", {**OLD_NEW, "why": "a slip"}, "The players set Red from 3 to 5 VP: a slip."),
        (
            "overridden",
            {**OLD_NEW, "why": "the players say so"},
            "The players set Red from 3 to 5 VP.",
        ),
        ("commander-fell", {"side": "red"}, "Red destroys the enemy commander for the first time."),
        (
            "retreat-rolled",
            {"unit": "b1", "faces": [4], "reach": 9.0},
            "Sworn Swords: rolled 4, it may retreat up to 9″.",
        ),
        ("dangerous", {"unit": "b1", "faces": [2]}, "{b1} is on Dangerous ground: rolls 2."),
        ("healed", {"unit": "b1", "wounds": 1}, f"{SWORDS} heals 1 wound."),
        ("drawn", {"player": "red", "count": 2}, "Red draws 2 cards."),
        ("discarded", {"player": "red", "cards": ["Rage", "Fear"]}, "Red discards Rage, Fear."),
        (
            "effect",
            {"unit": "b1", "name": "Rage", "until": "round"},
            "{b1}: Rage until the end of the round.",
        ),
        ("claimed", {"unit": "bn1", "zone": "crown"}, "Catelyn claims crown."),
        (
            "in-quadrant",
            {"unit": "bn1", "quadrant": "lower-left"},
            "Catelyn is placed in the lower-left quadrant.",
        ),
        ("influence", {"ncu": "bn1", "unit": "r1"}, f"Catelyn influences {CROSSBOWS}."),
        ("order", {"unit": "b1", "order": "Hold"}, f"{SWORDS} uses its order Hold."),
        ("redeployed", {"unit": "b1"}, f"{SWORDS} returns to the battlefield."),
        ("reserved", {"unit": "b1"}, f"{SWORDS} goes to reserve."),
        ("turned", {"unit": "b1", "target": "r1"}, f"{SWORDS} turns its front to {CROSSBOWS}."),
        ("won", {"side": "draw", "how": "equal (TMG-VIC-6)"}, "A draw."),
        ("won", {"side": "red", "how": "elimination (TMG-VIC-7)"}, "Red wins."),
        ("scored", {"side": "red", "vp": 2}, "Points: Red +2."),
        ("corrected", {"unit": "b1", "set": {"activated": True}}, f"Corrected: {SWORDS}."),
        ("corrected", {"unit": "b1", "set": {"wounds": 3}}, "Corrected: {b1}, 12 → 12 left."),
        ("deployed", {"unit": "b1"}, f"{SWORDS}: deployed."),
        ("charge-ended", {"unit": "b1", "success": True}, "The charge of {b1} succeeds."),
        ("charge-ended", {"unit": "b1", "success": False}, "The charge of {b1} fails."),
        (
            "test-over",
            {"unit": "b1", "passed": True, "wounds": 0, "automatic": True},
            "{b1}: passed without a roll.",
        ),
        ("test-over", {"unit": "b1", "passed": False, "wounds": 0}, "{b1}: test failed."),
        (
            "test-over",
            {"unit": "b1", "passed": False, "wounds": 0, "result": 4, "morale": 6},
            "Sworn Swords: failed (4 against 6+).",
        ),
        ("rerolled", {"side": "red", "old": [1], "new": [4]}, "Red rerolls 1 die: 1 → 4."),
        ("hits", {"hits": 1, "sure": 1}, ": 2 hits (1 cannot be blocked)."),
        ("wounds", {"unit": "b1", "wounds": 1}, "{b1}: 1 wound, 12 → 12."),
        ("destroyed", {"unit": "b1"}, f"{SWORDS} is destroyed."),
        ("acted", {"unit": "b1", "action": "dance"}, f"{SWORDS}: dance."),
        ("acted", {"unit": "b1", "action": "forgo"}, f"{SWORDS}: no action."),
    ],
)
def test_an_event_in_words(state: GameState, kind: str, data: Data, words: str) -> None:
    found = SCREEN.outcome(state, (Event(kind, data),), state)
    assert found is not None
    known = {"{b1}": SWORDS, "{o1}": str(names_of(state).of("o1"))}
    for key, name in known.items():
        words = words.replace(key, name)
    assert str(found.text) == words


@pytest.mark.rule("TMG-CHG-14", "TMG-CHG-16", "TMG-CHG-26")
def test_what_follows_from_a_charge(state: GameState) -> None:
    rolled = {"unit": "b1", "target": "r1", "side": "blue", "faces": [5, 2], "reach": 7.5}
    event = Event("charge-rolled", {**rolled, "disorderly": False})
    open_ = SCREEN.outcome(state, (event,), state)
    assert open_ is not None
    assert (open_.text, open_.follows) == (
        "Charge by Sworn Swords at Crossbowmen: rolled 2, up to 7.5″.",
        f"Does it reach {CROSSBOWS}?",
    )
    wild = Event("charge-rolled", {**rolled, "disorderly": True})
    barred = "A disorderly charge: no charge bonus, no cards for the rest of the turn."
    for success, follows in (
        (True, barred),
        (False, f"It moves the full 7.5″ forward, then tests panic. {barred}"),
    ):
        end = Event("charge-ended", {"unit": "b1", "success": success})
        told = SCREEN.outcome(state, (wild, end), state)
        assert told is not None
        assert (told.follows, told.tone) == (follows, "good" if success else "bad")
        assert (told.seat, told.dice, told.icon) == ("blue", (5, 2), "charge")
    tame = SCREEN.outcome(
        state, (event, Event("charge-ended", {"unit": "b1", "success": True})), state
    )
    assert tame is not None
    assert tame.follows == ""


@pytest.mark.rule("TMG-ATK-12")
@pytest.mark.parametrize(
    ("hits", "wounds", "words"),
    [
        (0, 0, "Sworn Swords against Crossbowmen: 0 of 7 dice hit."),
        (3, 0, "Sworn Swords against Crossbowmen: 3 of 7 dice hit, all blocked."),
        (3, 2, "Sworn Swords against Crossbowmen: 3 of 7 dice hit, 1 blocked, 2 wounds, 12 → 10."),
        (0, 2, "Sworn Swords against Crossbowmen: 2 wounds, 12 → 10."),
    ],
)
def test_the_end_of_an_attack(hits: int, wounds: int, words: str) -> None:
    battle = battle_of("GOT").do("engage", unit="b1", **{"with": ["r1"]}).do("activate", unit="b1")
    state = battle.do("action", action="attack", target="r1").state
    unit = state.unit("r1")
    after = state.with_unit(replace(unit, wounds=wounds))
    events = [Event("attack-wounds", {"defender": "r1", "wounds": wounds})]
    if hits:
        events.insert(0, Event("hits", {"hits": hits, "sure": 0}))
    found = SCREEN.outcome(state, events, after)
    assert found is not None
    assert found.text == words


@pytest.mark.rule("TMG-DIC-1", "TMG-ATK-2")
def test_chances_of_dice() -> None:
    assert successes(2, 4, 0) == pytest.approx((0.25, 0.5, 0.25))
    assert successes(1, 4, 1) == pytest.approx((1 / 3, 2 / 3))
    assert successes(1, 6, 0) == pytest.approx((5 / 6, 1 / 6))


@pytest.mark.rule("TMG-PAN-2")
@pytest.mark.parametrize(("year", "extra"), [("2021", 1), ("2018", 0)])
@pytest.mark.parametrize("kind", ["panic", "morale"])
def test_the_dice_of_a_test(year: str, extra: int, kind: str) -> None:
    state = battle_of("GOT", year).state
    trial = MoraleTrial(7, "r1", kind)
    asked = dice_of_test(state, trial)
    assert (asked.count, asked.wanted) == (2, state.unit("r1").morale)
    assert asked.chances == pytest.approx(tuple((6 - abs(n - 7)) / 36 for n in range(2, 13)))
    assert len(asked.extra) == (extra if kind == "panic" else 0)
    hard = replace(trial, mods=(("Fear", -20),))
    assert dice_of_test(state, hard).wanted == 13


@pytest.mark.rule("TMG-CHG-4")
@pytest.mark.parametrize(
    ("chance", "words"),
    [
        (0.0, "0 %"),
        (0.009, "< 1 %"),
        (0.01, "1 %"),
        (0.5, "50 %"),
        (0.99, "99 %"),
        (0.995, "> 99 %"),
        (1.0, "100 %"),
    ],
)
def test_a_chance_in_percent(chance: float, words: str) -> None:
    assert percent(chance) == words


class Odds:
    """Odds with these numbers."""

    mean = 2.25

    def __init__(self, known: bool, destroys: float) -> None:
        self.left_known, self.destroys = known, destroys

    def to_json(self) -> Data:
        return {"destroys": self.destroys}


@pytest.mark.rule("TMG-ATK-12")
def test_what_may_be_expected() -> None:
    assert expected(None) == ""
    assert expected(Odds(True, 0.25)) == "about 2.2 wounds with panic · destroys 25 %"
    assert expected(Odds(False, 0.25)) == expected(Odds(True, 0.0)) == "about 2.2 wounds with panic"


@pytest.mark.rule("TMG-CHG-4")
def test_a_charge_that_hardly_is_allowed_is_no_best_chance() -> None:
    sure, hardly = Answer("yes", (), 1.0, 1.0), Answer("unsure", ("TMG-CHG-4",), -0.3, 0.02)
    told = [(allowed(one), if_allowed(one, "100 %")) for one in map(Judged, (sure, hardly))]
    assert told == [(1.0, "100 %"), (0.02, "100 % if allowed")]


class Judged(NamedTuple):
    answer: Answer


@pytest.mark.rule("TMG-CHG-4", "TMG-CHG-2")
@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (Answer("yes", (), 1.0, 1.0), None),
        (Answer("unsure", ("TMG-CHG-4",), -0.1, 0.31), "Too close to call: 31 % yes."),
        (Answer("no", ("TMG-CHG-4",), -1.26, 0.0), "1.3″ too far"),
        (Answer("no", ("TMG-CHG-4",), 0.0, 0.0), "the target is farther than its longest charge"),
        (
            Answer("no", ("TMG-CHG-2", "TMG-LOS-4"), -1.0, 0.0),
            "the target is not in its line of sight",
        ),
        (Answer("no", ("TMG-XXX-1",), None, 0.0), "the rules do not allow it here"),
    ],
)
def test_why_something_is_not_offered(answer: Answer, reason: str | None) -> None:
    found = verdict(answer)
    assert found.get("reason") == reason
    assert (found["verdict"], found["rules"]) == (answer.verdict, answer.why)


@pytest.mark.rule("TMG-TEAM-7")
def test_a_seat_goes_by_its_players(state: GameState) -> None:
    assert seat_name("blue", state.players) == "Blue"
    two = (replace(state.players[0], id="Anna"), replace(state.players[0], id="Boris"))
    assert seat_name("blue", two) == "Anna & Boris"
    assert seat_name("red", two) == "Red"


@pytest.mark.rule("TMG-WND-2", "TMG-CON-1", "TMG-INF-1", "TMG-MODE-FAB-3")
def test_what_lies_on_a_tray() -> None:
    battle = battle_of("GOT").do("effect", unit="b1", name="Rage", until="round")
    battle.do("engage", unit="b1", **{"with": ["r1"]})
    unit = replace(
        battle.unit("b1"),
        tokens=("vulnerable",),
        marked=True,
        vp_tokens=2,
        influence=(("rn1", "red"),),
        abilities_lost=True,
        per_model=2,
        wounds=5,
    )
    views = {one.id: one for one in SCREEN.pieces(battle.state.with_unit(unit))}
    assert [(one.text, one.icon, one.tone) for one in views["b1"].badges] == [
        ("Vulnerable", "shield", "bad"),
        ("Marked", "flag", "warn"),
        ("2 VP tokens", "crown", "warn"),
        ("Influenced by Cersei", "letter", ""),
        ("No abilities", "cross", "bad"),
        ("Rage", "star", ""),
    ]
    assert views["b2"].badges == ()
    assert views["b1"].lines[-2:] == (
        "1 wound on the next model",
        f"Engaged with {CROSSBOWS}",
    )
    texts = [choice.text for choice in views["b1"].corrections]
    assert texts[:5] == [
        "A card or ability lets it act",
        "1 wound more",
        "1 wound fewer",
        "It has acted this round",
        "Panicked",
    ]
    assert texts[5] == "No longer Vulnerable"
    given = [dict(choice.commands[0]) for choice in views["b1"].corrections[1:4]]
    assert [one.get("wounds") for one in given] == [6, 4, None]
    assert given[2]["activated"] is True
    fresh = [choice.text for choice in views["b2"].corrections]
    assert fresh[1:3] == ["1 wound more", "It has acted this round"]
    gone = battle.do("wounds", unit="r2", wounds=12, by="blue").state
    lost = next(one for one in SCREEN.pieces(gone) if one.id == "r2")
    assert lost.state == "lost"
    assert [dict(one.commands[0])["wounds"] for one in lost.corrections] == [11]


# -- a new game -----------------------------------------------------------------------------------


@pytest.mark.rule("TMG-SET-1")
def test_a_draft_with_everything_in_it() -> None:
    draft: Data = {
        "game": {"mode": "SOS", "points": 30, "shape": "team", "unchecked": True},
        "seats": [{"id": "blue", "name": "Anna", "team": "north"}, {"id": "red"}],
        "armies": {"blue": "one", "red": "two"},
        "begin": {"first": "red", "defender": "blue"},
        "board": {"of": "board"},
        "terrain": {},
        "tokens": {"of": "tokens"},
    }
    assert SCREEN.set_up("tmg-2021", draft) == {
        "do": "set-up",
        "game": "tmg-2021",
        "mode": "SOS",
        "points": 30,
        "shape": "team",
        "armies": [
            {"side": "north", "list": "one", "player": "Anna"},
            {"side": "red", "list": "two"},
        ],
        "unchecked": True,
        "ready": True,
        "first": "red",
        "defender": "blue",
        "table": {"of": "tokens"},
    }
    plain = SCREEN.set_up("tmg-2021", {"game": {"mode": "none such"}})
    assert plain["mode"] == "GOT"
    assert (plain["points"], plain["shape"]) == (40, "duel")
    assert [one["side"] for one in plain["armies"]] == ["blue", "red"]
    assert not {"unchecked", "ready", "first", "defender", "table"} & set(plain)


@pytest.mark.rule("TMG-SET-1", "TMG-MODE-SOS-1", "TMG-MODE-COK-2")
@pytest.mark.parametrize(
    ("game", "mode", "asked"),
    [("tmg-2021", "GOT", 1), ("tmg-2021", "SOS", 2), ("tmg-2018", "WOW", 1)],
)
def test_the_steps_of_a_new_game(game: str, mode: str, asked: int) -> None:
    steps = {one.id: one for one in SCREEN.steps(game, {"game": {"mode": mode}})}
    laid = ["tags", "terrain", "tokens", "place"]
    assert list(steps) == ["game", "seats", "armies", *laid, "begin"]
    assert len(steps["begin"].entries) == asked
    assert [one.value for one in steps["game"].entries] == [mode, 40, "duel"]
    assert [one.id for one in steps.values() if one.optional] == laid
    assert [one.text for one in steps["begin"].problems] == ["every player needs an army"]


# -- the report of a table ------------------------------------------------------------------------


@pytest.mark.rule("TMG-CHG-4", "TMG-RNG-10")
def test_each_number_that_forbids_is_explained_once_in_order() -> None:
    no = {"answer": "no", "why": ["TMG-CHG-10", "TMG-CHG-4"]}
    report = {"units": {"b1": {"charges": {"r1": no}, "moves": {"march": {"why": ["TMG-MAR-1"]}}}}}
    words = {"TMG-CHG-10": "no pivot", "TMG-CHG-4": "too far", "TMG-MAR-1": "TMG-MAR-1"}
    assert list(meanings(report, lambda rule: words[rule])) == [
        "TMG-CHG-4   too far",
        "TMG-CHG-10  no pivot",
    ]
    assert list(meanings({"units": {}}, str)) == []
    assert natural("TMG-CHG-10") == ("TMG-CHG", 10)
    assert natural("house rule") == ("", 0)


@pytest.mark.rule("TMG-CHG-4", "TMG-MAN-1")
def test_a_report_as_text() -> None:
    table = Table.load(TOYS / "two.table.json")
    units: Data = {
        "r1": {
            "charges": {
                "b1": {
                    "answer": "unsure",
                    "probability": 0.5,
                    "why": [],
                    "zone": "front",
                    "distance": 7.0,
                    "needs": 1,
                    "chance": 1.0,
                }
            },
            "moves": {
                "march": {"answer": "yes", "why": []},
                "retreat": {"answer": "no", "why": ["TMG-RET-1"]},
            },
        }
    }
    report = {"table": "two", "game": "tmg-2021", "units": units}
    text = report_text(table, report, lambda *attack: None, lambda rule: "it is not engaged")
    rows = text.splitlines()
    assert rows[0] == "two: tmg-2021, 2 units"
    assert rows[1] == "r1 Lannister Guardsmen (red)"
    assert (
        rows[2].split()
        == (
            "charge b1 Stark Sworn Swords 7.0″ into its front arc, any roll, 100 %; "
            "too close to call, 50 % yes"
        ).split()
    )
    assert [row.split() for row in rows[3:5]] == [
        ["may", "march"],
        ["no", "retreat", "(TMG-RET-1)"],
    ]
    assert rows[-1] == "TMG-RET-1  it is not engaged"


@pytest.mark.rule("TMG-ARM-1")
def test_what_an_army_list_lacks_is_said_for_its_seat() -> None:
    texts = {
        "blue": "Faction: stark\nPoints: 40\n• Stark Bowmen (6)\n• nobody at all (3)",
        "red": "",
    }
    step = next(one for one in SCREEN.steps("tmg-2021", {"armies": texts}) if one.id == "armies")
    assert [(one.seat, bool(one.text)) for one in step.problems] == [("blue", True), ("red", True)]
    assert step.problems[1].text == "no army yet"


@pytest.mark.rule("TMG-PAN-2")
def test_a_test_tells_the_sum_that_was_rolled() -> None:
    assert summed(6, 4) == "6 − 2 = 4"
    assert summed(2, 0, -3) == "2 − 3 → 0", "TMG-DIC-2"
    assert summed(6, 4, -2) == "6 − 2 = 4"
    assert summed(6, 7) == "6 + 1 = 7"
    assert summed(6, 6) == "6"
    assert summed(0, 5) == "5", "older games tell no total"
