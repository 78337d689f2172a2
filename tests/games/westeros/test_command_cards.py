"""Command cards, commanders and their limits."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.engine.snapshot import Snapshot
from companion.engine.turn.selection import offer_key, proposed
from companion.games.api.play import Accepted
from companion.games.westeros.screen import SCREEN
from companion.games.westeros.screen.views import card_lines
from tests.games.westeros.clash import Clash

rule = pytest.mark.rule


def game(**more: Any) -> Clash:
    stark: Any = [
        ("foot", "green", "5,2", "lord"),
        ("foot", "green", "4,2"),
        ("foot", "green", "7,2"),
        ("foot", "green", "9,2"),
        ("foot", "green", "5,4", "lady"),
    ]
    return Clash(stark, [("foot", "green", "5,8")], **more)


@rule("BOW-CRD-1", "BOW-CRD-2", "BOW-CRD-9", "BOW-CRD-10", "BOW-CRD-6")
def test_a_card_moves_tokens_to_the_commander_and_orders_units() -> None:
    battle = game().do("card", unit="s1", tokens=[1, 1], units=["s1", "s2"], name="Rally All")
    house = battle.house()
    assert (house.tokens, house.hand, house.discards, battle.unit("s1").tokens) == (1, 2, 1, 2)
    assert battle.state.acting is not None
    assert battle.state.acting.units == ("s1", "s2")
    assert "Rally All" in battle.titles[0]
    assert game().refused("card", unit="s1", tokens=[1], units=["s2", "s2"]) == "BOW-CRD-9"


@rule("BOW-CRD-2")
def test_a_paper_card_is_paid_as_its_row_says() -> None:
    """The rows for 1 and for 2 tokens were one to the screen: the second paid 1."""
    offers = SCREEN.offers(game().state, None, "s1")
    mine = [one for one in offers if "paper card" in str(one.text)]
    texts = [str(one.text) for one in mine]
    assert texts == ["Play a paper card for 1 token", "Play a paper card for 2 tokens"]
    assert len({offer_key(one) for one in mine}) == 2


@rule("BOW-CRD-1", "BOW-CRD-2", "BOW-CRD-9")
def test_the_units_of_a_paper_card_are_named_by_the_player() -> None:
    battle = game()
    cards = [one for one in battle.commands() if one["do"] == "card" and one["unit"] == "s1"]
    assert [one["tokens"] for one in cards] == [[1], [2]]
    assert not any("units" in one for one in cards)
    battle.do("card", unit="s1", tokens=[2], ask=True)
    assert (battle.waits(), battle.house().tokens) == ("card-units", 1)
    (prompt,) = SCREEN.prompts(battle.state)
    (form,) = prompt.forms
    entry, *_ = form.entries
    assert [value for value, _ in entry.options] == ["s1", "s2", "s3", "s5"]
    assert (entry.kind, entry.most, entry.required) == ("several", 4, True)
    assert [str(one) for one in form.tallies] == [f"{n} of 4" for n in range(5)]
    # No unit at all is a choice of its own, never what the golden button does by itself.
    (nobody,) = prompt.choices
    assert (nobody.commands, nobody.look) == (({"do": "units", "units": []},), "plain")
    assert battle.refused("units", units=["s4"]) == "BOW-CRD-4"
    battle.do("units", units=["s3", "s1"])
    assert battle.state.acting is not None
    assert (battle.state.acting.units, battle.state.acting.commander) == (("s3", "s1"), "s1")


CHARGE = {"id": "charge", "name": "Northern charge", "commands": [1, 2], "units": 2}


@rule("BOW-CRD-8")
def test_a_card_that_would_order_nobody_is_not_the_golden_button() -> None:
    battle = game()
    (first, *_) = [one for one in SCREEN.offers(battle.state, None, "s1") if one.kind == "cards"]
    assert not first.by_row
    for unit in ("s1", "s2", "s3", "s5"):
        battle.do("effect", unit=unit, active=False)
    cards = [one for one in SCREEN.offers(battle.state, None, "s1") if one.kind == "cards"]
    assert cards
    assert all(one.by_row for one in cards)
    shown = Snapshot(offers=tuple(cards))
    assert proposed(shown, cards) is None, "its row is there, the button proposes something else"


VOLLEY = {"id": "volley", "name": "Volley", "commands": [1], "dice": 1, "needs": ["R"]}


@rule("BOW-CRD-1", "BOW-CRD-2", "BOW-CRD-9", "BOW-CRD-10", "BOW-CRD-11")
def test_entered_cards_ask_for_commands_tactic_and_units() -> None:
    battle = game(commands=[CHARGE, VOLLEY], tokens=(4, 4), rolls=("MVGG", "VVVV"))
    mine = [one for one in SCREEN.offers(battle.state, None, "s1") if one.kind == "cards"]
    played = [one.commands[0] for one in mine if "card" in one.commands[0]]
    assert [(one["card"], one.get("tokens"), one.get("tactic")) for one in played] == [
        ("charge", [1], None), ("charge", [2], None), ("volley", None, False),
    ]  # fmt: skip
    assert not any("units" in one for one in played)
    assert battle.refused("card", unit="s1", card="volley") == "BOW-CRD-13"
    battle.do("card", unit="s1", card="volley", tactic=False, units=["s2"])
    assert battle.state.acting is not None
    assert battle.state.acting.dice == 0
    other = game(commands=[CHARGE]).do("card", unit="s1", card="charge", tokens=[2], ask=True)
    assert other.refused("units", units=["s1", "s2", "s3"]) == "BOW-CRD-9"
    other.do("units", units=[])
    assert other.state.active == "lannister"


@rule("BOW-ORD-5")
def test_a_token_that_fits_is_proposed_before_valour() -> None:
    battle = game(rolls=("VVGG", "VVVV"))
    best = SCREEN.offers(battle.state, None, "s2")[0]
    assert best.commands[0]["tokens"] == ["G"]


def end_look(battle: Clash) -> str:
    """How the end of the turn is shown."""
    (prompt,) = SCREEN.prompts(battle.state)
    return next(one.look for one in prompt.choices if one.text == "End the turn")


@rule("BOW-OPT-1")
def test_the_token_that_was_spent_is_told() -> None:
    """A token that goes in silence is taken for another one."""
    battle = game(rolls=("GVVV", "VVVV"))
    assert battle.do("order", unit="s2", tokens=["V"]).titles == ["Stark orders Foot 1 (★ valour)"]
    pair = game(rolls=("BBVV", "VVVV")).do("order", unit="s2", tokens=["B", "B"])
    assert pair.titles == ["Stark orders Foot 1 (● blue + ● blue)"]


def test_the_end_of_a_turn_is_golden_only_without_unused_units() -> None:
    battle = game().order("s2")
    assert end_look(battle) == "plain"
    battle.do("move", unit="s2", to=next(one["to"] for one in battle.commands() if "to" in one))
    assert end_look(battle) == "primary", "no enemy is in reach: nothing else is left"


@rule("BOW-CRD-3", "BOW-D-36")
def test_the_command_limit() -> None:
    battle = game().do("card", unit="s1", tokens=[1], units=[])
    battle.do("pass")
    assert battle.refused("card", unit="s1", tokens=[1, 1], units=[]) == "BOW-CRD-3"
    battle.do("card", unit="s1", tokens=[1], units=[])
    assert game().refused("card", unit="s5", tokens=[2], units=[]) == "BOW-CRD-3"
    assert game(tokens=(1, 3), mace="lannister").refused("card", unit="s1", tokens=[1]) != ""


@rule("BOW-CRD-3")
def test_no_limit_is_invented_for_a_card_that_nobody_has_entered() -> None:
    battle = Clash(
        [("burner", "green", "5,2", "plunderer")], [("foot", "green", "5,8")], tokens=(4, 3)
    )
    battle.do("card", unit="s1", tokens=[4], units=[])
    leader = battle.unit("s1")
    assert (leader.tokens, battle.house().tokens) == (4, 0)
    lines = [str(one) for one in card_lines(leader)]
    assert "4 command tokens on the card; their limit is printed there" in lines
    assert "capture value 2" in lines
    assert leader.commander is not None
    blank = replace(leader, commander=replace(leader.commander, capture=None))
    told = "capture value: asked for when it is needed"
    assert told in [str(one) for one in card_lines(blank)]


@rule("BOW-CRD-2", "BOW-OR-33", "BOW-RND-13")
def test_commands_are_paid_from_the_command_board() -> None:
    assert game(tokens=(3, 3)).refused("card", unit="s1", tokens=[0], units=[]) == "BOW-CRD-2"
    free = game(readings=("tactic-only=yes",))
    free.do("card", unit="s1", tokens=[0], units=[])
    poor = game(tokens=(1, 0))
    assert poor.refused("card", unit="s1", tokens=[2], units=[]) == "BOW-CRD-2"
    assert game(cards=0).refused("card", unit="s1", tokens=[1], units=[]) == "BOW-RND-13"
    assert game().refused("card", unit="s2", tokens=[1], units=[]) == "BOW-CRD-6"
    assert game().refused("card", unit="l1", tokens=[1], units=[]) == "BOW-CRD-6"


@rule("BOW-CRD-4", "BOW-CRD-5", "BOW-CRD-8", "BOW-CDR-1", "BOW-OR-34")
def test_only_active_own_units_in_command_range() -> None:
    battle = game()
    assert battle.refused("card", unit="s1", tokens=[1], units=["s4"]) == "BOW-CRD-4"
    assert battle.refused("card", unit="s1", tokens=[1], units=["l1"]) == "BOW-GEN-5"
    battle.order("s2").do("end-turn").do("pass")
    assert battle.refused("card", unit="s1", tokens=[1], units=["s2"]) == "BOW-CRD-8"
    moved = game().do("card", unit="s1", tokens=[1], units=["s1", "s3"])
    moved.do("move", unit="s1", to="4,3").do("move", unit="s3", to="8,2")  # out of range now
    assert moved.cell("s3") == "8,2"


@rule("BOW-RET-7")
def test_a_card_reminds_of_its_own_retreats() -> None:
    found = game().decide("card", {"unit": "s1", "tokens": [1], "units": []})
    assert isinstance(found, Accepted)
    assert found.answer["reminders"] == [
        "Do what the card says; a retreat that it causes follows its text."
    ]


@rule("BOW-CRD-7")
def test_the_commander_may_be_inactive() -> None:
    battle = game().order("s1").do("end-turn").do("pass")
    battle.do("card", unit="s1", tokens=[1], units=["s2"])


@rule("BOW-CRD-12", "BOW-CRD-13", "BOW-V-8", "BOW-CRD-11")
def test_tactics_check_tokens_without_spending_them() -> None:
    battle = game(rolls=("MVGG", "VVVV"))
    card: dict[str, Any] = {"unit": "s1", "tokens": [1], "units": []}
    assert battle.refused("card", **card, needs=["M", "M"]) == "BOW-CRD-13"
    assert battle.refused("card", **card, needs=["R"]) == "BOW-CRD-13"
    battle.do("card", **card, needs=["M", "V"])
    assert battle.house().pool == ("M", "V", "G", "G")


@rule("BOW-CRD-14", "BOW-CRD-15")
def test_tactics_check_morale() -> None:
    battle = game().do("effect", side="stark", morale=-8)
    card: dict[str, Any] = {"unit": "s1", "tokens": [1], "units": []}
    assert battle.refused("card", **card, own_morale="green") == "BOW-CRD-14"
    assert battle.refused("card", **card, enemy_morale="green") == "BOW-CRD-15"
    battle.do("card", **card, own_morale="yellow")


@rule("BOW-CDR-6")
def test_the_special_ability_is_used_once() -> None:
    battle = game().do("commit", unit="s1")
    assert battle.unit("s1").committed
    assert battle.refused("commit", unit="s1") == "BOW-CDR-6"
    assert battle.refused("commit", unit="s2") == "BOW-CDR-6"


@rule("BOW-CDR-5")
def test_a_commander_adds_keywords_to_its_unit() -> None:
    from companion.games.westeros.play.state import battle_position

    battle = Clash([("burner", "blue", "5,5", "plunderer")], [("foot", "green", "5,8")])
    assert battle_position(battle.state).by_id["s1"].has("scorching-valour")
