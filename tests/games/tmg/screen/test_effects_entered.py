"""What only the players' cards say and a screen lets them enter: influence, attachments, contact,
lost abilities, cards that are fetched, and every change of an attack."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.api.prompt import Choice, Entry, PromptForm
from companion.games.tmg.play.state.game_state import GameState
from companion.games.tmg.screen import SCREEN
from tests.games.tmg.play.sighted import NORTH, SOUTH, seen
from tests.games.tmg.play.test_choice_of_attack import AXES, SWORDS, ready
from tests.games.tmg.screen.test_action_offers import after
from tests.play.battle import LANNISTER, STARK, Battle, battle_of


def form(found: Any, **command: Any) -> PromptForm | None:
    """The form among these that sends such a command."""
    wanted = command.items()
    return next((one for one in found if wanted <= {**one.command}.items()), None)


def asked(state: GameState, **command: Any) -> PromptForm | None:
    """The form of the prompts that sends such a command."""
    return form([one for prompt in SCREEN.prompts(state) for one in prompt.forms], **command)


def entry(found: PromptForm | None, field: str) -> Entry:
    assert found is not None
    return next(one for one in found.entries if one.field == field)


def values(found: PromptForm | None, field: str) -> set[Any]:
    return {value for value, _ in entry(found, field).options}


def of_unit(state: GameState, unit: str) -> tuple[list[PromptForm], list[Choice]]:
    piece = next(one for one in SCREEN.pieces(state) if one.id == unit)
    return [*piece.forms], [*piece.corrections]


# -- influence --------------------------------------------------------------------------------


def claimed(year: str = "2021") -> Battle:
    battle = battle_of("GOT", year)
    return battle.do("activate", unit="bn1").do("claim", zone="wealth")


@pytest.mark.rule("TMG-INF-1")
@pytest.mark.parametrize("year", ["2021", "2018"])
def test_an_ncu_that_claimed_a_zone_attaches_its_card_by_a_form(year: str) -> None:
    battle = claimed(year)
    found = asked(battle.state, do="influence", ncu="bn1")
    assert {"b1", "r1"} <= values(found, "unit")
    assert found is not None
    then = after(battle.state, {**found.command, "unit": "r1"})
    assert then.unit("r1").influence == (("bn1", "blue"),)
    assert asked(then, do="influence") is None, "its card is attached already"


@pytest.mark.rule("TMG-INF-1", "TMG-INF-2")
def test_influence_is_still_asked_for_at_the_end_of_the_turn_and_only_of_free_units() -> None:
    battle = claimed().do("influence", ncu="bn1", unit="b1").do("zone-effect", skip=True)
    battle.do("end-turn").forgo("r1").do("activate", unit="bn2").do("claim", zone="crown")
    battle.do("zone-effect", skip=True)
    assert battle.waits() == ["end-of-turn"]
    listed = values(asked(battle.state, do="influence", ncu="bn2"), "unit")
    assert "b1" not in listed
    assert {"b2", "r1"} <= listed
    battle.do("end-turn")
    assert asked(battle.state, do="influence") is None


# -- effects on a unit ------------------------------------------------------------------------


@pytest.mark.rule("TMG-ABL-7")
def test_a_unit_loses_its_abilities_and_gets_them_back_by_a_tap() -> None:
    state = battle_of("GOT").state
    lost = {"do": "lose-abilities", "unit": "b1", "lost": True}
    assert (lost,) in [one.commands for one in of_unit(state, "b1")[1]]
    state = after(state, lost)
    back = {**lost, "lost": False}
    assert (back,) in [one.commands for one in of_unit(state, "b1")[1]]
    old = of_unit(battle_of("GOT", "2018").state, "b1")[1]
    assert not any(one.commands[0]["do"] == "lose-abilities" for one in old), "unknown in 2018"


@pytest.mark.rule("TMG-ATM-2", "TMG-ATM-8")
def test_an_attachment_joins_and_leaves_a_unit() -> None:
    state = battle_of("GOT").state
    found = form(of_unit(state, "b1")[0], do="attach", unit="b1")
    assert found is not None
    assert entry(found, "name").required
    state = after(state, {**found.command, "name": "Sworn Sword Captain"})
    (joined,) = state.unit("b1").attachments
    leaves = {"do": "attach", "unit": "b1", "name": joined.name, "remove": True}
    assert (leaves,) in [one.commands for one in of_unit(state, "b1")[1]]
    assert after(state, leaves).unit("b1").attachments == ()


@pytest.mark.rule("TMG-GLO-11")
def test_without_a_table_the_players_say_who_is_in_contact() -> None:
    battle = battle_of("GOT")
    found = form(of_unit(battle.state, "b1")[0], do="engage", unit="b1")
    assert values(found, "with") == {"r1", "r2", "r3"}
    assert found is not None
    state = after(battle.state, {**found.command, "with": ["r1", "r2"]})
    assert state.unit("b1").engaged == ("r1", "r2")
    again = form(of_unit(state, "b1")[0], do="engage", unit="b1")
    assert entry(again, "with").value == ["r1", "r2"]
    spots = {"b1": (24.0, 10.0, NORTH), "r1": (24.0, 30.0, SOUTH)}
    table = seen(battle, spots).state
    assert form(of_unit(table, "b1")[0], do="engage") is None, "the table tells it"


@pytest.mark.rule("TMG-DECK-1")
def test_a_card_is_fetched_from_the_discard_pile_and_by_its_owner_from_the_deck() -> None:
    battle = battle_of("GOT")
    player = battle.player("blue")
    thrown = player.hand[0]
    battle.do("discard", player="blue", cards=[thrown])

    def fetched(seat: str | None) -> set[tuple[str, str]]:
        pages = SCREEN.pages(battle.state, seat)
        cards = [card for page in pages for section in page.sections for card in section.cards]
        sent = [one.commands[0] for card in cards for one in card.choices]
        found = (one for one in sent if one["do"] == "search" and one["player"] == "blue")
        return {(one["from"], one["card"]) for one in found}

    assert ("discard", thrown) in fetched("blue")
    assert {card for where, card in fetched("blue") if where == "deck"} == {*player.deck}
    assert not any(where == "deck" for where, _ in fetched("red")), "a deck is its owner's secret"


# -- changes of an attack ---------------------------------------------------------------------


def fighting() -> Battle:
    battle = ready("2021", SWORDS, AXES).do("engage", unit="b1", **{"with": ["r1"]})
    battle.do("activate", unit="b1")
    return battle.do("action", action="attack", target="r1", weapon="Swords", zone="front")


@pytest.mark.rule("TMG-ATK-1", "TMG-DIC-4", "TMG-PAN-7")
def test_an_effect_changes_every_number_of_an_attack() -> None:
    battle = fighting()
    found = asked(battle.state, do="modify")
    words = {"attack", "defense", "dice", "panic", "panic-wounds", "highest", "lowest"}
    assert values(found, "what") == words
    assert {"highest", "lowest"}.isdisjoint(entry(found, "value").only_for)
    state = after(battle.state, {"do": "modify", "what": "lowest"})
    assert state.attack is not None
    assert state.attack.dice == 4
    battle.do("roll", faces=[6, 6, 6, 6, 1, 1, 1], keep=True)
    assert values(asked(battle.state, do="modify"), "what") == {"defense", "panic", "panic-wounds"}


@pytest.mark.rule("TMG-ABL-1", "TMG-ABL-2", "TMG-ABL-3", "TMG-ABL-4")
def test_an_effect_gives_an_attack_an_ability() -> None:
    battle = fighting()
    found = asked(battle.state, do="modify", what="ability")
    assert values(found, "name") == {"vicious", "critical-blow", "precision", "sundering"}
    state = after(battle.state, {"do": "modify", "what": "ability", "name": "precision"})
    assert values(asked(state, do="modify", what="ability"), "name") == {
        "vicious",
        "critical-blow",
        "sundering",
    }
    battle.do("roll", faces=[6, 6, 6, 6, 1, 1, 1], keep=True)
    late = asked(battle.state, do="modify", what="ability")
    assert values(late, "name") == {"vicious", "sundering"}, "the attack dice are counted"


@pytest.mark.rule("TMG-MOR-2")
def test_wounds_of_a_failure_are_changed_in_panic_tests_only() -> None:
    battle = battle_of("GOT").do("test", unit="b1", why="a card", kind="morale")
    assert values(asked(battle.state, do="modify"), "what") == {"test"}
    battle = battle_of("GOT").do("test", unit="b1", why="a card")
    assert values(asked(battle.state, do="modify"), "what") == {"test", "test-wounds"}


# -- orders, reminders, numbers that no card told -----------------------------------------------


@pytest.mark.rule("TMG-ORD-1", "TMG-NCU-7")
def test_an_order_that_the_catalogue_does_not_name_is_used_by_a_form() -> None:
    battle = battle_of("GOT").do("activate", unit="b1").do("action", action="forgo")
    found = asked(battle.state, do="order")
    assert {"b1", "bn1"} <= values(found, "unit")
    assert found is not None
    state = after(battle.state, {**found.command, "unit": "b2", "order": "Hold the Line"})
    assert state.unit("b2").orders == ("Hold the Line",)
    assert "bn1" in values(asked(battle.state, do="ability"), "unit")


@pytest.mark.rule("TMG-ABL-5")
def test_an_effect_that_lasts_is_noted_at_its_unit() -> None:
    state = battle_of("GOT").state
    found = form(of_unit(state, "b1")[0], do="effect", unit="b1")
    assert values(found, "until") == {"activation", "turn", "round", "game"}
    assert found is not None
    state = after(state, {**found.command, "name": "Horn", "until": "round"})
    piece = next(one for one in SCREEN.pieces(state) if one.id == "b1")
    assert "Horn" in [one.text for one in piece.badges]


@pytest.mark.rule("TMG-MODE-FAB-6", "TMG-UNT-10")
def test_numbers_that_no_card_told_are_entered() -> None:
    state = battle_of("FAB").state
    assert form(of_unit(state, "r1")[0], do="correct", unit="r1") is not None
    fields = [one.entries[0].field for one in of_unit(state, "r1")[0]]
    assert "vp_tokens" in fields
    assert "cost" not in fields
    unknown = {**LANNISTER, "units": [{"name": "Strangers"}, *LANNISTER["units"]]}
    other = Battle("GOT", "2021", armies=[STARK, unknown]).deployed()
    fields = [one.entries[0].field for one in of_unit(other.state, "r1")[0]]
    assert {"cost", "wounds_per_model"} & {*fields}
