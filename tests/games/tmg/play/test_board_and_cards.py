"""The tactics board, tactics cards, hidden hands, and who may react to what."""

from __future__ import annotations

import json

import pytest

from companion.games.tmg.play import PLAY
from companion.games.tmg.play.state.play_rules import CONDITIONS, ZONES
from companion.games.tmg.screen import SCREEN
from companion.games.tmg.screen.prompts import prompts
from companion.games.tmg.screen.unit_views import piece_views
from models import BadInput
from tests.play.battle import LANNISTER, STARK, Battle

EDITIONS = ("2021", "2018")
MANY = [{"name": f"Lord {number}", "cost": 4} for number in range(6)]


def claiming(zone: str, year: str = "2021", **facts: object) -> Battle:
    battle = Battle("GOT", year, **facts).deployed()
    return battle.do("activate", unit="bn1").do("claim", zone=zone)


# -- NCUs -------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-NCU-1", "TMG-NCU-2", "TMG-NCU-3", "TMG-NCU-4", "TMG-DEP-6")
@pytest.mark.parametrize("year", EDITIONS)
def test_an_ncu_claims_a_free_zone_and_controls_it(year: str) -> None:
    battle = Battle("GOT", year).deployed()
    assert "bn1" not in battle.view()["units"]
    battle.do("activate", unit="bn1")
    battle.refused("TMG-NCU-2", "action", action="march")
    battle.do("claim", zone="crown")
    assert battle.waits() == ["zone"]
    assert battle.state.controls("blue") == ("crown",)
    battle.do("zone-effect", skip=True).do("end-turn").do("activate", unit="rn1")
    battle.refused("TMG-ZON-1", "claim", zone="crown")
    battle.refused("TMG-NCU-1", "free-action", unit="bn1", action="march")


@pytest.mark.rule("TMG-NCU-1")
def test_combat_units_do_not_act_on_the_board() -> None:
    battle = Battle().deployed().do("activate", unit="b1")
    battle.refused("TMG-NCU-1", "claim", zone="crown")


@pytest.mark.rule("TMG-ZON-1", "OR-28")
def test_the_board_has_five_zones() -> None:
    assert set(Battle().view()["zones"]) == {"crown", "wealth", "tactics", "combat", "maneuver"}


@pytest.mark.rule("TMG-NCU-5")
@pytest.mark.parametrize("year", EDITIONS)
def test_an_ncu_may_forgo_in_2021(year: str) -> None:
    battle = Battle("GOT", year).deployed().do("activate", unit="bn1")
    if year == "2018":
        battle.refused("TMG-NCU-2", "forgo")
        assert "forgo" not in PLAY.pending(battle.state)[0].commands
        return
    battle.do("forgo")
    assert battle.ncu("bn1").activated
    assert not any(battle.state.board)


@pytest.mark.rule("TMG-NCU-6", "EX-63")
@pytest.mark.parametrize("year", EDITIONS)
def test_on_a_full_board_the_activation_ends_at_once(year: str) -> None:
    guards = {**LANNISTER, "units": [{"name": "Guards", "cost": 5}] * 6, "ncus": []}
    battle = Battle("GOT", year, armies=[{**STARK, "ncus": MANY}, guards]).deployed()
    for number, zone in enumerate(ZONES, 1):
        battle.do("activate", unit=f"bn{number}").do("claim", zone=zone)
        battle.do("zone-effect", skip=True).do("end-turn")
        battle.forgo(f"r{number}")
    assert all(battle.state.board)
    battle.do("activate", unit="bn6")
    assert battle.waits() == ["end-of-turn"]
    assert battle.ncu("bn6").activated
    assert "bn6" not in battle.state.board


@pytest.mark.rule("TMG-NCU-7")
def test_claiming_reminds_of_the_ncus_ability() -> None:
    assert "Catelyn" in claiming("crown").answer["reminders"][0]


