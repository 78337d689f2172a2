"""Rounds: phases, windows, plots, initiative, drawing, marshaling phase, taxation."""

from __future__ import annotations

import pytest

from companion.games.thrones.play import PLAY
from companion.games.thrones.play.flow import PIPELINE
from companion.games.thrones.play.prompts.question import prompts
from companion.games.thrones.rules.values import initiative_leaders
from models.message import BadInput
from tests.games.thrones.decks import challenges, game
from tests.games.thrones.driver import CardGame


def steps_of_a_round(found: CardGame) -> list[str]:
    """The steps of a whole round without actions."""
    now = found.state.round
    while found.state.round == now:
        found.idle()
    return [one.data["step"] for one in found.log if one.type == "step"]


# -- pipeline --------------------------------------------------------------------------------------


@pytest.mark.rule("AGOT-RND-1", "AGOT-RND-3", "AGOT-RND-4", "AGOT-RND-5", "AGOT-RND-7",
                  "AGOT-RND-11", "AGOT-MAR-18", "AGOT-CHL-40", "AGOT-CHL-41")  # fmt: skip
def test_the_steps_of_a_joust_round() -> None:
    assert steps_of_a_round(game()) == [
        *("1.3", "1.3.I", "1.3.II", "1.3.III", "1.3.R", "AW1", "1.5"),
        *("2.1", "2.2", "AW2", "2.3"),
        *("3.1", "3.2", "AW3", "3.3", "3.2", "AW3", "3.3", "3.4"),
        *("4.1", "AW4", "4.2", "4.3", "AW4", "4.2", "4.3", "4.4"),
        *("5.1", "5.2", "AW5", "5.3"),
        *("6.1", "6.2", "AW6", "6.3"),
        *("7.1", "7.2", "7.3", "AW7", "7.5"),
        *("1.1", "1.2"),
    ]


@pytest.mark.rule("AGOT-RND-7", "AGOT-V-46", "AGOT-CHL-39", "AGOT-CHL-40", "AGOT-CHL-41",
                  "AGOT-OR-21")  # fmt: skip
def test_the_windows_of_three_challenges() -> None:
    found = challenges()
    mine = [found.put("p1", f"Strength {n}") for n in (1, 2)]
    his = found.put("p2", "Strength 3")
    log = len(found.log)
    for kind, card in (("military", mine[0]), ("power", mine[1])):
        found.until("4.2").do("challenge", type=kind, attackers=[card])
        found.do("pass", all=True).do("defend").do("pass", all=True).do("continue")
        if found.state.step == "4.2.4":
            found.do("claim", instead="test")
    found.until("4.2").do("no-challenge")
    found.until("4.2").do("challenge", type="intrigue", attackers=[his])
    found.do("pass", all=True).do("defend").do("pass", all=True).do("continue")
    found.do("claim").until("4.2").do("no-challenge")
    steps = [one.data["step"] for one in found.log[log:] if one.type == "step"]
    assert steps.count("AW4") + 1 == 5
    assert (steps.count("AW4A"), steps.count("AW4B")) == (3, 3)
    assert found.state.step == "AW5"


@pytest.mark.rule("AGOT-ORD-10", "AGOT-ORD-11", "AGOT-ORD-12", "AGOT-V-39", "AGOT-RND-8",
                  "AGOT-ORD-6")  # fmt: skip
def test_a_window_closes_when_all_pass_in_a_row() -> None:
    found = game(3).plots().until("AW1")
    assert found.state.window is not None
    assert found.state.window.holder == "p1"
    found.do("pass", seat="p1").do("act", seat="p2", what="a trick")
    assert found.titles == ["Boris: a trick"]
    found.do("pass", seat="p3").do("pass", seat="p1")
    assert found.state.step == "AW1"
    found.do("pass", seat="p2")
    assert found.state.step != "AW1"


@pytest.mark.rule("AGOT-ORD-9", "AGOT-RND-8", "AGOT-RND-6")
def test_passing_out_of_turn_and_acting_without_a_window() -> None:
    found = game().plots().until("AW1")
    assert found.refused("pass", seat="p2") == "AGOT-RND-8"
    found.do("pass", seat="p1")
    assert found.refused("act", seat="p1") == "AGOT-ORD-9"
    found.do("act", seat="p2").do("act", seat="p2")
    assert found.state.window is not None, "p1 passed in between"
    assert game().refused("act", seat="p1") == "AGOT-RND-6"
    assert game().refused("pass") == "AGOT-RND-6"


# -- order -----------------------------------------------------------------------------------------


