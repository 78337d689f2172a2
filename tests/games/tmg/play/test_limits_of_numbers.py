"""Every number a command takes has its limits: both ends are taken, what lies beyond is refused.

A number beyond its limits is a slip of a finger: it is refused in one line that names its place,
and nothing happens.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.games.api.play import Refusal
from companion.games.tmg.play import PLAY
from companion.games.tmg.play.army.army_lists import read_list
from companion.games.tmg.play.context import CommandContext
from models import CompanionError
from tests.play.battle import LANNISTER, STARK, Battle, battle_of


def calm() -> Battle:
    return Battle().deployed()


def hurt() -> Battle:
    return calm().do("wounds", unit="r1", wounds=3)


def fighting() -> Battle:
    battle = calm().do("engage", unit="b1", **{"with": ["r1"]}).do("activate", unit="b1")
    return battle.do("action", action="attack", target="r1")


def choosing() -> Battle:
    return calm().do("activate", unit="b1")


def afraid() -> Battle:
    return calm().do("test", unit="r1", why="fear")


def scoring() -> Battle:
    battle = calm().round_over().do("objective", token="o1", unit="b2")
    return battle.finish_round().do("continue")


def on_the_wall() -> Battle:
    return battle_of("SOS", defender="red").forgo("b1").do("activate", unit="wall1")


def rich() -> Battle:
    return calm().do("activate", unit="bn1").do("claim", zone="wealth")


def winter() -> Battle:
    return battle_of("DWW")


def bare() -> Battle:
    """No terrain is placed yet."""
    battle = Battle(ready=False, first=None)
    while battle.state.step != "terrain":
        battle.do("continue")
    return battle.do("roll-off", dice={"blue": 5, "red": 2})


def beside_the_wall() -> Battle:
    battle = battle_of("HAR").do("objective", token="o2", unit="b2").round_over()
    return battle.finish_round().do("continue").do("score", confirm=True)


ARROWS = {"do": "action", "action": "arrows", "target": "b1", "dice": 3, "hit": 4}
LIMITS: dict[str, tuple[Callable[[], Battle], dict[str, Any], str, int, int]] = {
    "TMG-RND-21": (calm, {"do": "draw", "player": "blue"}, "count", 1, 20),
    "TMG-GLO-23": (calm, {"do": "wounds", "unit": "r1"}, "wounds", 1, 100),
    "TMG-GLO-21": (calm, {"do": "hits", "unit": "r1"}, "hits", 1, 60),
    "TMG-WND-5": (hurt, {"do": "heal", "unit": "r1"}, "wounds", 1, 100),
    "TMG-WND-6": (calm, {"do": "correct", "unit": "r1"}, "wounds", 0, 12),
    "TMG-MODE-FAB-6": (calm, {"do": "correct", "unit": "r1"}, "vp_tokens", 0, 35),
    "TMG-CARD-1": (calm, {"do": "correct", "unit": "r1"}, "cost", 0, 100),
    "TMG-UNT-10": (calm, {"do": "correct", "unit": "r1"}, "wounds_per_model", 1, 60),
    "TMG-RND-13": (calm, {"do": "score", "side": "blue"}, "set", 0, 200),
    "TMG-OBJ-5": (calm, {"do": "score", "side": "blue"}, "vp", -50, 50),
    "TMG-OBJ-6": (scoring, {"do": "score", "offer": 1}, "vp", 0, 50),
    "TMG-ATK-13": (fighting, {"do": "attack-result"}, "wounds", 0, 60),
    "TMG-CHG-4": (
        choosing,
        {"do": "action", "action": "charge", "target": "r1"},
        "distance",
        0,
        100,
    ),
    "TMG-PAN-2": (afraid, {"do": "panic", "faces": [6, 6]}, "d3", 1, 3),
    "TMG-TER-9": (
        choosing,
        {"do": "action", "action": "maneuver", "dangerous": True},
        "d3",
        1,
        3,
    ),
    "TMG-MODE-SOS-18": (on_the_wall, ARROWS, "dice", 1, 30),
    "TMG-ATK-2": (on_the_wall, ARROWS, "hit", 2, 6),
    "TMG-MOR-1": (afraid, {"do": "panic"}, "total", 2, 12),
    "TMG-PAN-1": (afraid, {"do": "panic", "faces": [6, 6]}, "test", 0, 10**6),
    "TMG-PAN-7": (calm, {"do": "test", "unit": "r1", "why": "fear"}, "modifier", -20, 20),
    "TMG-PAN-4": (calm, {"do": "test", "unit": "r1", "why": "fear"}, "extra", -20, 20),
    "TMG-ABL-5": (fighting, {"do": "modify", "what": "dice", "name": "rage"}, "value", -20, 20),
    "TMG-ZON-3": (rich, {"do": "zone-effect", "unit": "b1"}, "heal", 0, 3),
    "TMG-MODE-DWW-10": (winter, {"do": "mission", "side": "blue", "mission": "1"}, "vp", 0, 20),
    "TMG-SET-10": (bare, {"do": "terrain", "random": True}, "d3", 1, 3),
    "TMG-MODE-HAR-8": (beside_the_wall, {"do": "wall-hits"}, "d3", 1, 3),
    "TMG-TER-12": (calm, {"do": "ground", "holds": True}, "task", 0, 10**6),
}


@pytest.mark.parametrize(
    "rule", [pytest.param(rule, marks=pytest.mark.rule(rule)) for rule in LIMITS]
)
def test_a_number_is_taken_up_to_its_limits_and_no_farther(rule: str) -> None:
    state, command, key, low, high = LIMITS[rule]
    battle = state()
    for value in (low, high):
        PLAY.decide(battle.state, {**command, key: value})  # done, or refused by a rule
    for value in (low - 1, high + 1):
        with pytest.raises(CompanionError, match=key) as found:
            PLAY.decide(battle.state, {**command, key: value})
        assert "\n" not in str(found.value)


@pytest.mark.parametrize(
    ("state", "word", "fields", "told"),
    [
        pytest.param(
            bare,
            "terrain",
            {"random": True, "piece": "bog"},
            "5 terrain pieces will be placed",
            marks=pytest.mark.rule("TMG-SET-10"),
        ),
        pytest.param(
            beside_the_wall,
            "wall-hits",
            {},
            "the castle wall strikes b2: 3 + 2",
            marks=pytest.mark.rule("TMG-MODE-HAR-8"),
        ),
    ],
)
def test_the_companion_rolls_a_d3_with_three_faces(
    monkeypatch: pytest.MonkeyPatch,
    state: Callable[[], Battle],
    word: str,
    fields: dict[str, Any],
    told: str,
) -> None:
    """Every die shows its highest face: that of a D3 is a 3."""
    battle = state()
    monkeypatch.setattr(CommandContext, "dice", lambda _, count, faces=6: [faces] * count)
    assert told in battle.do(word, **fields).titles


@pytest.mark.rule("TMG-ARM-1", "TMG-MODE-SOS-3")
@pytest.mark.parametrize(("key", "low", "high"), [("points", 1, 1000), ("wall_wounds", 1, 60)])
def test_numbers_of_a_set_up_have_limits(key: str, low: int, high: int) -> None:
    command: dict[str, Any] = {"do": "set-up", "mode": "SOS", "armies": [STARK, LANNISTER]}
    command |= {"unchecked": True, "first": "blue"}
    for value in (low, high):
        assert not isinstance(PLAY.prepare("tmg-2021", {**command, key: value}), Refusal)
    for value in (low - 1, high + 1):
        with pytest.raises(CompanionError, match=key):
            PLAY.prepare("tmg-2021", {**command, key: value})


@pytest.mark.rule("TMG-ARM-1")
def test_a_pasted_text_of_100000_letters_is_read_and_a_longer_one_is_not() -> None:
    text = "Faction: House Stark\n" + "\n" * 100_000
    assert read_list(text[:100_000], "tmg-2021").faction == "stark"
    with pytest.raises(CompanionError, match="too long"):
        read_list(text[:100_001], "tmg-2021")


Army = dict[str, Any]
UNIT: Army = {"name": "Own Guards", "cost": 5}
TEXTS: dict[str, tuple[Callable[[str], Army], int]] = {
    "side": (lambda text: {"side": text}, 30),
    "player": (lambda text: {"player": text}, 30),
    "faction": (lambda text: {"faction": text}, 40),
    "commander": (lambda text: {"commander": text}, 80),
    "cards": (lambda text: {"cards": [text]}, 80),
    "unit": (lambda text: {"units": [{**UNIT, "name": text}]}, 80),
    "id": (lambda text: {"units": [{**UNIT, "id": text}]}, 80),
    "ability": (lambda text: {"units": [{**UNIT, "abilities": [text]}]}, 80),
    "attachment": (lambda text: {"units": [{**UNIT, "attachments": [text]}]}, 80),
    "attached": (
        lambda text: {"units": [{**UNIT, "attachments": [{"name": "Own", "abilities": [text]}]}]},
        80,
    ),
    "ncu": (lambda text: {"ncus": [{"name": text}]}, 80),
    "ncu-id": (lambda text: {"ncus": [{"name": "Own", "id": text}]}, 30),
}
LISTS: dict[str, tuple[Callable[[int], Army], int]] = {
    "units": (lambda count: {"units": [UNIT] * count}, 60),
    "ncus": (lambda count: {"ncus": [{"name": f"N{one}"} for one in range(count)]}, 30),
    "cards": (lambda count: {"cards": [f"C{one}" for one in range(count)]}, 40),
    "abilities": (
        lambda count: {"units": [{**UNIT, "abilities": [f"A{one}" for one in range(count)]}]},
        40,
    ),
    "attachments": (
        lambda count: {"units": [{**UNIT, "attachments": [f"A{one}" for one in range(count)]}]},
        12,
    ),
}
NUMBERS = {
    "cost": (0, 100),
    "wounds_per_model": (1, 60),
    "speed": (0, 24),
    "defense": (1, 7),
    "morale": (1, 13),
}


def prepared(army: Army) -> None:
    """A game with an army entered by hand."""
    own = {"side": "blue", "units": [UNIT], "ncus": [], **army}
    command = {"do": "set-up", "mode": "GOT", "armies": [own, LANNISTER], "unchecked": True}
    assert not isinstance(PLAY.prepare("tmg-2021", command), Refusal)


@pytest.mark.rule("TMG-ARM-1")
@pytest.mark.parametrize("key", TEXTS)
def test_a_name_is_taken_up_to_its_length_and_no_farther(key: str) -> None:
    made, most = TEXTS[key]
    prepared(made("x" * most))
    with pytest.raises(CompanionError) as found:
        prepared(made("x" * (most + 1)))
    assert "\n" not in str(found.value)


@pytest.mark.rule("TMG-ARM-1")
@pytest.mark.parametrize("key", LISTS)
def test_a_list_of_an_army_is_taken_up_to_its_length_and_no_farther(key: str) -> None:
    made, most = LISTS[key]
    prepared(made(most))
    with pytest.raises(CompanionError, match=key):
        prepared(made(most + 1))


@pytest.mark.rule("TMG-ARM-1", "TMG-CARD-1")
@pytest.mark.parametrize("key", NUMBERS)
def test_a_number_of_an_own_unit_is_taken_up_to_its_limits(key: str) -> None:
    low, high = NUMBERS[key]
    for value in (low, high):
        prepared({"units": [{**UNIT, key: value}]})
    for value in (low - 1, high + 1):
        with pytest.raises(CompanionError, match=key):
            prepared({"units": [{**UNIT, key: value}]})
