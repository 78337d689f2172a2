"""Card text beats the rules: every number is overridden by an event that says why (AGOT-GEN-2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.games.thrones.play.challenge_flow import allowance
from companion.games.thrones.play.commands.count_commands import SET_BY_PLAYERS, SET_ON_CARDS
from companion.games.thrones.play.numbers import (
    CARD_STATS,
    SEAT_STATS,
    cards_to_draw,
    challenge_side,
    claim_value,
    dominance_total,
    has_icon,
    has_keyword,
    is_blank,
    plot_value,
    strength,
)
from companion.games.thrones.play.state import ThronesState, total_power
from companion.session.report.markdown_report import markdown
from companion.session.report.story import build_story
from companion.session.session import Session
from companion.session.storage import read
from tests.games.thrones.decks import CARDS, DECK, challenges, game

WHY = "Varys says so"
HERO, OTHER = "c1", "c2"
Number = Callable[[ThronesState], int]
SET: dict[str, Number] = {
    "gold": lambda state: state.house("p1").gold,
    "power": lambda state: total_power(state, "p1"),
    "hand": lambda state: state.house("p1").hand,
    "deck": lambda state: state.house("p1").draw_deck,
    "discard": lambda state: len(state.house("p1").discard),
    "dead": lambda state: len(state.house("p1").dead),
    "removed": lambda state: len(state.house("p1").removed),
}
SET_CARD: dict[str, Number] = {
    "power": lambda state: state.card(HERO).power,
    "duplicates": lambda state: len(state.card(HERO).duplicates),
}
SEAT: dict[str, Number] = {
    "gold": lambda state: plot_value(state, "p1", "gold"),
    "initiative": lambda state: plot_value(state, "p1", "initiative"),
    "claim": claim_value,
    "reserve": lambda state: plot_value(state, "p1", "reserve"),
    "challenge": lambda state: challenge_side(state, "p1").total,
    "dominance": lambda state: dominance_total(state, "p1"),
    "draw": lambda state: cards_to_draw(state, "p1"),
}
ELSEWHERE = {"cost", "limited", "set-up"}
"""Values that have tests of their own below."""


def card_number(stat: str) -> Number:
    """A value of the hero."""
    if stat == "strength":
        return lambda state: strength(state, state.card(HERO))
    if stat == "blank":
        return lambda state: int(is_blank(state, HERO))
    sort, _, name = stat.partition("-")
    if sort == "icon":
        return lambda state: int(has_icon(state, state.card(HERO), name))
    word = name.replace("-", " ")
    return lambda state: int(has_keyword(state, state.card(HERO), word))


def cases() -> dict[str, tuple[dict[str, Any], Number, int]]:
    """Every number: the command that overrides it, how it is read, and what it becomes."""
    found: dict[str, tuple[dict[str, Any], Number, int]] = {}
    override = {"value": 11, "why": WHY}
    for what in SET_BY_PLAYERS:
        command = {"do": "set", "target": "p1", "what": what, **override}
        found[what] = command, SET[what], 11
    for what in SET_ON_CARDS:
        command = {"do": "set", "target": HERO, "what": what, **override}
        found[f"card {what}"] = command, SET_CARD[what], 11
    for stat in SEAT_STATS:
        if stat not in ELSEWHERE:
            command = {"do": "modify", "target": "p1", "stat": stat, "operation": "set"}
            found[f"value {stat}"] = {**command, **override}, SEAT[stat], 11
    for stat in CARD_STATS:
        read_it = card_number(stat)
        value = 0 if stat.startswith("icon-") else 11
        after = value if value == 0 or stat == "strength" else 1
        command = {"do": "modify", "target": HERO, "stat": stat, "operation": "set"}
        found[f"card {stat}"] = {**command, "value": value, "why": WHY}, read_it, after
    poison: dict[str, Any] = {"do": "tokens", "card": HERO, "token": "poison", "change": 2}
    found["tokens"] = {**poison, "why": WHY}, lambda s: sum(n for _, n in s.card(HERO).tokens), 2
    more = {"do": "extra-challenge", "type": "military", "why": WHY}
    found["challenges"] = more, lambda state: int(bool(allowance(state, "military"))), 1
    back = {"do": "move-plot", "seat": "p1", "plot": "Plain Plot", "to": "deck", "why": WHY}
    found["plots left"] = back, lambda state: len(state.house("p1").plots), 6
    return found


CASES = cases()


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    """A session in the second round: the Hero attacks, nobody defends, strength is compared."""
    path = tmp_path_factory.mktemp("overrides") / "a.game"
    found = Session.open(path)
    played = game()
    seats = [{"id": one, "name": one} for one in ("p1", "p2")]
    commands: list[dict[str, Any]] = [
        {"do": "set-up", "game": "thrones", "seats": seats, "decks": {"p1": DECK, "p2": DECK},
         "first": "p1", "seed": 1, "ready": True, "cards": CARDS, "unchecked": True}
    ]  # fmt: skip
    step = played.do

    def noted(word: str, **asked: Any) -> Any:
        commands.append({"do": word, **asked})
        return step(word, **asked)

    played.do = noted  # type: ignore[method-assign]
    played.plots(p1="Plain Plot", p2="Plain Plot")
    while played.state.round < 2:
        played.idle()
    played.plots(p1="Second Plot", p2="Second Plot").until("AW4")
    assert (played.put("p1", "Hero"), played.put("p2", "Strength 3")) == (HERO, OTHER)
    played.until("4.2").do("challenge", type="military", attackers=[HERO])
    played.until("4.2.1").do("defend", defenders=[]).until("4.2.2")
    for command in commands:
        assert found.answer(command)["ok"], command
    return found


@pytest.mark.rule("AGOT-GEN-2")
@pytest.mark.parametrize("name", CASES)
def test_a_number_is_overridden_with_its_reason_and_undone(session: Session, name: str) -> None:
    command, number, after = CASES[name]

    def now() -> int:
        state: ThronesState = session.history.now.state
        return number(state)

    before = now()
    assert before != after
    answer = session.answer(command)
    assert answer["ok"], answer
    assert now() == after
    assert WHY in str(answer["state"]["log"][-1]["title"])
    assert session.answer({"do": "undo"})["ok"]
    assert now() == before


@pytest.mark.parametrize("wrong", [{"target": HERO, "what": "gold"}, {"why": ""}, {"value": -1}])
def test_an_override_without_sense_or_reason_is_refused(
    session: Session, wrong: dict[str, Any]
) -> None:
    command = {"do": "set", "target": "p1", "what": "gold", "value": 2, "why": WHY, **wrong}
    before = session.history.now.state
    assert session.answer(command)["why"] == "INPUT"
    assert session.history.now.state == before


@pytest.mark.rule("AGOT-GEN-2")
def test_the_report_tells_the_reason(session: Session) -> None:
    for command, _number, _after in CASES.values():
        small = {"value": 1} if "value" in command else {}  # nobody wins
        assert session.answer({**command, **small})["ok"]
    told = markdown(build_story(read(session.log.path).steps))
    assert told.count(WHY) == len(CASES)


@pytest.mark.rule("AGOT-GEN-2", "AGOT-KEY-21")
def test_card_text_allows_a_second_limited_card_and_a_lower_cost() -> None:
    found = game().plots().until("AW3")
    found.do("marshal", card="Limited 1").do("gold", seat="p1", change=9)
    assert found.refused("marshal", card="Limited 2") == "AGOT-KEY-21"
    found.do("modify", target="p1", stat="limited", value=1, why=WHY)
    gold = found.house("p1").gold
    found.do("modify", target="p1", stat="cost", operation="set", value=0, why=WHY)
    found.do("marshal", card="Limited 2")
    assert found.house("p1").gold == gold
    assert found.refused("marshal", card="Limited 3") == "AGOT-KEY-21"


@pytest.mark.rule("AGOT-GEN-2", "AGOT-SET-12")
def test_card_text_changes_the_gold_of_set_up() -> None:
    found = game(ready=False).do("mulligan", take=False).do("mulligan", take=False)
    assert found.refused("place", cards=["Strength 9"]) == "AGOT-SET-12"
    found.do("modify", target="p1", stat="set-up", value=1, why=WHY)
    found.do("place", cards=["Strength 9"])
    assert found.refused("put-into-play", seat="p1", card="Hero") == "AGOT-SET-21"


@pytest.mark.rule("AGOT-PLOT-1")
def test_a_plot_goes_where_card_text_says() -> None:
    found = challenges()
    move = {"seat": "p1", "plot": "Quick Plot", "why": WHY}
    assert found.refused("move-plot", to="deck", **move) == "AGOT-PLOT-1"
    found.do("move-plot", to="used", **move)
    assert len(found.house("p1").plots) == 5
    found.do("move-plot", to="deck", **move)
    assert (len(found.house("p1").plots), found.house("p1").used) == (6, ())


def test_a_command_without_cards_changes_nothing_and_is_refused() -> None:
    found = challenges()
    for asked in ({"word": "kneel"}, {"word": "stand"}, {"word": "leave", "how": "killed"}):
        assert found.refused(**asked, cards=[]) == "INPUT"