@pytest.mark.rule("AGOT-ORD-2", "AGOT-ORD-3", "AGOT-ORD-4", "AGOT-ORD-5", "AGOT-PLOT-13",
                  "AGOT-MAR-1", "AGOT-CHL-1")  # fmt: skip
def test_the_first_player_begins_and_the_others_follow_clockwise() -> None:
    found = game(4)
    for seat in found.state.order:
        found.do("choose-plot", seat=seat, plot="Quick Plot" if seat == "p3" else "Slow Plot")
    found.do("first-player", seat="p3").do("continue")
    assert found.state.order == ("p3", "p4", "p1", "p2")
    active = []
    while found.state.phase != "dominance":
        found.idle()
        active += [one.data["seat"] for one in found.events if one.type == "active"]
    assert active == ["p3", "p4", "p1", "p2"] * 2
    found.until("1.2")
    assert found.state.first == "p3"
    found.do("set-first-player", seat="p2")
    assert found.state.first == "p2"


# -- plots -----------------------------------------------------------------------------------------


@pytest.mark.rule("AGOT-PLOT-1", "AGOT-PLOT-2", "AGOT-PLOT-3", "AGOT-PLOT-4", "AGOT-PLOT-5",
                  "AGOT-PLOT-6")  # fmt: skip
def test_plots_are_chosen_in_secret_and_revealed_together() -> None:
    found = game()
    found.do("choose-plot", seat="p2", plot="Rich Plot")
    assert found.titles == ["Boris has chosen a plot"]
    assert not found.house("p2").revealed
    assert PLAY.view(found.state, "p1")["seats"]["p2"].get("chosen") is None
    assert PLAY.view(found.state, "p2")["seats"]["p2"]["chosen"] == "Rich Plot"
    (shown,) = prompts(found.state)
    assert (shown.secret, shown.answered, shown.choices) == (True, ("p2",), ())
    assert not prompts(found.state, "p2")[0].choices
    assert len(prompts(found.state, "p1")[0].choices) == 7
    assert found.refused("choose-plot", seat="p2", plot="Plain Plot") == "AGOT-PLOT-3"
    found.do("choose-plot", seat="p1", plot="g1")
    assert "Anna reveals Plain Plot, Boris reveals Rich Plot" in found.titles
    found.do("first-player", seat="p1").until("1.2")
    assert found.refused("choose-plot", seat="p1", plot="Plain Plot") == "AGOT-PLOT-1"
    found.plots(p1="Slow Plot")
    house = found.house("p1")
    assert (house.revealed, house.used, len(house.plots)) == ("g5", ("g1",), 5)


@pytest.mark.rule("AGOT-PLOT-7", "AGOT-PLOT-14", "AGOT-PLOT-15", "AGOT-PLOT-16", "AGOT-PLOT-19")
def test_initiative_then_first_player_then_when_revealed() -> None:
    found = game()
    found.do("choose-plot", seat="p1", plot="Slow Plot")
    found.do("choose-plot", seat="p2", plot="Quick Plot")
    assert found.state.step == "1.3.II"
    assert prompts(found.state)[0].seats == ("p2",)
    found.do("first-player", seat="p2")
    asked = prompts(found.state)[0]
    assert (found.state.step, asked.id, asked.seats) == ("1.3.III", "when-revealed", ("p2",))
    assert any("Reactions" in fact.text for fact in asked.facts)
    found.do("continue")
    assert found.state.step == "AW1"


@pytest.mark.rule("AGOT-PLOT-9", "AGOT-PLOT-10", "AGOT-PLOT-11", "AGOT-V-2", "AGOT-V-3",
                  "AGOT-V-4", "AGOT-V-5", "AGOT-V-6")  # fmt: skip
@pytest.mark.parametrize(
    ("values", "power", "leaders"),
    [
        pytest.param((5, 5, 3), (7, 6, 0), ("p2",), id="V2"),
        pytest.param((5, 5), (7, 7), ("p1", "p2"), id="V3"),
        pytest.param((3, 3, 3), (4, 2, 2), ("p2", "p3"), id="V4"),
        pytest.param((0, 0), (3, 1), ("p2",), id="V5"),
        pytest.param((4, 4), (5, 4), ("p2",), id="V6"),
        pytest.param((4, 6), (0, 9), ("p2",), id="highest"),
    ],
)
def test_who_wins_initiative(
    values: tuple[int, ...], power: tuple[int, ...], leaders: tuple[str, ...]
) -> None:
    seats = ("p1", "p2", "p3")[: len(values)]
    found = initiative_leaders(
        dict(zip(seats, values, strict=True)), dict(zip(seats, power, strict=True))
    )
    assert found == leaders


