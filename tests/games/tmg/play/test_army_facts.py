"""What the catalogue does not tell of an army is asked for, kept, and counted."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.games.api.army_building import Unknown
from companion.games.api.play import Refusal
from companion.games.tmg.cards.army import Army, cards_of
from companion.games.tmg.cards.army_catalogue import army_catalogue
from companion.games.tmg.play import PLAY
from companion.games.tmg.play.army.army_builder import enlisted
from companion.games.tmg.play.army.army_lists import WRITERS, read_list
from companion.games.tmg.play.army.army_rules import check, cost, notes, unknowns
from companion.games.tmg.play.flow.victory import verdict
from companion.games.tmg.play.names import names_of
from companion.games.tmg.screen import SCREEN
from companion.text.agreement import agreed, english
from models import CompanionError, UnitCard
from tests.play.battle import Battle

GAME = "tmg-2018"
LIST = """Faction: Stark
Commander: Opportunist

Combat Units:
• Stark Sworn Swords (5)
  with Opportunist (0)
• Stark Outriders (7)
• Grey Wind (0) [4 wounds]

Non-Combat Units:
• Family, Duty, Honor (4)
"""
FOES = """Faction: Lannister
Commander: Inhuman Strength

Combat Units:
• Lannister Guards (5)
  with Inhuman Strength (0)