# -- zones ------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-ZON-2")
def test_2021_crown_panics_an_enemy() -> None:
    battle = claiming("crown")
    battle.refused("TMG-ZON-2", "zone-effect", unit="b1")
    battle.do("zone-effect", unit="r1")
    assert battle.view()["panic"][0]["modifiers"] == {"crown": -1}
    battle.do("panic", faces=[6, 6], keep=True)
    assert battle.waits() == ["end-of-turn"]


@pytest.mark.rule("TMG-ZON-3")
def test_2021_wealth_heals_and_frees() -> None:
    battle = Battle().deployed().do("wounds", unit="b1", wounds=5)
    battle.do("token", unit="b1", token="weakened")
    battle.do("activate", unit="bn1").do("claim", zone="wealth")
    battle.do("zone-effect", unit="b1", token="weakened")
    assert (battle.unit("b1").wounds, battle.unit("b1").tokens) == (2, ())


@pytest.mark.rule("TMG-ZON-3")
def test_2021_wealth_frees_of_the_only_condition_unasked_and_asks_which_of_several() -> None:
    battle = Battle().deployed().do("token", unit="b1", token="weakened")
    battle.do("activate", unit="bn1").do("claim", zone="wealth")
    other = battle.do("zone-effect", unit="b1").do("end-turn")
    assert other.unit("b1").tokens == ()
    battle = Battle().deployed().do("token", unit="b1", token="weakened")
    battle.do("token", unit="b1", token="panicked")
    battle.do("activate", unit="bn1").do("claim", zone="wealth")
    assert "panicked, weakened" in battle.refused("TMG-ZON-3", "zone-effect", unit="b1")
    battle.do("zone-effect", unit="b1", token="panicked")
    assert battle.unit("b1").tokens == ("weakened",)


@pytest.mark.rule("TMG-ZON-3", "TMG-CON-3")
def test_2021_wealth_removes_no_condition_that_the_unit_does_not_have() -> None:
    battle = Battle().deployed().do("wounds", unit="b1", wounds=2)
    battle.do("token", unit="b1", token="weakened")
    battle.do("activate", unit="bn1").do("claim", zone="wealth")
    told = battle.refused("TMG-CON-3", "zone-effect", unit="b1", token="panicked")
    assert told == "b1 is not panicked"
    assert (battle.unit("b1").wounds, battle.unit("b1").tokens) == (2, ("weakened",))


@pytest.mark.rule("TMG-ZON-5", "TMG-CON-2")
def test_2021_tactics_gives_no_condition_twice() -> None:
    battle = claiming("tactics").do("token", unit="r1", token="panicked")
    battle.refused("TMG-CON-2", "zone-effect", unit="r1", token="panicked")
    assert len(battle.player("blue").hand) == 3
    with pytest.raises(BadInput, match="'unit' is missing"):
        PLAY.decide(battle.state, {"do": "zone-effect"})
    for unit in ("r1", "r2", "r3"):
        for token in CONDITIONS:
            if token not in battle.unit(unit).tokens:
                battle.do("token", unit=unit, token=token)
    battle.do("zone-effect")  # nobody is left to take one: the cards are drawn all the same
    assert len(battle.player("blue").hand) == 5
    assert battle.waits() == ["end-of-turn"]


@pytest.mark.rule("TMG-ZON-5", "TMG-RND-21")
def test_2021_tactics_with_an_empty_deck_places_its_condition() -> None:
    battle = claiming("tactics")
    battle.do("draw", player="blue", count=17)
    hand = list(battle.player("blue").hand)
    battle.do("discard", player="blue", cards=hand[5:])
    battle.do("zone-effect", unit="r1", token="panicked")
    assert battle.unit("r1").tokens == ("panicked",)
    assert len(battle.player("blue").hand) == 5


@pytest.mark.rule("TMG-ZON-4")
def test_2021_combat_lets_a_friend_attack() -> None:
    battle = claiming("combat")
    battle.refused("TMG-ZON-4", "zone-effect", unit="r1", target="b1")
    battle.do("zone-effect", unit="b2", target="r1").fight(2)
    assert battle.unit("r1").wounds == 2
    assert not battle.unit("b2").activated
    assert battle.ncu("bn1").activated
    assert battle.waits() == ["end-of-turn"]


