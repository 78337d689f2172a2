"""Which attack a unit makes, what a panic test shares with every morale test, the charge bonus."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.tmg.play import PLAY
from models import Attack
from tests.play.battle import LANNISTER, STARK, Battle

EDITIONS = ("2021", "2018")
SWORDS = Attack("Swords", "melee", 4, (7, 5, 4))
AXES = Attack("Axes", "melee", 3, (4, 3, 2), ("Critical Blow",))
BOWS = Attack("Bows", "long", 3, (6, 4, 2))
SLINGS = Attack("Slings", "short", 4, (5, 3, 1))


def armed(*attacks: Attack, **facts: Any) -> dict[str, Any]:
    unit = {"name": "Scouts", "cost": 5, "attacks": [one.to_json() for one in attacks], **facts}
    return {**STARK, "units": [unit, unit, unit]}


def ready(year: str, *attacks: Attack, **facts: Any) -> Battle:
    return Battle("GOT", year, armies=[armed(*attacks, **facts), LANNISTER]).deployed()


# -- melee or ranged --------------------------------------------------------------------------


@pytest.mark.rule("TMG-RNG-1")
@pytest.mark.parametrize("year", EDITIONS)
def test_a_free_unit_shoots_and_an_engaged_one_fights(year: str) -> None:
    battle = ready(year, SWORDS, BOWS).do("activate", unit="b1")
    battle.do("action", action="attack", target="r1")
    shown = battle.view()["attack"]
    assert (shown["weapon"], shown["kind"], shown["dice"], shown["hit"]) == ("Bows", "long", 6, 3)

    battle = ready(year, SWORDS, BOWS).do("engage", unit="b1", **{"with": ["r1"]})
    battle.do("activate", unit="b1").do("action", action="attack", target="r1")
    shown = battle.view()["attack"]
    assert (shown["weapon"], shown["kind"], shown["dice"]) == ("Swords", "melee", 7)


@pytest.mark.rule("TMG-RNG-1")
@pytest.mark.parametrize("year", EDITIONS)
def test_the_choice_of_one_kind_excludes_the_other(year: str) -> None:
    battle = ready(year, SWORDS, BOWS).do("activate", unit="b1")
    battle.refused("TMG-MEL-1", "action", action="attack", target="r1", ranged=False)
    battle.refused("TMG-CARD-2", "action", action="attack", target="r1", weapon="Swords")
    battle.do("action", action="attack", target="r1", ranged=True)
    assert battle.view()["attack"]["kind"] == "long"

    battle = ready(year, SWORDS, BOWS).do("engage", unit="b1", **{"with": ["r1"]})
    battle.do("activate", unit="b1")
    battle.refused("TMG-RNG-2", "action", action="attack", target="r1", ranged=True)
    battle.refused("TMG-CARD-2", "action", action="attack", target="r1", weapon="Bows")


@pytest.mark.rule("TMG-RNG-1", "TMG-RNG-3", "TMG-MEL-2")
def test_who_has_one_kind_only_has_no_choice() -> None:
    battle = ready("2021", SWORDS).do("activate", unit="b1")
    battle.refused("TMG-MEL-1", "action", action="attack", target="r1")
    battle.refused("TMG-RNG-3", "action", action="attack", target="r1", ranged=True)
    battle = ready("2021", BOWS).do("engage", unit="b1", **{"with": ["r1"]})
    battle.do("activate", unit="b1")
    battle.refused("TMG-MEL-2", "action", action="attack", target="r1")


@pytest.mark.rule("TMG-RNG-1", "TMG-CARD-2")
def test_of_several_attacks_of_a_kind_the_named_one_is_made() -> None:
    battle = ready("2021", BOWS, SLINGS, SWORDS, AXES).do("activate", unit="b1")
    battle.do("action", action="attack", target="r1", weapon="slings")
    assert (battle.view()["attack"]["weapon"], battle.view()["attack"]["dice"]) == ("Slings", 5)
    battle = ready("2021", BOWS, SLINGS, SWORDS, AXES)
    battle.do("engage", unit="b1", **{"with": ["r1"]}).do("activate", unit="b1")
    battle.do("action", action="attack", target="r1", weapon="Axes")
    assert battle.view()["attack"]["abilities"] == ["critical-blow"]


# -- the charge bonus -------------------------------------------------------------------------


def charged(face: int, **facts: Any) -> Battle:
    battle = ready("2021", AXES, abilities=["Devastating Impact"], **facts)
    battle.do("activate", unit="b1")
    return battle.do("action", action="charge", zone="front", target="r1", distance=5, faces=[face])


@pytest.mark.rule("TMG-BON-2", "TMG-CHG-25")
@pytest.mark.parametrize(("face", "bonus"), [(2, True), (6, True), (1, False)])
def test_what_takes_the_charge_bonus_leaves_the_abilities(face: int, bonus: bool) -> None:
    battle = charged(face)
    shown = battle.view()["attack"]
    assert (shown["charge"], shown["charge_bonus"]) == (True, bonus)
    assert shown["abilities"] == ["critical-blow"]
    assert battle.view()["units"]["b1"]["abilities"] == ["Devastating Impact"]
    battle.do("ability", unit="b1", name="Devastating Impact", trigger="after a charge")
    battle.do("modify", what="attack", name="Devastating Impact", value=1)
    battle.do("roll", faces=[1, 1, 2, 6])
    offers = PLAY.pending(battle.state)[0].data["rerolls"]
    assert {one["because"] for one in offers} == ({"charge bonus"} if bonus else set())


@pytest.mark.rule("TMG-BON-2", "TMG-RER-1")
def test_the_charge_bonus_is_one_reroll_and_an_ability_gives_another() -> None:
    battle = charged(6).do("roll", faces=[1, 1, 2, 6])
    battle.do("reroll", side="blue", because="charge bonus", places=[0], faces=[5])
    battle.refused("TMG-RER-1", "reroll", side="blue", because="charge bonus", places=[1])
    battle.do("reroll", side="blue", because="Devastating Impact", places=[1], faces=[4])
    assert battle.view()["attack"]["rolled"] == [5, 4, 2, 6]


@pytest.mark.rule("TMG-BON-1", "TMG-BON-2")
def test_an_attack_without_a_charge_has_no_charge_bonus() -> None:
    battle = ready("2021", AXES).do("engage", unit="b1", **{"with": ["r1"]})
    battle.do("activate", unit="b1").do("action", action="attack", target="r1")
    shown = battle.view()["attack"]
    assert (shown["charge"], shown["charge_bonus"]) == (False, False)
    battle.do("roll", faces=[1, 1, 2, 6])
    assert PLAY.pending(battle.state)[0].data["rerolls"] == []
    battle.refused("TMG-BON-1", "reroll", side="blue", because="charge bonus", places=[0])


# -- a panic test is a morale test ------------------------------------------------------------


@pytest.mark.rule("TMG-PAN-1", "TMG-MOR-1")
@pytest.mark.parametrize("year", EDITIONS)
@pytest.mark.parametrize("kind", ["panic", "morale"])
def test_what_holds_for_morale_tests_holds_for_panic_tests(year: str, kind: str) -> None:
    battle = Battle("GOT", year).deployed().do("token", unit="b1", token="panicked")
    battle.do("test", unit="b1", why="a card", kind=kind, modifier=-1)
    battle.do("modify", what="test", unit="b1", name="Standard", value=2)
    (shown,) = battle.view()["panic"]
    assert shown["modifiers"] == {"a card": -1, "Standard": 2}
    assert shown["chance"] == pytest.approx(30 / 36, abs=1e-4)  # 5 or more on 2D6
    d3 = {"d3": 1} if (kind, year) == ("panic", "2021") else {}
    battle.do("panic", unit="b1", faces=[3, 2], **d3)
    offers = PLAY.pending(battle.state)[0].data["rerolls"]
    assert [(one["side"], one["because"]) for one in offers] == [("red", "panicked")]
    battle.do("reroll", side="red", because="panicked", places=[0], faces=[1])
    battle.do("continue")
    (over,) = [event for event in battle.log if event.type == "test-over"]
    assert (over.data["passed"], over.data["result"], over.data["morale"]) == (False, 4, 6)
    assert battle.unit("b1").tokens == ()
    wounds = {("panic", "2021"): 1, ("panic", "2018"): 2}
    assert battle.unit("b1").wounds == wounds.get((kind, year), 0)


@pytest.mark.rule("TMG-PAN-1", "TMG-MOR-1")
@pytest.mark.parametrize("kind", ["panic", "morale"])
@pytest.mark.parametrize(("faces", "passed"), [((3, 3), True), ((3, 2), False)])
def test_both_kinds_pass_at_the_morale_value(
    kind: str, faces: tuple[int, int], passed: bool
) -> None:
    battle = Battle().deployed().do("test", unit="b1", why="a card", kind=kind)
    d3 = {"d3": 2} if kind == "panic" else {}
    battle.do("panic", unit="b1", faces=list(faces), keep=True, **d3)
    (over,) = [event for event in battle.log if event.type == "test-over"]
    assert over.data["passed"] is passed
    assert battle.unit("b1").wounds == (2 if kind == "panic" and not passed else 0)
