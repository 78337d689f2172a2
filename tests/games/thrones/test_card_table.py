"""The table as records: what a screen draws of cards, plots, titles and the challenge."""

from __future__ import annotations

import pytest

from companion.games.api.card_table import CardTable, TableCard
from companion.games.thrones.screen import SCREEN
from tests.games.thrones.driver import CardGame


def table(game: CardGame) -> CardTable:
    return SCREEN.card_table(game.state)


def drawn(game: CardGame, seat: str) -> dict[str, TableCard]:
    """The cards before a player by name."""
    (own,) = (one for one in table(game).seats if one.seat == seat)
    return {one.title: one for one in (*own.cards, *own.places)}


@pytest.fixture
def game() -> CardGame:
    return CardGame().plots().until("AW3")


@pytest.mark.rule("AGOT-CARD-2")
@pytest.mark.rule("AGOT-ATT-1")
@pytest.mark.rule("AGOT-UNI-2")
def test_a_card_shows_what_lies_on_and_under_it(game: CardGame) -> None:
    eddard = game.put("p1", "Eddard Stark")
    game.put("p1", "Ice", host=eddard)
    game.put("p1", "Eddard Stark")
    game.do("power", target=eddard, change=2).do("kneel", cards=[eddard])
    card = drawn(game, "p1")["Eddard Stark"]
    assert (card.cost, card.strength, card.icons) == ("7", 5, ("swords", "crown"))
    assert (card.turned, card.power, card.copies) == (True, 2, 1)
    assert [one.title for one in card.attached] == ["Ice"]
    assert "Ice" not in drawn(game, "p1")  # it lies under its host
    game.do("modify", target=eddard, stat="strength", value=2, until="round", why="Ice")
    game.do("stand", cards=[eddard])
    assert drawn(game, "p1")["Eddard Stark"].strength == 5 + 2
    assert not drawn(game, "p1")["Eddard Stark"].turned


@pytest.mark.rule("AGOT-CMP-7")
def test_locations_share_a_pile_and_factions_have_colours(game: CardGame) -> None:
    game.put("p1", "Gates of Winterfell")
    game.put("p1", "The Wolfswood")
    game.put("p2", "The Tickler")
    (first, second) = table(game).seats
    assert [one.title for one in first.places] == ["Gates of Winterfell", "The Wolfswood"]
    assert first.text == "2 locations"
    assert (first.cards, second.places) == ((), ())
    assert first.places[0].look != second.cards[0].look


@pytest.mark.rule("AGOT-ZONE-31")
def test_a_card_face_down_shows_nothing(game: CardGame) -> None:
    game.do("put-face-down", seat="p1", **{"from": "deck"})
    (card,) = table(game).seats[0].cards
    assert (card.cost, card.strength, card.icons) == ("", None, ())


@pytest.mark.rule("AGOT-CMP-8")
def test_the_plot_shows_its_values_as_they_count_now(game: CardGame) -> None:
    before = table(game).seats[0].plot
    assert before is not None
    assert [one.text for one in before.numbers] == ["gold", "initiative", "claim", "reserve"]
    game.do("modify", target="p1", stat="claim", value=1, until="round", why="a card")
    after = table(game).seats[0].plot
    assert after is not None
    assert after.numbers[2].count == before.numbers[2].count + 1


def test_a_player_shows_gold_hand_agenda_and_piles(game: CardGame) -> None:
    first = table(game).seats[0]
    house = game.state.house("p1")
    assert [(one.text, one.count) for one in first.numbers] == [
        ("gold", house.gold), ("hand", house.hand)
    ]  # fmt: skip
    assert [one.count for one in first.piles] == [house.draw_deck, 0, 0]
    assert "Fealty" in first.detail
    assert first.tag == "first player"


@pytest.mark.rule("AGOT-CHL-24")
@pytest.mark.rule("AGOT-CHL-28")
def test_a_challenge_is_two_facing_rows_with_totals(game: CardGame) -> None:
    strong = [game.put("p1", name) for name in ("Eddard Stark", "Robb Stark")]
    weak = game.put("p2", "The Tickler")
    game.until("4.2")
    assert table(game).contest is None
    assert [(row.icon, row.note) for row in table(game).track] == [
        ("swords", "open"), ("eye", "open"), ("crown", "open")
    ]  # fmt: skip
    game.do("challenge", type="military", attackers=strong, against="p2").pass_all()
    game.do("defend", defenders=[weak])
    contest = table(game).contest
    assert contest is not None
    defence, attack = contest.sides
    assert (defence.seat, defence.total, defence.cards) == ("p2", 2, (weak,))
    assert (attack.seat, attack.total, attack.cards) == ("p1", 10, tuple(strong))
    assert contest.note == "Boris needs +9 to win"  # a tie would not do
    assert "renown" in contest.lines[0]
    upper = contest.seen_from((attack.seat,))
    assert upper.sides == (attack, defence)  # whoever sits above lies above
    assert contest.seen_from((defence.seat,)) == contest.seen_from(()) == contest
    assert drawn(game, "p1")["Eddard Stark"].marked
    assert [row.note for row in table(game).track] == ["now", "open", "open"]


@pytest.mark.rule("AGOT-TTL-16")
@pytest.mark.rule("AGOT-TTL-17")
@pytest.mark.rule("AGOT-OR-4")
def test_titles_say_what_they_do_and_who_else_has_a_say() -> None:
    game = CardGame(4).plots().until("AW3")
    for seat in game.state.seats:
        game.do("give-title", seat=seat)
    held = ("master-of-coin", "hand-of-the-king", "master-of-whisperers", "master-of-laws")
    for seat, title in zip(game.state.seats, held, strict=True):
        game.do("give-title", seat=seat, title=title)
    notes = {one.title: one.note for one in table(game).seats}
    assert notes["Master of Whisperers"] == (  # by the names of those who hold these titles
        "supports Boris, rival of Anna, Dirk, +1 in intrigue challenges,"
        " intrigue claim on several players"
    )
    assert notes["Hand of the King"].startswith("supports Dirk, rival of Anna, +1 in power")
    assert notes["Hand of the King"].endswith("a second power challenge")
    assert notes["Master of Laws"].startswith("supports Anna, rival of Clara, +1 ")
    assert "supports" not in notes["Master of Coin"], "nobody holds that title"
    lines = {card.title: card.lines for page in SCREEN.pages(game.state) if page.id == "plots"
             for part in page.sections for card in part.cards}  # fmt: skip
    (all_of_it,) = lines["Master of Coin"]
    assert all_of_it.startswith("supports Master of Ships, rival of ")
    fighter = game.put("p1", "Eddard Stark")
    game.until("4.2").do("challenge", type="military", attackers=[fighter], against="p2")
    contest = table(game).contest
    assert contest is not None
    assert contest.lines[1:] == ("Anna is a rival of Boris", "Clara supports Boris")


def test_an_eliminated_player_is_out() -> None:
    game = CardGame(3).plots()
    game.do("concede", seat="p2")
    assert [one.lost for one in table(game).seats] == [False, True, False]
    assert table(game).seats[1].tag == "eliminated"
