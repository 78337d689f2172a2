"""Rounds, phases, order tokens, morale and victory."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.api.play import Accepted
from companion.games.westeros.cards.command_card import enemy_at_most, own_at_least, rebuilt
from companion.games.westeros.cards.unit_cards import UnitReference
from companion.games.westeros.play import PLAY
from companion.games.westeros.play.state import current_table
from companion.games.westeros.screen import SCREEN
from companion.session.report.markdown_report import rolled
from models import CompanionError
from models.field import Field
from tests.games.westeros.clash import Clash

rule = pytest.mark.rule
ONE: Any = [("foot", "green", "5,2")]
OTHER: Any = [("foot", "green", "5,8")]


def plain(**more: Any) -> Clash:
    return Clash(ONE, OTHER, **more)


@rule("BOW-SET-5", "BOW-SET-6", "BOW-SET-7", "BOW-SET-8", "BOW-SET-10", "BOW-MOR-3", "BOW-UNT-3")
@rule("BOW-GEN-3", "BOW-GEN-7")
def test_the_battle_begins_as_its_plan_says() -> None:
    game = Clash([("foot", "green", "5,2"), ("rider", "red", "4,2")], OTHER, begin=False)
    state = game.state
    assert (state.round, state.morale, state.mace) == (1, 0, "stark")
    assert [one.tokens for one in state.houses] == [3, 3]
    assert [(one.figures, one.rank, game.cell(one.id)) for one in state.units] == [
        (4, "green", "5,2"),
        (3, "red", "4,2"),
        (4, "green", "5,8"),
    ]
    assert [one.edge for one in state.houses] == ["bottom", "top"]
    assert game.waits() == "reactivation"


@rule("BOW-SET-4", "BOW-V-4", "BOW-SET-9", "BOW-UNT-5")
def test_the_command_deck_has_10_cards_and_5_for_each_commander() -> None:
    two: Any = [("foot", "green", "5,2", "lord"), ("foot", "blue", "4,2", "lady")]
    game = Clash(two, OTHER, begin=False)
    assert (game.house("stark").deck, game.house("lannister").deck) == (20, 10)
    assert game.unit("s1").name == "Lord"
    assert game.unit("s1").figures == 4  # the commander replaces one figure


@rule("BOW-SET-1", "BOW-SET-2", "BOW-SET-3", "BOW-CMP-6", "BOW-CMP-7", "BOW-CMP-1")
def test_the_screen_says_what_is_laid_out() -> None:
    leaders: Any = [("foot", "green", "5,2", "lord"), ("rider", "green", "3,2")]
    game = Clash(leaders, OTHER, begin=False, note="Two strategy markers lie face down.")
    (prompt,) = SCREEN.prompts(game.state)
    facts = [one.text for one in prompt.facts]
    assert "command board" in facts[0]
    assert "side A" in facts[1]
    assert facts[2:4] == [
        "board edge of Stark: on this side",
        "board edge of Lannister: on the far side",
    ], "BOW-GEN-7"
    assert facts[4:] == ["Lord: the card lies coloured side up.", game.state.plan.note]
    kinds = {one.id: one.kind for one in SCREEN.pieces(game.state)}
    assert (kinds["s1"], kinds["s2"]) == ("square", "rectangular")
    assert set(kinds.values()) == {one.id for one in SCREEN.space("westeros").pieces}


@rule("BOW-SET-9", "BOW-UNT-4")
def test_a_commander_leads_a_unit_of_the_type_on_the_card() -> None:
    game = Clash([("burner", "blue", "5,2", "plunderer")], OTHER, begin=False)
    assert game.unit("s1").card.id == "burner"  # all other figures are of that type
    with pytest.raises(CompanionError, match="Plunderer leads a unit of Burner"):
        Clash([("foot", "blue", "5,2", "plunderer")], OTHER)


@rule("BOW-UNT-7", "BOW-GEN-6")
def test_class_and_traits_come_from_the_card_and_traits_do_nothing() -> None:
    plain = {"id": "x", "name": "X", "class": "ranged", "traits": ["Knight", "Outlaw"]}
    card = UnitReference.read(Field(plain))
    other = UnitReference.read(Field({**plain, "traits": []}))
    assert (card.kind, card.row("green"), card.strength) == ("ranged", other.row("green"), 4)
    assert UnitReference.read(Field(card.to_json())) == card
    assert card.traits == ("Knight", "Outlaw")


@rule("BOW-RND-8", "BOW-V-1", "BOW-RND-7", "BOW-RND-1")
def test_orders_are_rolled_by_the_first_player_first() -> None:
    game = plain(begin=False, orders=3).do("begin")
    assert game.waits() == "orders"
    assert PLAY.pending(game.state)[0].side == "stark"
    game.do("orders", faces=["G", "G", "M"])
    assert game.house().pool == ("G", "G", "M")
    assert PLAY.pending(game.state)[0].side == "lannister"
    assert "3 cards" in game.titles[0]
    game.do("orders")  # the companion rolls
    assert len(game.house("lannister").pool) == 3
    assert game.state.phase == "command"
    assert "2 dice given, 3 rolled" in plain(begin=False, orders=3).do("begin").refused(
        "orders", faces=["G", "G"]
    )


@rule("BOW-RND-9", "BOW-V-2", "BOW-RND-18", "BOW-D-35")
def test_kept_cards_and_tokens() -> None:
    game = plain(cards=3, rolls=("GGBM", "VVVV"))
    assert game.house().hand == 3
    game.pass_both()
    assert game.waits() == "keep"
    (asked,) = SCREEN.prompts(game.state)
    rows = [str(one.text) for one in asked.choices]  # the card is the player's choice, too
    assert [one for one in rows if "no token" in one] == [
        "Keep no token, 1 card",
        "Keep no token, 0 cards",
    ]
    assert len(rows) == 2 * len("GBM") + 2
    assert game.refused("keep", token="R") == "BOW-RND-18"
    game.do("keep", token="M", cards=1)
    assert (game.house().pool, game.house().hand, game.house().discards) == (("M",), 1, 2)
    game.do("keep", cards=0)
    assert game.house("lannister").hand == 0
    assert (game.state.round, game.waits()) == (2, "orders")
    game.do("orders", faces=["G", "G", "G", "G"])
    assert game.house().hand == 4  # V2: drawn 3, kept 1
    assert game.house().pool == ("M", "G", "G", "G", "G")


@rule("BOW-RND-10")
def test_an_empty_deck_is_rebuilt_from_the_discards() -> None:
    game = plain(cards=6, rounds=5)
    assert game.house().deck == 4
    game.next_round()
    assert (game.house().deck, game.house().hand, game.house().discards) == (4, 6, 0)


@rule("BOW-RND-6", "BOW-V-3", "BOW-UNT-9", "BOW-CMP-3", "BOW-CMP-4")
def test_banners_turn_to_the_colour_of_the_round() -> None:
    game = plain()
    assert game.state.colour == "white"
    game.order("s1").do("end-turn")
    assert game.unit("s1").active is False
    game.next_round()
    assert game.state.colour == "black"
    assert game.unit("s1").active is True


@rule("BOW-RND-3", "BOW-RND-4", "BOW-RND-5", "BOW-D-18")
def test_initiative_counts_tokens_on_the_board_before_they_return() -> None:
    leaders: Any = [("foot", "green", "5,2", "lord")]
    game = Clash(leaders, [("foot", "green", "5,8", "lady")], tokens=(3, 3), rounds=4)
    assert game.state.first == "stark"  # a tie: the mace
    game.do("card", unit="s1", tokens=[1], units=[])
    assert (game.house().tokens, game.unit("s1").tokens) == (2, 1)
    game.next_round()
    assert game.state.first == "lannister"  # 2 against 3 tokens on the boards
    assert (game.house().tokens, game.unit("s1").tokens) == (3, 0)
    assert Clash(leaders, OTHER, tokens=(2, 3)).state.first == "lannister"
    assert plain(mace="lannister").state.first == "lannister"


@rule("BOW-RND-11", "BOW-RND-12", "BOW-RND-14", "BOW-GEN-5")
def test_players_alternate_until_both_have_passed() -> None:
    game = Clash([("foot", "green", "5,2"), ("foot", "green", "4,2")], OTHER)
    assert game.state.active == "stark"
    assert game.refused("order", unit="l1", tokens=["V"]) == "BOW-GEN-5"
    game.order("s1")
    assert game.refused("order", unit="s2", tokens=["V"]) == "BOW-RND-11"
    assert game.refused("pass") == "BOW-RND-11"
    game.do("end-turn")
    assert game.state.active == "lannister"
    game.do("pass")
    assert game.state.active == "stark"
    game.order("s2").do("end-turn")
    assert game.state.active == "stark"  # the other goes on until passing
    game.do("pass")
    assert game.state.phase == "regroup"


@rule("BOW-RND-13")
def test_who_has_neither_token_nor_card_must_pass() -> None:
    game = plain(cards=0, orders=1, rolls=("V", "V"))
    game.order("s1").do("end-turn").order("l1").do("end-turn")
    assert game.state.round == 2 or game.state.phase != "command"


@rule("BOW-ORD-1", "BOW-ORD-2", "BOW-ORD-3", "BOW-ORD-4", "BOW-ORD-5", "BOW-ORD-8", "BOW-ORD-9")
@rule("BOW-D-17", "BOW-ORD-11", "BOW-OR-35")
@pytest.mark.parametrize(
    ("rank", "tokens", "why"),
    [
        ("green", "G", ""),
        ("green", "B", "BOW-ORD-3"),
        ("green", "R", "BOW-ORD-4"),
        ("blue", "B", ""),
        ("blue", "G", "BOW-ORD-2"),
        ("red", "R", ""),
        ("red", "V", ""),
        ("green", "V", ""),
        ("green", "M", "BOW-ORD-8"),
        ("red", "MM", ""),  # D17
        ("red", "GG", ""),
        ("red", "GB", "BOW-ORD-9"),
        ("red", "RR", "BOW-ORD-1"),
        ("red", "", "BOW-ORD-1"),
    ],
)
def test_which_tokens_order_a_unit(rank: str, tokens: str, why: str) -> None:
    game = Clash([("foot", rank, "5,2")], OTHER, orders=8, rolls=("GGBRVMMG", "VVVVVVVV"))
    if why:
        assert game.refused("order", unit="s1", tokens=list(tokens)) == why
        return
    game.order("s1", tokens)
    assert len(game.house().pool) == 8 - len(tokens)
    assert game.state.acting is not None


@rule("BOW-UNT-10", "BOW-ORD-10", "BOW-OPT-4", "BOW-UNT-9")
def test_only_active_units_are_ordered_and_then_inactive() -> None:
    game = plain()
    game.order("s1").do("end-turn").do("pass")
    assert game.refused("order", unit="s1", tokens=["V"]) == "BOW-UNT-10"
    assert not any(one["do"] == "order" for one in game.commands())


@rule("BOW-ORD-6", "BOW-ORD-7", "BOW-ORD-12", "BOW-MOR-5", "BOW-MOR-1", "BOW-MOR-2")
def test_the_two_uses_of_a_morale_token() -> None:
    game = plain(rolls=("MMMV", "VVVV"))
    game.do("morale", use="raise")
    assert (game.state.morale, game.state.active) == (1, "lannister")
    assert game.state.depth("lannister") == 1  # one marker for both houses
    game.do("pass")
    assert game.refused("morale", use="reactivate", unit="s1") == "BOW-ORD-7"
    assert game.refused("morale", use="reactivate", unit="l1") == "BOW-ORD-7"
    game.order("s1").do("end-turn")
    game.do("morale", use="reactivate", unit="s1")
    assert (game.state.morale, game.unit("s1").active) == (0, True)
    assert plain().refused("morale", use="raise") == "BOW-ORD-1"


@rule("BOW-RND-18")
@pytest.mark.parametrize(("spent", "cards", "rows"), [(False, 0, 2), (True, 1, 2), (False, 1, 4)])
def test_an_only_token_or_card_may_go_too(spent: bool, cards: int, rows: int) -> None:
    game = plain(cards=cards, orders=1, rolls=("M", "M"))
    if spent:
        game.do("morale", use="raise").do("pass").do("pass")
    else:
        game.pass_both()
    assert (game.waits(), PLAY.pending(game.state)[0].side) == ("keep", "stark")
    assert len(SCREEN.prompts(game.state)[0].choices) == rows
    game.do("keep", cards=0)
    assert (game.house().pool, game.house().hand) == ((), 0)


@rule("BOW-RND-18")
def test_who_has_nothing_left_is_not_asked_what_to_keep() -> None:
    game = plain(cards=0, orders=1, rolls=("M", "M"))
    game.do("morale", use="raise").do("morale", use="raise")
    game.pass_both()
    assert (game.state.round, game.waits()) == (2, "orders")


# -- morale ----------------------------------------------------------------------------------------


@rule("BOW-MOR-9", "BOW-MOR-10", "BOW-V-10", "BOW-RND-19", "BOW-OR-36", "BOW-OR-37")
@pytest.mark.parametrize(
    ("depth", "to"), [(6, 4), (7, 4), (4, None), (5, 4), (9, 8), (8, None), (3, None), (0, None)]
)
def test_rebuilding_morale(depth: int, to: int | None) -> None:
    assert rebuilt(depth) == to
    game = plain().do("effect", side="stark", morale=depth)
    game.do("pass").do("pass")
    while game.waits() == "keep":
        game.do("keep", cards=0)
    if to is None:
        assert game.waits() == "orders"
    else:
        assert game.waits() == "rebuild"
        assert PLAY.pending(game.state)[0].side == "lannister"
        game.do("rebuild", yes=True)
        assert game.state.depth("lannister") == to


@rule("BOW-MOR-4", "BOW-MOR-1", "BOW-D-19", "BOW-UNT-12", "BOW-OR-32")
@pytest.mark.parametrize(("rank", "by"), [("green", 1), ("blue", 2), ("red", 3)])
def test_eliminated_units_cost_morale_by_rank(rank: str, by: int) -> None:
    game = Clash([("rider", "red", "5,5")], [("foot", rank, "5,6"), *OTHER], rout=False)
    game.order("s1").attack("s1", "l1", "VVVV")
    assert game.state.morale == by
    assert game.unit("l1").fate == "eliminated"


@rule("BOW-MOR-7", "BOW-VIC-5", "BOW-VIC-4")
def test_a_rout_wins_at_once() -> None:
    game = plain(victory={"goal": 5}).do("effect", side="stark", points=4)
    game.do("effect", side="stark", morale=-11)
    assert (game.state.winner, game.state.phase) == ("lannister", "over")
    assert "routed" in game.state.how
    assert game.refused("pass") == "BOW-VIC-4"


def test_a_player_may_give_up_at_any_time() -> None:
    """Before the first round, and while dice are asked for; nobody scores for it."""
    for game in (plain(begin=False), plain().order("s1")):
        (*_, gives_up) = SCREEN.score(game.state).ends
        (command,) = gives_up.commands
        assert PLAY.authority(game.state, command).seats == ("lannister",)
        game.do("concede", side="lannister")
        over = SCREEN.score(game.state)
        assert (over.winner, str(over.how), over.ends) == ("stark", gives_up.text, ())
        assert PLAY.score(game.state) == {"stark": 0, "lannister": 0}
        assert game.refused("concede", side="stark") == "BOW-VIC-4"


@rule("BOW-MOR-8", "BOW-D-20", "BOW-SET-6")
def test_without_a_rout_field_the_marker_stays_at_the_end() -> None:
    game = plain(rout=False).do("effect", side="stark", morale=-11)
    assert game.state.depth("stark") == 11
    game.do("effect", side="stark", morale=-1)
    assert game.state.depth("stark") == 11
    game.do("effect", side="stark", morale=1)
    assert game.state.depth("stark") == 10


@rule("BOW-CRD-14", "BOW-CRD-15")
@pytest.mark.parametrize(
    ("depth", "own", "enemy"),
    [
        (0, True, False),
        (3, True, False),
        (4, True, True),
        (7, True, True),
        (8, False, True),
        (11, False, True),
        (-5, True, False),
    ],
)
def test_morale_as_a_prerequisite(depth: int, own: bool, enemy: bool) -> None:
    assert own_at_least(depth, "green") == own
    assert enemy_at_most(depth, "green") == enemy


@rule("BOW-MOR-6", "BOW-GEN-2")
def test_card_effects_are_entered() -> None:
    game = plain().do("effect", side="lannister", morale=2, why="Rally All")
    assert game.state.depth("stark") == 2
    game.do("effect", side="stark", hand=5, tokens=2, pool=["G"])
    house = game.house()
    assert (house.hand, house.tokens, house.pool) == (5, 2, ("G",))
    game.do("effect", unit="s1", figures=2, active=False, to="4,4")
    assert (game.unit("s1").figures, game.unit("s1").active, game.cell("s1")) == (2, False, "4,4")
    assert game.refused("effect", unit="s1", to="5,8") == "BOW-UNT-2"
    game.do("effect", unit="l1", figures=0)
    assert game.unit("l1").fate == "eliminated"


# -- victory ---------------------------------------------------------------------------------------


def last_round(game: Clash) -> Clash:
    while not game.state.winner:
        game.next_round()
    return game


@rule("BOW-RND-2", "BOW-RND-17", "BOW-RND-20", "BOW-V-5", "BOW-VIC-1", "BOW-RND-15")
def test_the_last_round_ends_the_battle() -> None:
    game = plain(rounds=5).do("effect", side="lannister", points=1)
    last_round(game)
    assert (game.state.round, game.state.winner) == (5, "lannister")
    assert game.state.how == "more victory points"


@rule("BOW-VIC-2", "BOW-VIC-3", "BOW-D-21")
@pytest.mark.parametrize(
    ("morale", "mace", "winner"), [(1, "lannister", "stark"), (-1, "stark", "lannister"),
                                   (0, "stark", "stark"), (0, "lannister", "lannister")]
)  # fmt: skip
def test_ties_go_to_morale_and_then_to_the_mace(morale: int, mace: str, winner: str) -> None:
    game = plain(mace=mace)
    for side in ("stark", "lannister"):
        game.do("effect", side=side, points=5)
    game.do("effect", side="stark", morale=morale)
    assert last_round(game).state.winner == winner


@rule("BOW-RND-16", "BOW-CMP-8", "BOW-VIC-1")
def test_sites_score_each_round_and_at_the_end() -> None:
    sites = [{"cell": "5,3", "round": 1, "end": 3}]
    game = plain(victory={"sites": sites, "morale": [1, 2, 3]}, rounds=2)
    game.order("s1").do("move", unit="s1", to="5,3").do("end-turn")
    assert game.state.control == (((5, 3), "stark"),)
    game.next_round()
    assert game.house().vp == 1
    game.order("s1").do("move", unit="s1", to="5,4").do("end-turn")  # it is still held
    game.do("effect", side="stark", morale=8)
    last_round(game)
    assert game.house().vp == 1 + 4 + 2
    assert game.state.winner == "stark"


@rule("BOW-VIC-4")
def test_a_goal_wins_at_once() -> None:
    game = plain(victory={"goal": 3, "unit": 1}).do("effect", side="lannister", points=3)
    assert game.state.winner == "lannister"


@rule("BOW-VIC-1")
def test_a_battle_for_sites() -> None:
    sites = [{"cell": "5,8", "held_by": "lannister"}, {"cell": "1,1"}]
    victory = {"sites": sites, "holder": "lannister", "holds": 2}
    held = current_table(plain(victory=victory).state).board.marks
    assert held == {(5, 8): ("objective", "held-2"), (1, 1): ("objective",)}  # BOW-CMP-8
    assert last_round(plain(victory=victory, rounds=1)).state.winner == "stark"
    victory["holds"] = 1
    assert last_round(plain(victory=victory, rounds=1)).state.winner == "lannister"


def test_every_offered_command_of_a_turn_is_accepted() -> None:
    game = Clash(
        [("foot", "green", "5,2", "lord"), ("archer", "red", "4,2")], OTHER, rolls=("GBRM", "VVVV")
    )
    for command in game.commands():
        assert isinstance(PLAY.decide(game.state, command), Accepted), command


@rule("BOW-CMP-2")
def test_reports_name_the_symbols_of_the_order_dice() -> None:
    battle = Clash([("foot", "green", "5,2")], [("foot", "green", "5,8")], begin=False).do("begin")
    battle.do("orders", faces=["G", "V"] * 2)
    (roll,) = (one for event in battle.events for one in PLAY.dice(event))
    told = rolled(roll, {})
    assert told == "orders: ▲ green, ★ valour, ▲ green, ★ valour"