@pytest.mark.rule("TMG-ZON-5")
def test_2021_tactics_draws_and_places_a_condition() -> None:
    battle = claiming("tactics")
    battle.do("zone-effect", unit="r1", token="vulnerable")
    assert len(battle.player("blue").hand) == 5
    assert battle.unit("r1").tokens == ("vulnerable",)


@pytest.mark.rule("TMG-ZON-6")
def test_2021_maneuver_moves_a_friend() -> None:
    battle = claiming("maneuver")
    battle.refused("TMG-RET-1", "zone-effect", unit="b1", action="retreat")
    battle.do("zone-effect", unit="b1", action="maneuver")
    assert not battle.unit("b1").activated


@pytest.mark.rule("TMG-ZON-2", "TMG-ZON-3", "TMG-ZON-4", "TMG-ZON-5", "TMG-ZON-6")
@pytest.mark.parametrize("zone", ZONES)
def test_2018_zones_are_printed_on_the_players_board(zone: str) -> None:
    battle = claiming(zone, "2018")
    assert "printed on your board" in PLAY.pending(battle.state)[0].say
    battle.refused("TMG-NCU-3", "zone-effect", unit="r1")
    battle.do("test", unit="r1", why=zone, modifier=-1, by="blue")
    battle.do("panic", faces=[6, 6], keep=True)
    battle.do("zone-effect", skip=True)
    assert battle.waits() == ["end-of-turn"]


# -- decks and hands --------------------------------------------------------------------------


@pytest.mark.rule("TMG-DECK-2", "TMG-STA-1")
def test_the_starting_hand_is_drawn_after_deployment() -> None:
    battle = Battle().do("continue")
    assert battle.player("blue").hand == ()
    battle.do("deploy")
    assert (len(battle.player("blue").hand), len(battle.player("blue").deck)) == (3, 17)


@pytest.mark.rule("TMG-DECK-4", "TMG-DECK-5")
def test_a_played_card_lies_open_on_the_discard_pile() -> None:
    battle = Battle().deployed()
    card = battle.player("blue").hand[0]
    battle.do("play", player="blue", card=card, unit="b1")
    assert battle.titles == [f"blue plays {card} on b1"]
    assert battle.view()["players"]["blue"]["discard"] == [card]
    battle.refused("TMG-DECK-3", "play", player="red", card="no such card")


@pytest.mark.rule("TMG-DECK-5")
def test_hidden_cards_are_in_no_public_view_and_no_title() -> None:
    names = [f"Secret {number}" for number in range(10)]
    battle = Battle(armies=[{**STARK, "cards": names}, LANNISTER]).deployed().round_over()
    battle.do("draw", player="blue", count=1)
    public = json.dumps([battle.view(), battle.view("red"), battle.report()])
    waiting = json.dumps([one.say for one in PLAY.pending(battle.state)])
    assert "Secret" not in public + waiting
    assert set(battle.view("blue")["players"]["blue"]["hand_cards"]) <= set(names)
    assert "hand_cards" not in battle.view("blue")["players"]["red"]


@pytest.mark.rule("TMG-RND-19", "TMG-RND-20", "EX-49")
@pytest.mark.parametrize("year", EDITIONS)
def test_hands(year: str) -> None:
    battle = Battle("GOT", year).deployed().do("draw", player="blue", count=1)
    battle.do("discard", player="red", cards=list(battle.player("red").hand[:2]))
    battle.round_over()
    assert len(battle.player("blue").hand) == 4
    assert len(battle.player("red").hand) == 3
    battle.do("draw", player="blue", count=2)
    if year == "2018":
        assert len(battle.player("blue").hand) == 6
        assert battle.waits() == ["turn-start"]
        return
    assert battle.waits() == ["hand"]
    battle.refused("TMG-TIM-6", "activate", unit="b1")
    battle.refused("TMG-RND-20", "draw", player="blue")
    battle.do("discard", player="blue", cards=[battle.player("blue").hand[0]])
    assert len(battle.player("blue").hand) == 5
    assert battle.waits() == ["turn-start"]


