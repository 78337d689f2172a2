"""Prompts of the miniatures game: every one has a question, and every button is accepted."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from companion.games.api.play import Refusal
from companion.games.api.prompt import Prompt
from companion.games.tmg.game import GAME
from companion.games.tmg.play import PLAY
from companion.games.tmg.play.state.game_state import GameState
from companion.games.tmg.screen import SCREEN
from companion.session.fold import Position
from companion.text.translation import catalogue
from models import CompanionError
from tests.games.tmg.play.sighted import NORTH
from tests.games.tmg.play.test_terrain_costs import moved, stakes
from tests.games.tmg.screen.played import played, spoken, wrong
from tests.play.battle import Battle, battle_of
from tests.play.recorded import names
from tests.play.told_odds import check_request


def refused(state: GameState, command: object) -> bool:
    try:
        return isinstance(PLAY.decide(state, command), Refusal)  # type: ignore[arg-type]
    except CompanionError:
        return True


@pytest.mark.parametrize("name", names())
def test_every_prompt_asks_in_three_languages_without_ids(name: str) -> None:
    languages = [catalogue(one) for one in ("en", "de", "ru")]
    for _, _, state in played(name)[::7]:
        for prompt in SCREEN.prompts(state, state.side_names[0]):
            assert prompt.title, prompt.id
            assert prompt.text, prompt.id
            texts = list(spoken(prompt))
            for words in languages:
                assert wrong((words.translate(text) for text in texts), state) == []
            plain = [
                catalogue("de").translate(prompt.title),
                catalogue("de").translate(prompt.text),
            ]
            assert plain[1] != prompt.text, prompt.text


@pytest.mark.rule("TMG-RND-6")
@pytest.mark.parametrize("name", ["2021-GOT", "2018-WOW", "2021-SOS", "2021-HWS-ffa"])
def test_every_button_is_accepted(name: str) -> None:
    for _, _, state in played(name)[::9]:
        for prompt in SCREEN.prompts(state, state.side_names[0]):
            for choice in prompt.choices:
                assert not refused(state, choice.commands[0]), choice
            if prompt.dice is not None:
                assert not refused(state, prompt.dice.command)
                kept = {**prompt.dice.command, prompt.dice.keep_field: True}
                assert not refused(state, kept)


@pytest.mark.rule("TMG-PAN-4")
def test_every_change_of_a_test_or_an_attack_that_the_form_names_is_known() -> None:
    tried = set()
    for _, _, state in played("2021-GOT"):
        for prompt in SCREEN.prompts(state):
            for form in prompt.forms:
                for value, _text in (
                    form.entries[0].options if form.command["do"] == "modify" else ()
                ):
                    tried.add((prompt.id, value))
                    given = {"what": value, "value": 1, "name": "Horn"}
                    command = {**given, **form.command, form.entries[0].field: value}
                    assert not refused(state, command), command
    assert {"test", "test-wounds", "attack"} <= {value for _, value in tried}


@pytest.mark.rule("TMG-RER-1")
@pytest.mark.parametrize("name", ["2021-GOT", "2021-COK"])
def test_at_most_one_primary_button(name: str) -> None:
    for _, _, state in played(name):
        for prompt in SCREEN.prompts(state):
            gold = [choice for choice in prompt.choices if choice.look == "primary"]
            assert len(gold) <= 1
            assert not (gold and prompt.dice), "where dice are the answer there is no gold"


def first(state: GameState) -> Prompt:
    return SCREEN.prompts(state)[0]


def decided(state: GameState, *commands: dict[str, object]) -> GameState:
    for command in commands:
        decision = PLAY.decide(state, command)
        assert not isinstance(decision, Refusal), decision
        for event in decision.events:
            state = PLAY.apply(state, event)
    return state


def charged(year: str = "2021") -> GameState:
    """The same attack with the charge bonus."""
    state = attacked(year)
    assert state.attack is not None
    return replace(state, attack=replace(state.attack, charge=True, bonus=True))


def attacked(year: str = "2021") -> GameState:
    state = battle_of("GOT", year).state
    state = state.with_unit(replace(state.unit("b1"), engaged=("r1",)))
    state = state.with_unit(replace(state.unit("r1"), engaged=("b1",)))
    act = {"do": "action", "action": "attack", "target": "r1", "zone": "front", "ranged": False}
    return decided(state, {"do": "activate", "unit": "b1"}, act)


@pytest.mark.rule("TMG-ATK-1", "TMG-ATK-7", "TMG-ATK-12", "TMG-PAN-2")
def test_an_attack_is_asked_step_by_step() -> None:
    state = attacked()
    asked = first(state)
    assert asked.title == "Stark Sworn Swords against Lannister Crossbowmen"
    assert asked.dice is not None
    assert (asked.dice.count, asked.dice.wanted) == (7, 4)
    assert sum(asked.dice.chances) == pytest.approx(1)
    state = decided(state, {"do": "roll", "faces": [4, 5, 6, 1, 1, 2, 3]})
    asked = first(state)
    assert asked.text == "3 hits so far: a card, or continue? Blue rerolls first."
    german = "Bisher 3 Treffer: eine Karte, oder weiter? Zuerst würfelt Blau neu."
    assert catalogue("de").translate(asked.text) == german
    russian = "Пока 3 попадания: карта или дальше? Первый переброс: Синие."
    assert catalogue("ru").translate(asked.text) == russian
    assert asked.rolled == (4, 5, 6, 1, 1, 2, 3)
    assert [choice.text for choice in asked.choices if choice.look == "primary"] == ["Continue"]
    state = decided(state, {"do": "continue"})
    asked = first(state)
    assert asked.dice is not None
    assert (asked.dice.count, asked.dice.wanted, asked.seats) == (3, 4, ("red",))
    state = decided(state, {"do": "roll", "faces": [6, 1, 1]})
    assert first(state).text == "2 wounds so far: a card, or continue? Blue rerolls first."
    state = decided(state, {"do": "continue"})
    asked = first(state)
    assert asked.title == "Panic test: Lannister Crossbowmen"
    assert asked.dice is not None
    assert [one.field for one in asked.dice.extra] == ["d3"]
    assert sum(asked.dice.chances) == pytest.approx(1)
    chances = [fact.chance for fact in asked.facts if fact.chance is not None]
    assert chances == [pytest.approx(asked.data["chance"])]
    state = decided(state, {"do": "panic", "faces": [6, 6], "d3": 1})
    assert first(state).text.startswith("Passed (12 against 7+)")


@pytest.mark.rule("TMG-BON-1", "TMG-RER-1")
def test_a_free_reroll_comes_before_continue() -> None:
    state = decided(charged(), {"do": "roll", "faces": [4, 5, 6, 1, 1, 2, 3]})
    reroll, *_, go_on, with_dice = first(state).choices
    assert with_dice.commands == (*go_on.commands, {"do": "roll"})
    assert reroll.text == "Reroll 4 dice: charge bonus"
    assert reroll.dice is not None
    assert reroll.dice.count == 4
    assert (go_on.text, go_on.look) == ("Continue", "plain")
    done = decided(state, {**reroll.commands[0], reroll.dice.field: [6, 6, 6, 6]})
    assert first(done).text.startswith("7 hits")


@pytest.mark.rule("TMG-BON-1")
def test_where_every_die_hits_the_reroll_is_small_and_continue_is_the_next_step() -> None:
    state = decided(charged(), {"do": "roll", "faces": [4, 4, 4, 5, 6, 5, 5]})
    looks = {one.text: one.look for one in first(state).choices}
    assert looks["Reroll 3 dice: charge bonus"] == "quiet"
    assert looks["Continue"] == "primary"


@pytest.mark.rule("TMG-ABL-5", "TMG-RER-1")
def test_effects_need_no_name_and_each_of_them_counts() -> None:
    state = decided(attacked(), {"do": "modify", "what": "attack", "value": 1})
    state = decided(state, {"do": "modify", "what": "attack", "value": 1})
    assert state.attack is not None
    assert state.attack.attack_mods == (("an effect", 1), ("an effect 2", 1))
    state = decided(state, {"do": "roll", "faces": [6, 6, 6, 1, 1, 1, 1]})
    for form in first(state).forms:
        texts = [one for one in form.entries if one.kind == "text"]
        assert not any(one.required for one in texts), form.text
    again: dict[str, object] = {"do": "reroll", "side": "blue", "places": [3], "faces": [6]}
    state = decided(state, again, {"do": "continue"}, {"do": "roll", "faces": [1, 1, 1, 1]})
    state = decided(state, {"do": "continue"}, {"do": "modify", "what": "test-wounds", "value": 1})
    assert "+1 wounds if it fails" in [fact.text for fact in first(state).facts]


@pytest.mark.rule("TMG-BON-1", "EX-41")
@pytest.mark.parametrize("year", ["2021", "2018"])
def test_the_charge_bonus_says_and_offers_the_dice_of_its_edition(year: str) -> None:
    """2021: any dice, hits included; 2018: misses only. Red's dice do not show it."""
    state = charged(year)
    told = {"2021": "charge: any dice may be rerolled", "2018": "charge: misses may be rerolled"}
    facts = [fact.text for fact in first(state).facts if "charge" in fact.text]
    assert [fact.partition(" (")[0] for fact in facts] == [told[year]]
    dice = first(state).dice
    assert dice is not None
    faces = [4, 5, 6, *[1] * (dice.count - 3)]
    state = decided(state, {"do": "roll", "faces": faces})
    offers = [one for one in first(state).choices if one.commands[0]["do"] == "reroll"]
    ones = ["1"] * (dice.count - 3)
    assert [one.detail for one in offers] == [", ".join(ones)]
    chosen = next(form for form in first(state).forms if form.rolls)
    assert len(chosen.entries[0].options) == (dice.count if year == "2021" else dice.count - 3)
    for one in offers:
        assert one.dice is not None
        again = {**one.commands[0], one.dice.field: [2] * one.dice.count}
        after = decided(state, again).attack
        assert after is not None
        assert after.roll is not None
        assert after.roll.faces.count(2) == one.dice.count
    state = decided(state, {"do": "continue"})
    assert first(state).id == "defense-dice"
    assert not [fact for fact in first(state).facts if "charge" in fact.text]