@pytest.mark.rule("AGOT-PLOT-8", "AGOT-PLOT-9", "AGOT-PLOT-12", "AGOT-V-1", "AGOT-PLOT-22")
def test_modified_initiative_decides_and_the_winner_chooses() -> None:
    found = game()
    found.do("modify", target="p1", stat="initiative", value=1, until="round")
    found.do("choose-plot", seat="p1", plot="Plain Plot")
    found.do("choose-plot", seat="p2", plot="Bloody Plot")
    assert "Initiative: Anna 5, Boris 6; Boris wins it" in found.titles
    choices = prompts(found.state)[0].choices
    assert {one.seat for one in choices} == {"p1", "p2"}


@pytest.mark.rule("AGOT-V-5", "AGOT-MOD-7", "AGOT-V-6", "AGOT-TOK-9", "AGOT-PLOT-10")
def test_a_negative_initiative_counts_as_zero_and_power_on_cards_counts() -> None:
    found = game()
    found.put("p1", "Strength 3")
    found.do("power", target="c1", change=3)
    found.do("power", target="faction:p2", change=1)
    found.do("modify", target="p1", stat="initiative", value=-9, until="round")
    found.do("choose-plot", seat="p1", plot="Rich Plot")
    found.do("choose-plot", seat="p2", plot="Slow Plot")
    assert found.state.leaders == ("p2",)


@pytest.mark.rule("AGOT-PLOT-11")
def test_chance_decides_a_whole_tie_and_is_recorded() -> None:
    found = game()
    for seat in ("p1", "p2"):
        found.do("choose-plot", seat=seat, plot="Plain Plot")
    assert found.state.step == "1.3.I"
    found.do("toss")
    (tossed,) = [one for one in found.events if one.type == "tie-broken"]
    assert tossed.data["drawn"] == 1
    assert found.state.leaders == (tossed.data["seat"],)
    assert found.state.step == "1.3.II"


@pytest.mark.rule("AGOT-PLOT-11", "AGOT-OR-13")
def test_an_eliminated_player_is_out_of_the_toss() -> None:
    found = game(4)
    for seat in found.state.seats:
        plot = "Slow Plot" if seat == "p4" else "Plain Plot"
        found.do("choose-plot", seat=seat, plot=plot)
    assert (found.state.step, found.state.leaders) == ("1.3.I", ("p1", "p2", "p3"))
    found.set("p1", "deck", 0)
    assert found.state.step == "1.3.I", "two are still tied"
    assert [one.seat for one in prompts(found.state)[0].choices if one.seat] == ["p2", "p3"]
    with pytest.raises(BadInput):
        PLAY.decide(found.state, {"do": "toss", "seat": "p1"})
    found.set("p2", "deck", 0)
    assert found.state.step == "1.3.II", "nobody is tied with the last one"
    assert prompts(found.state)[0].seats == ("p3",)


@pytest.mark.rule("AGOT-PLOT-17", "AGOT-PLOT-18", "AGOT-V-40", "AGOT-OR-10", "AGOT-OR-11")
def test_an_empty_plot_deck_is_refilled_without_the_revealed_plot() -> None:
    found = game()
    sizes = []
    for _ in range(13):
        for seat in ("p1", "p2"):
            found.set(seat, "deck", 40)
        found.plots()
        sizes.append(len(found.house("p1").plots))
        found.until("1.2")
    assert sizes == [6, 5, 4, 3, 2, 1, 6, 5, 4, 3, 2, 1, 6]


@pytest.mark.rule("AGOT-PLOT-20", "AGOT-PLOT-25")
def test_a_plot_revealed_by_a_card_changes_neither_initiative_nor_first_player() -> None:
    found = game().plots(p1="Plain Plot", p2="Slow Plot").until("AW1")
    for name in ("Second Plot", "Bloody Plot", "Quick Plot", "Slow Plot", "Rich Plot"):
        found.do("reveal-plot", seat="p1", plot=name)
        assert not any(one.type == "initiative" for one in found.events)
        assert "when revealed" in found.answer["reminders"][0]
    assert found.state.first == "p1"
    found.do("reveal-plot", seat="p1", plot="Weak Plot")
    house = found.house("p1")
    assert (house.revealed, len(house.plots), house.used) == ("g7", 6, ())
    assert found.refused("reveal-plot", seat="p1", plot="Weak Plot") == "AGOT-PLOT-1"


@pytest.mark.rule("AGOT-PLOT-22", "AGOT-PLOT-23", "AGOT-PLOT-24", "AGOT-MOD-2", "AGOT-MAR-2",
                  "AGOT-MAR-3")  # fmt: skip
