"""What a unit of the miniatures game is offered: legal first, by name, with odds or a reason."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.engine.turn.selection import offer_key
from companion.games.api.play import Accepted, Refusal
from companion.games.api.prompt import ActionOffer
from companion.games.tmg.game import GAME
from companion.games.tmg.play import PLAY
from companion.games.tmg.play.practice_game import TABLE, opening, set_up
from companion.games.tmg.play.state.game_state import GameState
from companion.games.tmg.play.state.play_rules import ZONES
from companion.games.tmg.play.state.table_facts import current_table
from companion.games.tmg.rules.report import MiniaturesReport
from companion.games.tmg.screen import SCREEN
from companion.games.tmg.screen.action_offers import refused
from companion.games.tmg.screen.dice_requests import attack_forecast
from companion.text.translation import catalogue
from models import EXACT, Sigma, Table
from tests.games.tmg.play.sighted import NORTH, SOUTH, seen
from tests.games.tmg.play.test_terrain_costs import stakes
from tests.games.tmg.screen.played import spoken, wrong
from tests.play.battle import Battle, battle_of


@pytest.fixture(scope="module")
def practice() -> tuple[GameState, MiniaturesReport]:
    """The practice game at its first turn."""
    table = Table.load(TABLE)
    command = set_up(table)
    setup = PLAY.prepare(table.game, {k: v for k, v in command.items() if k != "game"})
    assert not isinstance(setup, Refusal), setup
    state = PLAY.start(table.game, setup)
    for one in opening(table):
        state = after(state, one)
    return state, GAME.report(current_table(state))


def after(state: GameState, *commands: object) -> GameState:
    for command in commands:
        decision = PLAY.decide(state, command)  # type: ignore[arg-type]
        assert isinstance(decision, Accepted), decision
        for event in decision.events:
            state = PLAY.apply(state, event)
    return state


def units(state: GameState) -> list[str]:
    return [unit.id for unit in state.standing(state.active)]


@pytest.mark.rule("TMG-ACT-1", "TMG-CHG-4", "TMG-RNG-10")
def test_every_legal_offer_is_accepted_and_every_other_has_a_reason(
    practice: tuple[GameState, MiniaturesReport],
) -> None:
    state, report = practice
    for unit in units(state):
        found = SCREEN.offers(state, report, unit)
        assert found
        verdicts = [one.verdict == "no" for one in found]
        assert verdicts == sorted(verdicts), "what is legal comes first"
        worth = [one.value for one in found if one.verdict != "no"]
        assert worth == sorted(worth, reverse=True), "and of that the best"
        attacks = [one.kind in ("charge", "shot", "melee") for one in found if one.value > 0]
        assert attacks == sorted(attacks, reverse=True), "what may cost the enemy wounds first"
        for one in found:
            assert (refused(state, one.commands) is None) or one.verdict == "no", one
            if one.verdict == "no":
                assert one.reason
                assert one.rules
            elif one.dice is not None:
                *before, last = one.commands
                assert one.dice.command == last
                given = {**last, one.dice.field: [3] * one.dice.count}
                assert refused(state, [*before, given]) is None


@pytest.mark.parametrize("language", ["en", "de", "ru"])
def test_offers_name_units_and_hide_rule_numbers(
    practice: tuple[GameState, MiniaturesReport], language: str
) -> None:
    state, report = practice
    told = catalogue(language).translate
    for unit in (*units(state), "r1", state.ncus[0].id):
        texts = list(spoken(SCREEN.offers(state, report, unit)))
        assert wrong((told(text) for text in texts), state) == []
        assert all(told(text) for text in texts)


@pytest.mark.rule("TMG-ACT-1")
def test_the_overview_has_the_best_attack_of_each_unit(
    practice: tuple[GameState, MiniaturesReport],
) -> None:
    state, report = practice
    best = SCREEN.offers(state, report)
    assert best
    assert len({one.piece for one in best}) == len(best)
    assert [one.value for one in best] == sorted((one.value for one in best), reverse=True)
    for one in best:
        own = [other for other in SCREEN.offers(state, report, one.piece) if other.verdict != "no"]
        assert own[0].target == one.target
        assert one.odds or one.expected or one.kind == "melee"


def charge() -> tuple[GameState, list[ActionOffer]]:
    spots = {"b1": (24.0, 10.0, NORTH), "r1": (24.0, 22.0, SOUTH)}
    state = seen(battle_of("GOT"), spots, ()).state
    report = GAME.report(current_table(state))
    found = SCREEN.offers(state, report, "b1")
    return state, [one for one in found if one.kind == "charge" and one.target == "r1"]


@pytest.mark.rule("TMG-CHG-4")
def test_a_charge_says_its_chance_and_its_expected_wounds() -> None:
    state, (offer,) = charge()
    assert offer.text == "Charge Lannister Crossbowmen"
    assert offer.target == "r1"
    assert offer.odds.endswith(" %")
    assert "wounds" in offer.expected
    assert [command["do"] for command in offer.commands] == ["activate", "action"]
    assert catalogue("de").translate(offer.text) == (
        "Ansturm auf Armbrustschützen von Haus Lennister"
    )
    state = after(state, *offer.commands)
    assert state.acting is not None


@pytest.mark.rule("TMG-RND-6")
def test_a_unit_of_the_other_side_cannot_act_and_says_why() -> None:
    state = battle_of("GOT").state
    (only,) = SCREEN.offers(state, None, "r1")
    assert only.verdict == "no"
    assert only.reason


@pytest.mark.rule("TMG-ACT-1")
def test_without_a_table_the_players_measure() -> None:
    state = battle_of("GOT").state
    kinds = {one.kind for one in SCREEN.offers(state, None, "b2") if one.verdict != "no"}
    assert {"charge", "shot", "maneuver", "march", "forgo"} <= kinds


@pytest.mark.rule("TMG-NCU-3")
def test_an_ncu_is_offered_the_zones_of_the_board() -> None:
    state = battle_of("GOT").state
    found = SCREEN.offers(state, None, "bn1")
    kinds = [one.kind for one in found if one.verdict == "yes"]
    assert kinds == ["claim"] * 5 + ["forgo"]  # TMG-NCU-5
    taken = replace(state, board=("rn1", "", "", "", ""))
    crown, *_ = (one for one in SCREEN.offers(taken, None, "bn1") if one.verdict == "no")
    assert crown.text == "Claim Crown"


@pytest.mark.rule("TMG-ATK-1")
def test_nothing_is_offered_while_dice_wait() -> None:
    state, (offer,) = charge()
    state = after(state, *offer.commands[:-1], {**offer.commands[-1], "faces": [6]})
    assert state.attack is not None
    assert SCREEN.offers(state, GAME.report(current_table(state)), "b1") == ()


@pytest.mark.rule("TMG-CHG-4")
def test_against_a_unit_that_moved_since_the_players_measure(
    practice: tuple[GameState, MiniaturesReport],
) -> None:
    state, report = practice

    def charges(now: GameState) -> dict[str, ActionOffer]:
        found = SCREEN.offers(now, report, "b6")
        return {one.target: one for one in found if one.kind == "charge"}

    far = next(target for target, one in charges(state).items() if one.verdict == "no")
    moved = replace(state, moved=(far,))
    assert charges(moved)[far].verdict == "yes", "the game would accept it"
    assert refused(moved, charges(moved)[far].commands) is None
    near = next(target for target, one in charges(state).items() if one.chance)
    assert charges(replace(state, moved=(near,)))[near].chance is None, "nobody has measured it"


@pytest.mark.rule("TMG-LOS-8")
def test_without_a_table_the_players_say_into_which_arc_they_attack() -> None:
    """Three rows, each a choice of its own; a table or an earlier melee tells it otherwise."""
    battle = battle_of("GOT").do("engage", unit="b1", **{"with": ["r1"]})
    fights = [one for one in SCREEN.offers(battle.state, None, "b1") if one.kind == "melee"]
    assert [one.commands[-1]["zone"] for one in fights] == ["front", "flank", "rear"]
    assert [str(one.detail) for one in fights] == [
        "into the front",
        "into the flank",
        "into the rear",
    ]
    assert len({offer_key(one) for one in fights}) == 3


@pytest.mark.rule("TMG-LOS-8", "TMG-BON-3", "TMG-BON-5")
@pytest.mark.parametrize("sigma", [EXACT, Sigma(0.06, 1.0)])
def test_only_the_arcs_between_which_it_is_too_close_to_call_are_offered(sigma: Sigma) -> None:
    """Nothing of the tray is near the rear; each arc has the wounds of its own dice."""
    spots = {"b2": (30.0, 7.4, NORTH), "r3": (38.0, 14.5, SOUTH)}
    battle = seen(battle_of("GOT"), spots, sigma=sigma)
    found = SCREEN.offers(battle.state, GAME.report(current_table(battle.state)), "b2")
    zones = {""} if sigma == EXACT else {"front", "flank"}
    for kind in ("shot", "charge"):
        at = [one for one in found if (one.kind, one.target) == (kind, "r3")]
        assert {one.commands[-1].get("zone", "") for one in at} == zones, kind
        assert len({str(one.expected) for one in at}) == len(at) == len(zones), "other dice"
        assert all("arc too close to call" in one.detail for one in at) is (sigma != EXACT)
        assert all(refused(battle.state, one.commands) is None for one in at)


@pytest.mark.rule("TMG-TER-9", "TMG-TER-10")
@pytest.mark.parametrize(
    ("low", "kinds"), [(8, {"charge", "maneuver", "march", "break"}), (13, {"charge"})]
)
def test_the_players_roll_the_die_of_dangerous_ground_inside_an_action(
    low: float, kinds: set[str]
) -> None:
    """Stakes under the tray cost a D3 with every action, stakes on the way with the charge."""
    spots = {"b1": (24.0, 10.0, NORTH), "r1": (24.0, 22.8, SOUTH)}
    battle = seen(battle_of("GOT"), spots, (stakes("2021", low, low + 1),))
    found = SCREEN.offers(battle.state, GAME.report(current_table(battle.state)), "b1")
    asked = set()
    for offer in found:
        requests = (offer.dice, *offer.dice.extra) if offer.dice is not None else ()
        asked |= {offer.kind for one in requests if (one.field, one.sides) == ("d3", 3)}
    assert asked == kinds
    charge = next(one for one in found if one.kind == "charge" and one.target == "r1")
    *start, last = charge.commands
    for command in (*start, {**last, "faces": [6], "d3": 2}):
        battle.do(**{"word": command["do"], **{k: v for k, v in command.items() if k != "do"}})
    assert battle.unit("b1").wounds == 3


@pytest.mark.rule("TMG-ZON-4", "TMG-ATK-1")
def test_combat_is_not_proposed_where_nobody_can_attack() -> None:
    battle = battle_of("GOT")
    ncu = next(one.id for one in battle.state.ncus if one.side == battle.state.active)
    apart = seen(battle, {})
    claims = [one for one in SCREEN.offers(apart.state, None, ncu) if one.kind == "claim"]
    zones = [one.commands[-1]["zone"] for one in claims]
    assert zones == list(ZONES), "always in the order of the board"
    told = {one.commands[-1]["zone"] for one in claims if "can attack now" in one.detail}
    assert told == {"combat"}
    apart.do("activate", unit=ncu).do("claim", zone="combat")
    assert "none of your units can attack now" in SCREEN.prompts(apart.state)[0].text
    touching = {"b1": (24.0, 20.0, NORTH), "r1": (24.0, 24.8, SOUTH)}
    battle = seen(battle_of("GOT"), touching)
    claims = [one for one in SCREEN.offers(battle.state, None, ncu) if one.kind == "claim"]
    assert not any("can attack now" in one.detail for one in claims)


@pytest.mark.rule("TMG-SIM-2")
def test_a_shot_into_a_melee_says_which_own_unit_will_test_panic() -> None:
    battle = Battle().deployed().do("engage", unit="b1", **{"with": ["r1"]})
    shots = [one for one in SCREEN.offers(battle.state, None, "b2") if one.kind == "shot"]
    told = {one.target: str(one.detail) for one in shots if one.commands[-1]["zone"] == "front"}
    warning = "Stark Sworn Swords must test panic afterwards"
    assert {target: warning in text for target, text in told.items()} == {
        "r1": True,
        "r2": False,
        "r3": False,
    }
    battle.do("activate", unit="b2")
    battle.do("action", action="attack", target="r1", ranged=True, zone="front")
    battle.do("attack-result", wounds=0)
    (gold,) = [
        one
        for prompt in SCREEN.prompts(battle.state)
        for one in prompt.choices
        if one.dice is not None
    ]
    assert str(gold.text) == "Continue: Stark Sworn Swords must test"


@pytest.mark.rule("TMG-ORD-1")
def test_a_player_sees_only_the_own_orders() -> None:
    battle = Battle().deployed().do("activate", unit="b1").do("action", action="forgo")
    for seat, expected in (("blue", {"b3"}), ("red", {"r2"}), (None, {"b3", "r2"})):
        (prompt,) = SCREEN.prompts(battle.state, seat)
        orders = [one for one in prompt.choices if one.commands[0]["do"] == "order"]
        assert {one.commands[0]["unit"] for one in orders} == expected, seat
        assert {one.piece for one in orders} == {""}, "a selected unit does not choose its order"


@pytest.mark.rule("TMG-MEL-6", "TMG-BON-3")
def test_a_melee_row_tells_the_wounds_that_its_dice_will_tell() -> None:
    for spot, zone in (((24, 24.8, SOUTH), "front"), ((24, 24.8, NORTH), "rear")):
        battle = seen(battle_of("GOT"), {"b1": (24, 20, NORTH), "r1": spot})
        report = GAME.report(current_table(battle.state))
        offers = SCREEN.offers(battle.state, report, "b1")
        row = next(one for one in offers if one.kind == "melee")
        battle.do("activate", unit="b1").do("action", action="attack", target="r1")
        attack = battle.state.attack
        assert attack is not None
        assert attack.zone == zone
        assert row.expected == attack_forecast(battle.state, attack)
        assert row.expected


@pytest.mark.rule("TMG-MODE-FAB-6")
def test_the_commanders_unit_puts_its_token_before_it_acts() -> None:
    battle = seen(
        battle_of("FAB"),
        {"b1": (24, 10, NORTH), "r1": (24, 22, SOUTH), "r2": (24, 45, SOUTH)},
    )
    report = GAME.report(current_table(battle.state))
    offers = [one for one in SCREEN.offers(battle.state, report, "b1") if one.kind == "vp-token"]
    assert "r1" in [one.target for one in offers]
    assert "r2" not in [one.target for one in offers]  # beyond Long Range
    for command in next(one for one in offers if one.target == "r1").commands:
        battle.do(str(command["do"]), **{key: command[key] for key in command if key != "do"})
    assert battle.unit("r1").vp_tokens == 1
    left = [one.kind for one in SCREEN.offers(battle.state, report, "b1") if one.verdict != "no"]
    assert "vp-token" not in left
    assert "maneuver" in left
    assert not any(one.kind == "vp-token" for one in SCREEN.offers(battle.state, report, "b2"))


@pytest.mark.rule("TMG-MODE-HWS-7")
def test_an_ncu_is_offered_the_quadrants_where_the_mode_has_them() -> None:
    offers = SCREEN.offers(battle_of("HWS").state, None, "bn1")
    told = [str(one.text) for one in offers if one.verdict != "no"]
    assert sum("quadrant" in one for one in told) == 4, told
    other = SCREEN.offers(battle_of("GOT").state, None, "bn1")
    assert not any("quadrant" in str(one.text) for one in other)