@pytest.mark.rule("TMG-BON-1", "TMG-RER-3")
def test_the_chances_of_counted_hits_are_those_after_the_charge_bonus() -> None:
    """Seven dice at 4+, every miss once more: each hits with 3/4."""
    dice = first(charged()).dice
    assert dice is not None
    exact = [math.comb(7, n) * 0.75**n * 0.25 ** (7 - n) for n in range(8)]
    assert dice.chances == pytest.approx(exact)
    plain = first(attacked()).dice
    assert plain is not None
    assert plain.chances == pytest.approx([math.comb(7, n) / 2**7 for n in range(8)])
    for state in (charged(), charged("2018"), attacked(), attacked("2018")):
        dice = first(state).dice
        assert dice is not None
        here = Position(game=state.game, play=PLAY, state=state)
        assert check_request(here, (dice.command,), dice) == "counts"


@pytest.mark.rule("TMG-TER-10")
def test_the_players_roll_the_die_of_the_stakes_and_the_line_tells_it() -> None:
    battle = moved("2021", (24, 15, NORTH), stakes("2021", 13, 14))
    asked = first(battle.state)
    yes, no = asked.choices
    assert asked.text == "It moved onto the stakes: D3 + 1 wounds.", "nothing is in doubt"
    assert (yes.text, no.text, no.dice) == ("Roll the D3", "It did not touch it", None)
    assert yes.dice is not None
    assert (yes.dice.count, yes.dice.sides, yes.dice.field) == (1, 3, "d3")
    before, command = battle.state, {**yes.commands[0], yes.dice.field: 2}
    decision = PLAY.decide(before, command)
    assert not isinstance(decision, Refusal)
    after = decided(before, command)
    assert after.unit("b1").wounds == 3
    told = SCREEN.outcome(before, decision.events, after)
    assert told is not None
    left = before.unit("b1").wounds_left
    name = "Stark Sworn Swords, the stakes"
    assert told.text == f"{name}: rolled 2, 3 wounds, {left} → {left - 3}."
    assert told.dice == (2,)