def test_gold_modifiers_add_up_and_a_blank_card_gives_none() -> None:
    found = game()
    castles = [found.put("p1", "Castle") for _ in range(2)]
    for one in castles:
        found.do("modify", target="p1", stat="gold", value=1, source=one, why="Castle")
    found.do("modify", target=castles[0], stat="blank", value=1, until="game")
    found.plots().until("AW3")
    assert found.house("p1").gold == 6
    found.do("leave", cards=[castles[1]], how="discarded")
    assert [one.source for one in found.state.modifiers if one.stat == "gold"] == [castles[0]]


# -- drawing and taxation --------------------------------------------------------------------------


@pytest.mark.rule("AGOT-DRAW-1", "AGOT-DRAW-4")
def test_everybody_draws_two_cards() -> None:
    found = game().plots().until("AW2")
    assert [one.hand for one in found.state.houses] == [9, 9]
    found.do("draw", seat="p1", count=5).do("draw", seat="p1")
    assert found.house("p1").hand == 15


@pytest.mark.rule("AGOT-TAX-1", "AGOT-TAX-2", "AGOT-TAX-3", "AGOT-TAX-4", "AGOT-TAX-5", "AGOT-V-32")
@pytest.mark.parametrize(("hand", "discarded"), [(9, 2), (7, 0), (3, 0)])
def test_gold_returns_and_hands_shrink_to_the_reserve(hand: int, discarded: int) -> None:
    found = game().plots(p1="Plain Plot", p2="Plain Plot").until("AW6")
    found.do("modify", target="p1", stat="reserve", value=1, until="round")
    found.do("gold", seat="p1", change=3)
    found.set("p1", "hand", hand).set("p2", "hand", 8)
    found.do("pass", all=True)
    assert found.house("p1").gold == 0
    if discarded:
        assert found.refused("reserve", seat="p2") == "AGOT-TAX-3"
        every = prompts(found.state)[0].choices[1]
        assert (
            str(every.text) == "All discard down to the reserve, nobody acts until the next round"
        )
        assert [one.get("seat") for one in every.commands] == ["p1", "p2", None]
        assert found.refused("reserve", seat="p1", cards=["Hero"] * 3) == "AGOT-TAX-4"
        (form,) = prompts(found.state, "p1")[0].forms  # the discard pile is public: they are named
        assert (form.entries[0].most, "he" in dict(form.entries[0].options)) == (2, True)
        assert prompts(found.state)[0].forms[0].entries == (), "not for the eyes of others"
        assert dict(form.entries[0].options)["2. copy:he"] == "Hero, copy 2"
        assert "3. copy:he" not in dict(form.entries[0].options), "two are discarded"
        found.do("reserve", seat="p1", cards=["2. copy:he", "he"])
        assert found.house("p1").discard == ("he", "he")
    else:
        assert found.refused("reserve", seat="p1") == "AGOT-TAX-5"
    assert found.house("p1").hand == hand - discarded
    last = prompts(found.state)[0].choices[1]  # nobody else is above the reserve
    assert str(last.text) == "Discard 2 cards, nobody acts until the next round"
    assert [one["do"] for one in last.commands] == ["reserve", "pass"]
    found.do("reserve", seat="p2")
    assert found.house("p2").hand == 6


@pytest.mark.rule("AGOT-TAX-8", "AGOT-EFF-5", "AGOT-EFF-6", "AGOT-B-18", "AGOT-RND-4")
def test_lasting_effects_end_with_their_time() -> None:
    found = challenges()
    card = found.put("p1", "Strength 4")
    source = found.put("p1", "Castle")
    found.do("modify", target=card, stat="strength", value=1, until="phase")
    found.do("modify", target=card, stat="strength", value=2, until="round")
    found.do("modify", target=card, stat="strength", value=4, until="game", source=source)
    assert found.strength(card) == 11
    found.until("AW5")
    assert found.strength(card) == 10
    found.until("AW7")
    assert found.strength(card) == 10
    found.until("1.2")
    assert found.strength(card) == 8
    found.do("leave", cards=[source], how="discarded")
    assert found.strength(card) == 4


def test_the_pipeline_names_every_step_of_the_handbook() -> None:
    last = {"1": 5, "2": 3, "3": 4, "4": 4, "5": 3, "6": 3, "7": 5}
    wanted = {f"{phase}.{n}" for phase, steps in last.items() for n in range(1, steps + 1)}
    assert wanted | {f"4.2.{n}" for n in range(1, 7)} <= set(PIPELINE)