@pytest.mark.rule("TMG-RND-21", "EX-50")
def test_a_deck_is_never_refilled() -> None:
    battle = Battle("GOT", "2018").deployed().do("draw", player="blue", count=15)
    assert len(battle.player("blue").deck) == 2
    battle.do("discard", player="blue", cards=list(battle.player("blue").hand))
    battle.round_over()
    assert (len(battle.player("blue").hand), battle.player("blue").deck) == (2, ())
    battle.refused("TMG-RND-21", "draw", player="blue")


@pytest.mark.rule("TMG-DECK-1")
def test_players_may_say_which_cards_they_drew() -> None:
    battle = Battle().deployed()
    wanted = battle.player("blue").deck[-1]
    battle.do("draw", player="blue", cards=[wanted])
    assert wanted in battle.player("blue").hand
    battle.refused("TMG-DECK-1", "draw", player="blue", cards=["nothing of the kind"])
    battle.do("discard", player="blue", cards=[wanted])
    battle.do("search", player="blue", card=wanted, **{"from": "discard"})
    assert wanted in battle.player("blue").hand


@pytest.mark.rule("TMG-DECK-9")
def test_some_cards_gain_from_a_zone() -> None:
    battle = Battle().deployed()
    card = battle.player("blue").hand[0]
    battle.refused("TMG-DECK-9", "play", player="blue", card=card, zone="crown")
    battle.do("activate", unit="bn1").do("claim", zone="crown")
    battle.do("play", player="blue", card=card, zone="crown")
    assert battle.log[-1].data["zone"] == "crown"


@pytest.mark.rule("TMG-DECK-8")
def test_the_unit_that_triggers_a_card_is_its_target() -> None:
    battle = Battle().deployed()
    battle.do("play", player="blue", card=battle.player("blue").hand[0], unit="b1")
    assert battle.log[-1].data["unit"] == "b1"


# -- timing -----------------------------------------------------------------------------------

WHEN = "when a friendly unit attacks"


@pytest.mark.rule("TMG-TIM-1", "TMG-DECK-6", "TMG-DECK-3", "TMG-DECK-7", "EX-46")
@pytest.mark.parametrize("year", EDITIONS)
def test_one_order_or_card_for_each_trigger(year: str) -> None:
    battle = Battle("GOT", year).deployed()
    first, second = battle.player("blue").hand[:2]
    battle.do("play", player="blue", card=first, trigger=WHEN)
    battle.refused("TMG-TIM-1", "play", player="blue", card=second, trigger=WHEN.upper())
    battle.refused("TMG-TIM-1", "order", unit="b1", order="Charge", trigger=WHEN)
    battle.do("play", player="blue", card=second, trigger="at the start of a turn")


@pytest.mark.rule("TMG-TIM-1")
@pytest.mark.parametrize("year", EDITIONS)
def test_2018_counts_every_optional_effect(year: str) -> None:
    battle = Battle("GOT", year).deployed()
    battle.do("play", player="blue", card=battle.player("blue").hand[0], trigger=WHEN)
    if year == "2018":
        battle.refused("TMG-TIM-1", "ability", unit="b1", name="Fury", trigger=WHEN)
    else:
        battle.do("ability", unit="b1", name="Fury", trigger=WHEN)


@pytest.mark.rule("TMG-TIM-1")
def test_the_next_occurrence_is_a_new_chance() -> None:
    battle = Battle().deployed()
    first, second = battle.player("blue").hand[:2]
    battle.do("play", player="blue", card=first, trigger=WHEN)
    battle.do("engage", unit="b1", **{"with": ["r1"]}).do("activate", unit="b1")
    battle.refused("TMG-TIM-1", "play", player="blue", card=second, trigger=WHEN)
    battle.do("action", action="attack", target="r1").fight(0)
    battle.do("end-turn").do("play", player="blue", card=second, trigger=WHEN)