@pytest.mark.rule("TMG-RND-6")
def test_the_turn_names_whose_it_is_and_offers_to_pass() -> None:
    state = battle_of("GOT").state
    asked = first(state)
    assert asked.title == "Blue: your turn"
    assert set(asked.pieces) >= {"b1", "b2", "b3"}
    assert {choice.text for choice in asked.choices} >= {"Stark Bowmen", "Catelyn"}


def events(state: GameState, command: dict[str, object]) -> list[str]:
    decision = PLAY.decide(state, command)
    assert not isinstance(decision, Refusal), decision
    return [event.type for event in decision.events]


@pytest.mark.rule("TMG-ATK-7")
def test_counts_instead_of_faces() -> None:
    """Players count hits, blocks and totals themselves; no dice are made up for the log."""
    state = attacked()
    asked = first(state).dice
    assert asked is not None
    assert "rolled" not in events(state, {**asked.command, asked.count_field: 3})
    state = decided(state, {**asked.command, asked.count_field: 3})
    asked = first(state).dice
    assert asked is not None
    assert asked.count == 3
    state = decided(state, {**asked.command, asked.count_field: 1})
    assert state.unit("r1").wounds == 2
    asked = first(state).dice
    assert asked is not None
    lost = {**asked.command, asked.count_field: 3, asked.extra[0].field: 2}
    assert "test-rolled" not in events(state, lost)
    assert decided(state, lost).unit("r1").wounds == 4
    won = {**asked.command, asked.count_field: 12}
    assert decided(state, won).unit("r1").wounds == 2