• Gregor Clegane, The Mountain That Rides (8) [6 Wunden]
"""


def broken(text: str, points: int = 40) -> list[str]:
    return [one.why for one in check(read_list(text, GAME, points))]


def set_up(**asked: Any) -> dict[str, Any]:
    armies = [{"side": "blue", "list": LIST}, {"side": "red", "list": FOES}]
    return {"do": "set-up", "mode": "GOT", "armies": armies, "ready": True, "first": "blue"} | asked


def refused(command: dict[str, Any], game: str = GAME) -> str:
    found = PLAY.prepare(game, command)
    assert isinstance(found, Refusal), "was not refused"
    return found.why


@pytest.mark.rule("TMG-ARM-1", "TMG-ARM-3", "TMG-ARM-5")
def test_a_2018_list_is_read_with_its_points_wounds_and_commander() -> None:
    army = read_list(LIST, GAME, 40)
    assert cost(army) == 5 + 0 + 7 + 0 + 4
    assert dict(army.wounds) == {"grey-wind": 4}
    assert army.commander == "opportunist"
    assert check(army) == ()
    assert broken(LIST, 15) == ["TMG-ARM-1"]


@pytest.mark.rule("TMG-ARM-3")
def test_an_unknown_cost_is_asked_for() -> None:
    assert broken(LIST.replace("Grey Wind (0)", "Grey Wind")) == ["TMG-ARM-3"]


@pytest.mark.rule("TMG-WND-1")
@pytest.mark.parametrize("told", ["", " [0 wounds]", " [61 wounds]"])
def test_unknown_wounds_are_asked_for(told: str) -> None:
    assert broken(LIST.replace(" [4 wounds]", told)) == ["TMG-WND-1"]


@pytest.mark.rule("TMG-ARM-3")
def test_impossible_points_are_not_taken_over() -> None:
    assert broken(LIST.replace("Outriders (7)", "Outriders (700)")) == ["TMG-ARM-3"]


@pytest.mark.rule("TMG-ARM-5")
@pytest.mark.parametrize("line", ["", "Commander: Nobody at all\n"])
def test_an_unknown_commander_is_asked_for(line: str) -> None:
    assert broken(LIST.replace("Commander: Opportunist\n", line)) == ["TMG-ARM-5"]


@pytest.mark.rule("TMG-ARM-4", "TMG-ATM-4", "TMG-ATM-5", "TMG-ARM-9", "TMG-ARM-14")
@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("• Stark Outriders (7)", "• Lannister Guards (5)", "TMG-ARM-4"),
        ("with Opportunist (0)", "with Opportunist (0)\n  with Hodor!!! (1)", "TMG-ATM-4"),
        ("• Grey Wind", "  with Hodor!!! (1)\n• Grey Wind", "TMG-ATM-5"),
        ("• Grey Wind (0)", "• Grey Wind (0)\n• Grey Wind (0)", "TMG-ARM-9"),
        ("• Grey Wind", "• House Bolton Cutthroats (21)\n• Grey Wind", "TMG-ARM-14"),
    ],
)
def test_2018_lists_are_checked(old: str, new: str, rule: str) -> None:
    assert broken(LIST.replace(old, new)) == [rule]


@pytest.mark.rule("TMG-ARM-3", "TMG-WND-1")
@pytest.mark.parametrize("form", sorted(WRITERS))
def test_what_players_told_is_kept_in_every_form(form: str) -> None:
    army = read_list(LIST, GAME, 40)
    again = read_list(WRITERS[form](army), GAME, 40)
    assert again == army
    assert Army.parse(army.text()) == army


@pytest.mark.rule("TMG-ARM-3")
def test_a_second_number_for_the_same_card_is_asked_about() -> None:
    twice = LIST.replace("• Stark Outriders (7)", "• Stark Outriders (7)\n• Stark Outriders (6)")
    problems = [one.say for one in check(read_list(twice, GAME, 40))]
    assert any("costs 7, the list says 6" in one for one in problems)


def bare_units(army: Army) -> list[UnitCard]:
    return [one for one in cards_of(army).cards if isinstance(one, UnitCard)]


@pytest.mark.rule("TMG-ARM-3", "TMG-ARM-5", "TMG-WND-1")
def test_questions_and_answers() -> None:
    bare = replace(read_list(LIST, GAME, 40), costs=(), wounds=(), commander="")
    asked = unknowns(cards_of(bare))
    assert Unknown("grey-wind", "Grey Wind", "wounds") in asked
    (commander,) = [one for one in asked if one.what == "commander"]
    assert "opportunist" in commander.cards
    plain = {one.id for one in bare_units(bare) if not one.character}
    assert plain
    assert not plain & set(commander.cards), "who cannot command is not offered (TMG-CMD-3)"
    army = bare
    for one in asked:
        answers: dict[str, int | str] = {"cost": 3, "wounds": 2, "commander": "opportunist"}
        army = PLAY.army_answered(army, one, answers[one.what])
    assert PLAY.army_unknowns(army) == ()
    assert check(army) == ()


@pytest.mark.rule("TMG-WND-1", "TMG-UNT-10")
def test_wounds_per_model_reach_the_game() -> None:
    setup = PLAY.prepare(GAME, set_up())
    assert not isinstance(setup, Refusal), setup
    state = PLAY.start(GAME, setup)
    assert [unit.total for unit in state.units] == [12, 12, 4, 12, 6]
    assert state.unit("b2").per_model == 3  # the book's own example


@pytest.mark.rule("TMG-VIC-8", "TMG-VIC-9", "EX-58")
@pytest.mark.parametrize(("unit", "points"), [("b3", 0), ("b2", 1)])
def test_2018_points_of_the_list_decide_who_gives_a_point(unit: str, points: int) -> None:
    armies = [{"side": "blue", "list": LIST}, {"side": "red", "list": FOES}]
    battle = Battle("GOT", "2018", armies=armies, unchecked=False).deployed()
    battle.do("wounds", unit=unit, wounds=60, by="red")
    assert battle.vp() == (0, points)


@pytest.mark.rule("TMG-ARM-3", "TMG-WND-1")
def test_a_set_up_takes_what_its_list_lacks() -> None:
    bare = LIST.replace(" (0) [4 wounds]", "").replace("Commander: Opportunist\n", "")
    lacking: dict[str, Any] = {"side": "blue", "list": bare}
    foes = {"side": "red", "list": FOES}
    assert refused(set_up(armies=[lacking, foes])) == "TMG-ARM-3"
    lacking = {**lacking, "costs": {"Grey Wind": 0}}
    assert refused(set_up(armies=[lacking, foes])) == "TMG-ARM-5"
    lacking = {**lacking, "commander": "Opportunist"}
    assert refused(set_up(armies=[lacking, foes])) == "TMG-WND-1"
    lacking = {**lacking, "wounds": {"grey-wind": 4}}
    assert not isinstance(PLAY.prepare(GAME, set_up(armies=[lacking, foes])), Refusal)


@pytest.mark.rule("TMG-ARM-3", "TMG-WND-1")
def test_an_army_that_is_not_checked_says_so_in_the_report() -> None:
    bare = LIST.replace(" [4 wounds]", "").replace("Outriders (7)", "Outriders")
    armies = [{"side": "blue", "list": bare}, {"side": "red", "list": FOES}]
    battle = Battle("GOT", "2018", armies=armies, unchecked=True).deployed()
    told = PLAY.occasion(battle.state)
    assert "armies not checked" in told
    assert "counted as 0: Stark Outriders" in told
    assert "counted as 1: Grey Wind" in told
    assert battle.view()["units"]["b3"]["not_known"] == ["wounds"]
    battle.do("correct", unit="b3", wounds_per_model=4).do("correct", unit="b2", cost=7)
    assert (battle.unit("b3").total, battle.unit("b2").points) == (4, 7)
    assert PLAY.occasion(battle.state).endswith("armies not checked")
    assert battle.folded() == battle.state
    assert "not checked" not in PLAY.occasion(Battle().state)


@pytest.mark.rule("TMG-VIC-8")
def test_2018_an_unknown_cost_is_named_when_it_matters() -> None:
    bare = LIST.replace("Outriders (7)", "Outriders")
    armies = [{"side": "blue", "list": bare}, {"side": "red", "list": FOES}]
    battle = Battle("GOT", "2018", armies=armies, unchecked=True).deployed()
    battle.do("wounds", unit="b2", wounds=12, by="red")
    assert any("TMG-VIC-8" in one for one in battle.answer["reminders"])
    assert battle.vp() == (0, 1)


@pytest.mark.rule("TMG-VIC-5", "TMG-VIC-8")
def test_2018_a_destroyed_unit_of_a_ready_army_gives_a_point() -> None:
    first, second, *_ = (text for _, text in PLAY.ready_armies(GAME, 40))
    armies = [{"side": "blue", "list": first}, {"side": "red", "list": second}]
    battle = Battle("GOT", "2018", armies=armies, unchecked=False).deployed()
    battle.do("wounds", unit="r1", wounds=60, by="blue")
    assert any("TMG-VIC-8" in one for one in battle.answer["reminders"])
    assert battle.vp() == (1, 0)
    assert SCREEN.score(battle.state).seats[0].detail == "points of the units not known"
    level = replace(
        battle.state, round=6, sides=tuple(replace(s, vp=1) for s in battle.state.sides)
    )
    assert verdict(level) == (
        "draw",
        "points are equal, those of the units are not known: count them (TMG-VIC-5)",
    )


@pytest.mark.rule("TMG-VIC-8", "TMG-UNT-10")
def test_2018_what_nobody_knew_is_known_once_the_players_say_it() -> None:
    bare = LIST.replace("Outriders (7)", "Outriders")
    armies = [{"side": "blue", "list": bare}, {"side": "red", "list": FOES}]
    battle = Battle("GOT", "2018", armies=armies, unchecked=True).deployed()
    assert "cost" in battle.unit("b2").assumed
    battle.do("correct", unit="b2", wounds=1)
    assert "cost" in battle.unit("b2").assumed
    battle.do("correct", unit="b2", cost=7)
    assert "cost" not in battle.unit("b2").assumed
    assert (battle.unit("b2").cost, battle.unit("b2").wounds) == (7, 1)
    battle.do("correct", unit="b2", wounds_per_model=3)
    assert battle.unit("b2").assumed == ()
    assert battle.unit("b2").per_model == 3
    assert battle.view()["units"]["b2"].get("not_known", []) == []
    battle.do("wounds", unit="b2", wounds=battle.unit("b2").total, by="red")
    assert not any("TMG-VIC-8" in one for one in battle.answer.get("reminders", []))


@pytest.mark.rule("TMG-ARM-3")
@pytest.mark.parametrize(
    ("told", "place"),
    [
        ({"costs": {"Grey Wnd": 3}}, "Grey Wind"),
        ({"costs": {"Grey Wind": -1}}, "costs.Grey Wind"),
        ({"costs": [3]}, "costs"),
        ({"wounds": {"Stark Outriders": 2}}, "wounds.Stark Outriders"),
        ({"wounds": {"Grey Wind": 0}}, "wounds.Grey Wind"),
        ({"wounds": {"Opportunist": 3}}, "wounds.Opportunist"),
    ],
)
def test_wrong_numbers_are_refused_by_their_place(told: dict[str, Any], place: str) -> None:
    armies = [{"side": "blue", "list": LIST, **told}, {"side": "red", "list": FOES}]
    with pytest.raises(CompanionError) as found:
        PLAY.prepare(GAME, set_up(armies=armies))
    assert place in str(found.value)
    assert "\n" not in str(found.value)


# -- armies written out -----------------------------------------------------------------------

SWORDS = {"card": "Stark Sworn Swords"}
Z = {"name": "Z", "cost": 1}
ROBB = {"name": "Robb", "commander": True}


def written(*units: Any, **more: Any) -> dict[str, Any]:
    army = {"side": "blue", "faction": "stark", "units": list(units), **more}
    foe = {"side": "red", "units": [{"name": "foes", "cost": 5, "commander": True}]}
    return {"do": "set-up", "mode": "GOT", "armies": [army, foe]}


@pytest.mark.rule("TMG-ARM-1", "TMG-ARM-4", "TMG-ARM-5", "TMG-ARM-6", "TMG-ATM-3", "TMG-ATM-4")
@pytest.mark.parametrize(
    ("units", "more", "rule"),
    [
        ([{**SWORDS, "cost": 41, "commander": True}], {}, "TMG-ARM-1"),
        (
            [{**SWORDS, "attachments": [{"name": "X", "cost": 36}], "commander": True}],
            {},
            "TMG-ARM-1",
        ),
        ([{**SWORDS, "commander": True}], {"ncus": [{"name": "N", "cost": 36}]}, "TMG-ARM-1"),
        ([SWORDS], {}, "TMG-ARM-5"),
        ([{**SWORDS, "commander": True}, {**SWORDS, "attachments": [ROBB]}], {}, "TMG-ARM-5"),
        (
            [{**SWORDS, "commander": True}],
            {"ncus": [{"name": "N", "commander": True}]},
            "TMG-ARM-5",
        ),
        ([SWORDS], {"commander": "Robb Stark"}, "TMG-ARM-6"),
        ([{**SWORDS, "attachments": [ROBB, {"name": "Y", "cost": 1}]}], {}, "TMG-ATM-4"),
        ([{**SWORDS, "commander": True}, {"card": "Lannister Guardsmen"}], {}, "TMG-ARM-4"),
        (
            [{**SWORDS, "commander": True}, {"tray": "solo", "cost": 4, "attachments": [Z]}],
            {},
            "TMG-ATM-3",
        ),
        ([{**SWORDS, "commander": True}, "Grey Wind", "Grey Wind"], {}, "TMG-ARM-9"),
    ],
)
def test_written_armies_are_checked_like_lists(units: list[Any], more: Any, rule: str) -> None:
    command = written(*units, **more)
    assert refused(command, "tmg-2021") == rule
    assert not isinstance(PLAY.prepare("tmg-2021", {**command, "unchecked": True}), Refusal)


@pytest.mark.rule("TMG-ARM-5")
def test_a_written_army_may_name_its_commander() -> None:
    robb = "Robb Stark, The Wolf Lord"
    setup = PLAY.prepare("tmg-2021", written({**SWORDS, "attachments": [robb]}))
    assert not isinstance(setup, Refusal), setup
    assert setup["players"][0]["units"][0]["commander"]
    plain = written({**SWORDS, "attachments": ["Somebody"]}, commander="Somebody")
    setup = PLAY.prepare("tmg-2021", plain)
    assert not isinstance(setup, Refusal), setup
    assert setup["players"][0]["units"][0]["commander"]


@pytest.mark.rule("TMG-ARM-14")
def test_a_written_army_of_no_faction_is_not_asked_for_neutral_points() -> None:
    units = [{"card": "10401", "cost": 15, "commander": True}]
    units.append({"card": "10401", "cost": 15})
    mine = {"side": "blue", "units": units}
    command = written(SWORDS) | {"armies": [mine, written(SWORDS)["armies"][1]]}
    assert not isinstance(PLAY.prepare("tmg-2021", command), Refusal)
    command["armies"][0] = {**mine, "faction": "stark"}
    assert refused(command, "tmg-2021") == "TMG-ARM-14"


@pytest.mark.rule("TMG-ARM-3", "TMG-WND-1")
def test_2018_written_units_say_what_the_catalogue_lacks() -> None:
    foe = {"side": "red", "units": [{"name": "foes", "cost": 5, "commander": True}]}

    def ask(**unit: Any) -> dict[str, Any]:
        mine = {"card": "Grey Wind", "commander": True, **unit}
        return {"do": "set-up", "mode": "GOT", "armies": [{"side": "blue", "units": [mine]}, foe]}

    assert refused(ask()) == "TMG-ARM-3"
    assert refused(ask(cost=0)) == "TMG-WND-1"
    assert not isinstance(PLAY.prepare(GAME, ask(cost=0, wounds_per_model=4)), Refusal)


def cost_problem(mine: dict[str, Any], unchecked: bool) -> str | Refusal:
    """What the report says of an army of one unit, or why it is refused."""
    foe = {"side": "red", "units": [{"name": "foes", "cost": 5, "commander": True}]}
    command = {"do": "set-up", "mode": "GOT", "armies": [{"side": "blue", **mine}, foe]}
    setup = PLAY.prepare("tmg-2021", {**command, "unchecked": unchecked})
    if isinstance(setup, Refusal):
        return setup
    return str(PLAY.occasion(PLAY.start("tmg-2021", setup)))


@pytest.mark.rule("TMG-ARM-3")
@pytest.mark.parametrize("part", ["unit", "attachment", "ncu"])
def test_a_written_card_without_a_cost_is_asked_for_it(part: str) -> None:
    def army(cost: dict[str, int]) -> dict[str, Any]:
        friend = {"name": "Friend", "type": "infantry"}
        unit: dict[str, Any] = {"name": "Guards", "cost": 5, "commander": True}
        if part == "unit":
            return {"units": [unit, {"name": "Friend", **cost}]}
        if part == "ncu":
            return {"units": [unit], "ncus": [{"name": "Friend", **cost}]}
        return {"units": [{**unit, "attachments": [{**friend, **cost}]}]}

    refusal = cost_problem(army({}), False)
    assert isinstance(refusal, Refusal)
    assert (refusal.why, refusal.say) == (
        "TMG-ARM-3",
        "blue: the cost of Friend is missing: give it as 'cost'",
    )
    said = cost_problem(army({"cost": 0}), False)
    assert isinstance(said, str)
    assert "not known" not in said
    said = cost_problem(army({}), True)
    assert isinstance(said, str)
    assert "armies not checked" in said
    assert ("points not known, counted as 0" in said) is (part != "ncu")


@pytest.mark.rule("TMG-ATM-5")
def test_an_attachment_of_unknown_type_is_named_in_the_report() -> None:
    def army(**facts: str) -> dict[str, Any]:
        friend = {"name": "Friend", "cost": 1, **facts}
        unit = {"name": "Guards", "cost": 5, "commander": True, "attachments": [friend]}
        return {"units": [unit]}

    said = cost_problem(army(), False)
    assert isinstance(said, str)
    assert said.endswith("the type that an attachment may join not known, not checked: Guards")
    said = cost_problem(army(type="infantry"), False)
    assert isinstance(said, str)
    assert "not known" not in said
    refusal = cost_problem(army(type="cavalry"), False)
    assert isinstance(refusal, Refusal)
    assert refusal.why == "TMG-ATM-5"


@pytest.mark.rule("TMG-ATM-5", edition="2018")
def test_2018_a_list_with_an_attachment_of_unknown_type_says_so() -> None:
    strange = next(one for one in army_catalogue(GAME).attachments.values() if not one.type)
    text = LIST.replace("• Grey Wind", f"  with {strange.label} (1)\n• Grey Wind")
    army = read_list(text, GAME, 40)
    (note,) = [one for one in PLAY.army_notes(army, text) if "TMG-ATM-5" in one]
    assert strange.label in note
    assert not [one for one in PLAY.army_notes(read_list(LIST, GAME, 40), LIST) if "ATM-5" in one]


@pytest.mark.rule("TMG-UNT-10", "TMG-WND-1")
def test_a_written_solo_unit_without_wounds_is_named_in_the_report() -> None:
    wolf = {"name": "Wolf", "tray": "solo", "cost": 3, "commander": True}
    guards = {"name": "Guards", "cost": 5, "commander": True}
    armies = [{"side": "blue", "units": [wolf]}, {"side": "red", "units": [guards]}]
    told = PLAY.occasion(Battle(armies=armies, unchecked=False).state)
    assert told.endswith("wounds per model not known, counted as 1: Wolf")
    armies[0] = {"side": "blue", "units": [{**wolf, "wounds_per_model": 4}]}
    assert "not known" not in PLAY.occasion(Battle(armies=armies, unchecked=False).state)


# -- what cards demand ------------------------------------------------------------------------


@pytest.mark.rule("TMG-ARM-13")
@pytest.mark.parametrize(
    ("facts", "broken_rules"),
    [
        ('[20204]\nrequires = ["Robb Stark"]\n', []),
        ('[20204]\nrequires = ["Jon Snow"]\n', ["TMG-ARM-13"]),
        ('[20204]\nexcludes = ["Jon Snow"]\n', []),
        ('[20204]\nexcludes = ["Robb Stark"]\n', ["TMG-ARM-13"]),
        ('[20204]\njoins = ["Sworn Swords"]\n', []),
        ('[20204]\njoins = ["Umber"]\n', ["TMG-ARM-13"]),
    ],
)
def test_requirements_of_cards(
    facts: str, broken_rules: list[str], tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "tmg-2021"
    folder.mkdir()
    (folder / "attachments.toml").write_text(facts, encoding="utf-8")
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    assert army_catalogue("tmg-2021").attachments["20204"]
    army = read_list("stark;10201,20201,10201,20204", "tmg-2021", 40)
    assert [one.why for one in check(army)] == broken_rules


@pytest.mark.rule("TMG-ARM-3", edition="2018")
def test_2018_a_list_without_any_points_is_not_counted() -> None:
    cards = "stark-sworn-swords,opportunist*,umber-berserkers{cost},family-duty-honor"
    bare = read_list("stark;" + cards.format(cost=""), GAME, 40)
    assert not [one for one in unknowns(cards_of(bare)) if one.what == "cost"]
    assert "not counted" in " ".join(map(str, notes(bare)))
    partly = read_list("stark;" + cards.format(cost=":7"), GAME, 40)
    assert [one for one in unknowns(cards_of(partly)) if one.what == "cost"]
    assert "not counted" not in " ".join(map(str, notes(partly)))


@pytest.mark.rule("TMG-CMD-3")
def test_cards_of_2018_whose_names_nobody_told_say_so() -> None:
    army = read_list("stark;stark-sworn-swords,opportunist,family-duty-honor", GAME)
    notes = {one.label: one.note for one in enlisted(army)}
    assert notes["Opportunist"] == "infantry · known by its ability alone"
    assert notes["Family, Duty, Honor"] == "NCU · known by its ability alone"


@pytest.mark.rule("TMG-ARM-5", "TMG-CMD-3")
def test_an_army_of_2018_without_a_commander_is_no_legal_one() -> None:
    units = read_list("stark;stark-sworn-swords,stark-sworn-swords", GAME)
    (broken_rule,) = [one for one in check(units) if one.why == "TMG-ARM-5"]
    assert not broken_rule.asks, "there is nobody who could be chosen"
    army = read_list("stark;stark-sworn-swords,family-duty-honor", GAME)
    (asked,) = [one for one in unknowns(cards_of(army)) if one.what == "commander"]
    assert asked.cards == ("family-duty-honor",)


@pytest.mark.rule("TMG-CMD-3", edition="2018")
def test_2018_another_card_may_be_named_commander() -> None:
    army = read_list("stark;stark-sworn-swords,opportunist*,family-duty-honor", GAME, 40)
    plain, leader, _ncu = enlisted(army)
    assert PLAY.question_answered(army, plain) is None
    asked = PLAY.question_answered(army, leader)
    assert asked is not None
    army = PLAY.army_answered(army, asked, "family-duty-honor")
    assert [one.label for one in enlisted(army) if one.leads] == ["Family, Duty, Honor"]
    for form in WRITERS:
        assert read_list(WRITERS[form](army), GAME, 40).commander == "family-duty-honor"
    robb = read_list("stark;10201,20201", "tmg-2021", 40)
    (printed,) = [one for one in enlisted(robb) if one.leads]
    assert PLAY.question_answered(robb, printed) is None, "the card itself is a commander"


@pytest.mark.rule("TMG-ARM-1", "TMG-ARM-14", edition="2018")
def test_2018_points_that_nobody_told_are_not_checked() -> None:
    bare = read_list("stark;stark-sworn-swords,opportunist*,umber-berserkers", GAME, 40)
    (unchecked,) = PLAY.army_unchecked(bare)
    assert "nor is their limit checked" in unchecked
    assert PLAY.army_unchecked(read_list(LIST, GAME, 40)) == ()


def test_an_ncu_that_is_known_by_its_ability_is_one() -> None:
    foes = FOES + "\nNon-Combat Units:\n• Manipulation and Deception (4)\n• Little Birds (4)\n"
    armies = [{"side": "blue", "list": LIST}, {"side": "red", "list": foes}]
    state = Battle("GOT", "2018", armies=armies, unchecked=False).state
    names = names_of(state)
    for ncu in state.ncus:
        values = {"unit": names.of(ncu.id)}
        assert english("{unit} claims {zone}", values) == "{unit} claims {zone}", values
        assert agreed("{unit:nimmt|nehmen}", values) == "nimmt", values