@pytest.mark.rule("TMG-TIM-3", "TMG-TIM-4", "TMG-TIM-6", "EX-47")
def test_the_active_player_decides_first_then_the_opponent() -> None:
    battle = Battle().deployed()
    assert battle.view()["priority"] == ["blue", "red"]
    battle.do("play", player="blue", card=battle.player("blue").hand[0], trigger=WHEN)
    battle.do("play", player="red", card=battle.player("red").hand[0], trigger=WHEN)
    assert [event.data["player"] for event in battle.log if event.type == "played"] == [
        "blue",
        "red",
    ]


@pytest.mark.rule("TMG-TIM-4", "TMG-TIM-5", "EX-48")
def test_who_declined_may_not_react() -> None:
    battle = Battle().deployed().do("decline", player="blue", trigger=WHEN)
    battle.do("play", player="red", card=battle.player("red").hand[0], trigger=WHEN)
    card = battle.player("blue").hand[0]
    battle.refused("TMG-TIM-5", "play", player="blue", card=card, trigger=WHEN)


@pytest.mark.rule("TMG-TIM-3", "TMG-TIM-5")
def test_an_opponent_who_was_quicker_takes_nothing_from_the_active_player() -> None:
    battle = Battle().deployed()
    battle.do("play", player="red", card=battle.player("red").hand[0], trigger=WHEN)
    assert "blue is active" in battle.answer["reminders"][0]
    battle.do("play", player="blue", card=battle.player("blue").hand[0], trigger=WHEN)
    assert "reminders" not in battle.answer


FAITHFUL = {
    "side": "blue",
    "faction": "lannister",
    "units": [{"card": "Poor Fellows", "id": "b1"}, {"card": "Lannister Guardsmen", "id": "b2"}],
    "ncus": [{"name": "Qyburn", "id": "bn1"}],
}


@pytest.mark.rule("TMG-CARD-1")
def test_tokens_that_a_card_begins_with_are_counted() -> None:
    battle = Battle("GOT", armies=[FAITHFUL, LANNISTER]).deployed()
    begins = {"b1": {"faith": 1}, "bn1": {"order": 3}}
    assert battle.view()["counters"] == begins
    battle.do("counter", unit="bn1", token="order", by=-1)
    assert battle.view()["counters"]["bn1"] == {"order": 2}
    said = battle.refused("INPUT", "counter", unit="b1", token="faith", by=-2)
    assert "1 faith token" in said
    assert "counters" not in Battle("GOT").view(), "no card has any"
    (board, *_) = SCREEN.pages(battle.state)
    qyburn = next(card for card in board.sections[1].cards if card.id == "bn1")
    assert [str(line) for line in qyburn.lines] == ["ready", "Little Doves", "order × 2"]
    assert [one.commands[0].get("by") for one in qyburn.choices] == [None, -1, 1]
    faithful = next(one for one in SCREEN.pieces(battle.state) if one.id == "b1")
    assert "faith × 1" in [str(one.text) for one in faithful.badges]


@pytest.mark.rule("TMG-NCU-3", "TMG-ACT-5")
def test_2018_what_the_board_says_is_entered_while_its_zone_waits() -> None:
    battle = claiming("crown", "2018")
    (card,) = prompts(battle.state, None)
    found = {form.command["do"]: form for form in card.forms}
    assert {"test", "wounds", "hits", "grant", "token", "draw"} <= found.keys()
    (done,) = [one for one in card.choices if one.commands[0].get("skip")]
    assert (done.text, done.look) == ("What the board says is done", "primary")
    forms = {form.command["do"] for one in piece_views(battle.state) for form in one.forms}
    assert {"test", "wounds", "hits"} <= forms
    battle.do("grant", unit="b1")
    assert [one.id for one in prompts(battle.state, None)] == ["grant", "zone"]
    battle.do("free-action", unit="b1", action="maneuver")
    battle.do("test", unit="r1", modifier=-1)
    assert prompts(battle.state, None)[0].id == "test"
    battle.do("panic", unit="r1", faces=[6, 6], keep=True)
    battle.do("zone-effect", skip=True)
    assert battle.state.step == "end-of-turn"