@pytest.mark.rule("TMG-DIC-1")
def test_a_count_is_not_enough_where_sixes_count() -> None:
    state = attacked()
    attack = state.attack
    assert attack is not None
    state = replace(state, attack=replace(attack, abilities=("critical-blow",)))
    asked = first(state).dice
    assert asked is not None
    assert asked.count_field == ""
    refusal = PLAY.decide(state, {"do": "roll", "count": 3})
    assert isinstance(refusal, Refusal)
    assert refusal.why == "TMG-DIC-1"


@pytest.mark.rule("TMG-ABL-5")
def test_the_attack_says_what_may_be_expected() -> None:
    """As many wounds as the odds say, with every modifier once; what is unknown is not guessed."""
    state = attacked()
    attack = state.attack
    assert attack is not None
    asked = {"hit": 4, "dice": 7, "defense": 4, "morale": 7, "models": 12}
    mean = GAME.odds("tmg-2021", asked).mean
    told = [fact.text for fact in first(state).facts]
    assert any(text.startswith(f"about {mean:.1f} wounds with panic") for text in told)
    twice = replace(attack, attack_mods=(("Courage", 1), ("courage", 1)))
    more = GAME.odds("tmg-2021", {**asked, "attack_mod": 1}).mean
    changed = first(replace(state, attack=twice)).facts
    assert any(fact.text.startswith(f"about {more:.1f} wounds with panic") for fact in changed)
    odd = first(replace(state, attack=replace(attack, extra_panic_wounds=1))).facts
    assert not any(fact.text.startswith("about") for fact in odd)


@pytest.mark.rule("TMG-MODE-WOW-3")
def test_a_hand_of_missions_is_tapped_card_by_card_by_its_own_player() -> None:
    state = Battle("WOW").do("continue").state
    (prompt,) = SCREEN.prompts(state)
    assert [form.seat for form in prompt.forms] == ["blue", "red"]
    (entry,) = prompt.forms[0].entries
    assert (entry.value, entry.most, len(entry.options)) == (["11", "12"], 6, 12)
    chosen = {**prompt.forms[0].command, "cards": [*entry.value, "1", "3", "5", "7"]}
    assert not refused(state, chosen)
    assert refused(state, {**chosen, "cards": ["1", "2", "3", "4", "5", "6"]})


