"""Small refusals and questions: who may not do a thing now, and what the words of it are."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.games.tmg.cards.army_catalogue import TacticsCard
from companion.games.tmg.play import PLAY
from companion.games.tmg.play.army import army_rules
from companion.games.tmg.play.army.army_lists import read_list, size_for
from companion.games.tmg.play.army.army_rules import check
from companion.games.tmg.play.prompt_options import options
from companion.games.tmg.screen import SCREEN
from models import CompanionError
from models.field import Field
from tests.play.battle import Battle, battle_of

EDITIONS = ("2021", "2018")
START = "at the start of a turn"


def forms(battle: Battle, word: str) -> list[dict[str, Any]]:
    """The forms of a command that the game offers now."""
    found = [form for prompt in options(battle.state) for form in prompt["options"]]
    return [{key: form[key] for key in form if key != "do"} for form in found if form["do"] == word]


@pytest.mark.rule("TMG-TIM-6", "TMG-GLO-21")
def test_hits_wait_until_the_attack_that_runs_is_resolved() -> None:
    battle = battle_of("GOT").do("engage", unit="b1", **{"with": ["r1"]}).do("activate", unit="b1")
    battle.do("action", action="attack", target="r1")
    battle.refused("TMG-TIM-6", "hits", unit="r2", hits=2)
    battle.fight(1).do("hits", unit="r2", hits=2)


@pytest.mark.rule("TMG-RND-20")
def test_a_player_is_asked_once_to_discard() -> None:
    battle = battle_of("GOT")
    limit = battle.state.rules.hand_limit
    assert limit is not None
    battle.do("draw", player="blue", count=limit)
    battle.refused("TMG-RND-20", "draw", player="blue", count=1)
    assert [task.other for task in battle.state.tasks if task.kind == "hand"] == ["blue"]
    battle.do("draw", player="red", count=limit)
    assert [task.other for task in battle.state.tasks if task.kind == "hand"] == ["blue", "red"]


@pytest.mark.rule("TMG-TIM-1")
@pytest.mark.parametrize("year", EDITIONS)
def test_the_start_of_a_turn_comes_again_in_the_next(year: str) -> None:
    battle = battle_of("GOT", year)
    first, second, *_ = battle.player("red").hand
    battle.do("play", player="red", card=first, trigger=START)
    battle.refused("TMG-TIM-1", "play", player="red", card=second, trigger=START)
    battle.forgo("b1").do("play", player="red", card=second, trigger=START)


@pytest.mark.rule("TMG-ARM-5")
@pytest.mark.parametrize(
    ("game", "words"),
    [
        ("tmg-2021", "the army has no commander"),
        ("tmg-2018", "say which card commands the army, as in “Commander: Name”"),
    ],
)
def test_an_army_without_a_commander_is_told_so(game: str, words: str) -> None:
    units = "• Stark Sworn Swords (5)\n"
    if game == "tmg-2018":
        units += "  with Opportunist (0)\n"
    army = read_list(f"Faction: Stark\n\nCombat Units:\n{units}", game, 40)
    assert [one.say for one in check(army) if one.why == "TMG-ARM-5"] == [words]


@pytest.mark.rule("TMG-ARM-2")
def test_the_usual_size_of_an_army_is_the_next_ten() -> None:
    assert [size_for(points) for points in (0, 30, 31, 40, 41, 99)] == [30, 30, 40, 40, 50, 100]


@pytest.mark.rule("TMG-MODE-WOW-3")
def test_more_missions_than_there_are_cannot_be_chosen() -> None:
    battle = Battle("WOW").do("continue")
    numbers = [str(number) for number in range(1, 14)]
    battle.refused("TMG-MODE-WOW-3", "missions", player="blue", cards=numbers[:12])
    with pytest.raises(CompanionError, match="cards"):
        PLAY.decide(battle.state, {"do": "missions", "player": "blue", "cards": numbers})


@pytest.mark.rule("TMG-DECK-1")
def test_a_tactics_card_is_read_as_it_is_written() -> None:
    plain = {"name": "Fury", "faction": "stark", "commander": "robb", "removes": ["calm"]}
    assert TacticsCard.read(Field(plain), "fury").to_json() == plain
    assert TacticsCard.read(Field({**plain, "version": "1.6"}), "fury").version == "1.6"
    short = TacticsCard.read(Field({"name": "Fury", "faction": "stark"}), "fury")
    assert (short.commander, short.removes, short.version) == ("", (), "")


@pytest.mark.rule("TMG-SRG-1")
def test_a_surge_is_offered_and_may_be_declined() -> None:
    battle = battle_of("GOT").do("engage", unit="b1", **{"with": ["r1"]}).do("activate", unit="b1")
    battle.do("action", action="attack", target="r1").fight(12)
    assert forms(battle, "surge") == [{"take": True}, {"take": False}]


@pytest.mark.rule("TMG-CHG-14", "TMG-CHG-15")
def test_both_ends_of_a_charge_are_offered() -> None:
    battle = battle_of("GOT").do("activate", unit="b1")
    battle.do("action", action="charge", zone="front", target="r1", faces=[3])
    assert forms(battle, "charge-result") == [{"success": True}, {"success": False}]


@pytest.mark.rule("TMG-ATK-1", "TMG-PAN-2")
def test_dice_are_offered_with_and_without_a_pause_for_rerolls() -> None:
    battle = battle_of("GOT").do("engage", unit="b1", **{"with": ["r1"]}).do("activate", unit="b1")
    battle.do("action", action="attack", target="r1")
    assert forms(battle, "roll") == [{}, {"keep": True}]
    battle.do("attack-result", wounds=1)
    number = battle.state.trials[0].id
    assert forms(battle, "panic") == [{"test": number}, {"test": number, "keep": True}]


@pytest.mark.rule("TMG-VIC-1", "TMG-RND-1")
def test_the_headline_of_each_part_of_a_game() -> None:
    battle = Battle(ready=False, first=None)
    assert SCREEN.headline(battle.state) == "Set-up"
    battle = Battle().deployed()
    assert SCREEN.headline(battle.state) == "Round 1 · 5 units to act"
    battle.finish_round()
    assert SCREEN.headline(battle.state) == "Round 1 · end of the round"
    battle.do("concede", side="red")
    assert SCREEN.headline(battle.state) == "The game is over"


@pytest.mark.rule("TMG-TIM-1", "TMG-SRG-1")
def test_a_trigger_used_before_the_surge_belongs_to_the_action() -> None:
    battle = battle_of("GOT").do("engage", unit="b1", **{"with": ["r1"]}).do("activate", unit="b1")
    first, second, *_ = battle.player("blue").hand
    battle.do("action", action="attack", target="r1").fight(12)
    assert battle.waits() == ["surge"]
    battle.do("play", player="blue", card=first, trigger=START)
    battle.refused("TMG-TIM-1", "play", player="blue", card=second, trigger=START)
    battle.do("surge", take=False).do("free-action", unit="b2", action="maneuver")
    battle.do("play", player="blue", card=second, trigger=START)


@pytest.mark.rule("TMG-ATK-4", "OR-44")
def test_hits_that_wound_at_once_are_counted_among_the_hits() -> None:
    battle = battle_of("GOT").do("engage", unit="b1", **{"with": ["r1"]}).do("activate", unit="b1")
    battle.do("action", action="attack", target="r1")
    battle.do("modify", what="ability", name="Precision")
    attack = battle.state.attack
    assert attack is not None
    battle.do("roll", faces=[6, 6, 5] + [1] * (attack.dice - 3))
    (prompt, *_) = SCREEN.prompts(battle.state, "blue")
    assert prompt.text == "3 hits so far: a card, or continue? Blue rerolls first."
    battle.do("continue")
    after = battle.state.attack
    assert after is not None
    assert (after.hits, after.sure) == (1, 2)


@pytest.mark.rule("TMG-CARD-2", "TMG-DIC-4")
def test_the_printed_dice_of_an_attack_that_is_not_on_the_card_are_not_guessed() -> None:
    battle = battle_of("GOT").do("engage", unit="b1", **{"with": ["r1"]}).do("activate", unit="b1")
    attack = battle.do("action", action="attack", target="r1").state.attack
    assert attack is not None
    battle.state = replace(battle.state, attack=replace(attack, weapon="Axe"))
    told = battle.refused("TMG-CARD-2", "modify", what="highest", name="Fury")
    assert told == "b1 has no attack 'Axe'"


@pytest.mark.rule("TMG-DECK-1")
def test_a_deck_of_nine_names_has_18_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    army = PLAY.read_army("tmg-2021", "Faction: Stark\n\nCombat Units:\n• Stark Sworn Swords (5)\n")
    army = replace(army, commander="robb")
    names = tuple(f"card {number}" for number in range(10))
    monkeypatch.setattr(army_rules, "deck_names", lambda _: names)
    assert army_rules.wrong_deck(army) == []
    monkeypatch.setattr(army_rules, "deck_names", lambda _: names[:9])
    (found,) = army_rules.wrong_deck(army)
    assert (found.why, found.say) == ("TMG-DECK-1", "18 tactics cards instead of 20")