def zone_rows(battle: Battle, zone: str) -> dict[str, str]:
    """What stands under each unit's row once a zone is claimed, in order."""
    battle.do("activate", unit="bn1").do("claim", zone=zone)
    (prompt,) = (one for one in SCREEN.prompts(battle.state) if one.id == "zone")
    return {one.piece: str(one.detail) for one in prompt.choices if one.piece}


@pytest.mark.rule("TMG-ZON-2", "TMG-MOR-1")
def test_the_crown_tells_the_odds_of_each_test() -> None:
    battle = battle_of("GOT")
    told = zone_rows(battle, "crown")
    battle.do("zone-effect", unit="r1")
    trial = next(one for one in PLAY.pending(battle.state) if one.what == "test").data
    assert told["r1"] == f"Morale {trial['morale']}+ · {100 * trial['chance']:.0f} % to pass"


@pytest.mark.rule("TMG-ZON-3")
def test_wealth_tells_wounds_and_tokens_and_names_own_units_in_need_first() -> None:
    battle = battle_of("GOT")
    battle.do("correct", unit="b3", wounds=2).do("correct", unit="r2", wounds=1)
    battle.do("token", unit="b3", token="weakened", by="red")
    told = zone_rows(battle, "wealth")
    assert told["b3"] == "2 wounds taken · Weakened"
    assert told["b1"] == "nothing to mend"
    assert next(iter(told)) == "b3"
    assert list(told)[3] == "r2"


@pytest.mark.rule("TMG-ZON-3")
def test_wealth_asks_how_many_wounds_it_heals() -> None:
    """Up to 3: units that fight better with fewer ranks are not healed in full."""
    battle = battle_of("GOT")
    battle.do("correct", unit="b3", wounds=5).do("correct", unit="b2", wounds=1)
    battle.do("token", unit="b2", token="weakened", by="red")
    battle.do("activate", unit="bn1").do("claim", zone="wealth")
    fewer = [one for one in first(battle.state).choices if "heal" in one.commands[0]]
    assert {one.look for one in fewer} == {"shown"}, "a unit with several ways has a row for each"
    assert "Stark Outriders: heal 3 wounds" in [
        str(one.text) for one in first(battle.state).choices
    ]
    assert [str(one.text) for one in fewer] == [
        "Stark Bowmen: no healing",
        "Stark Outriders: heal only 2 wounds",
        "Stark Outriders: heal only 1 wound",
    ]
    assert decided(battle.state, dict(fewer[1].commands[0])).unit("b3").wounds == 3
    freed = decided(battle.state, dict(fewer[0].commands[0])).unit("b2")
    assert (freed.wounds, freed.tokens) == (1, ())


@pytest.mark.rule("TMG-ZON-4")
def test_combat_tells_the_wounds_of_each_attack_as_its_dice_do() -> None:
    battle = battle_of("GOT")
    battle.do("engage", unit="b1", **{"with": ["r1"]})
    told = zone_rows(battle, "combat")
    battle.do("zone-effect", unit="b1", target="r1", zone="front", ranged=False)
    dice = next(one for one in SCREEN.prompts(battle.state) if one.id == "attack-dice")
    (forecast,) = (str(fact.text) for fact in dice.facts if str(fact.text).startswith("about"))
    assert forecast in told["b1"]


@pytest.mark.rule("TMG-ORD-1", "TMG-ACT-5")
def test_an_order_that_moves_its_unit_opens_that_move() -> None:
    battle = battle_of("GOT")
    battle.do("activate", unit="b1").do("action", action="forgo")
    (prompt,) = SCREEN.prompts(battle.state)
    rows = {str(one.text): one for one in prompt.choices if one.commands[0]["do"] == "order"}
    for command in rows["Stark Outriders: order Tactical Reposition"].commands:
        battle.do(**{"word": command["do"], **{k: v for k, v in command.items() if k != "do"}})
    asked = SCREEN.prompts(battle.state)[0]
    assert (asked.id, asked.pieces) == ("grant", ("b3",))
    battle.do("free-action", unit="b3", action="maneuver")
    # what another order or card lets a unit do is one row behind it
    (prompt,) = SCREEN.prompts(battle.state)
    assert "A unit may act" in [str(form.text) for form in prompt.forms]
