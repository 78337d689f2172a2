"""The card game by touch in the real app: rows, cards, forms, and how many taps they take."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from kivy.metrics import dp
from PIL import Image

from companion.app.screens.card_table import CardTableView
from companion.app.screens.facing_table import facing_table
from companion.app.scripted.driver import Driver
from companion.app.turn.entry_form import EntryForm
from companion.app.widgets.controls import Text
from companion.app.widgets.file_picker import FilePicker
from companion.app.widgets.photo import PhotoView
from companion.app.widgets.playing_card import FORMATS, CardFormat, PlayingCard
from companion.app.widgets.seat_plates import PlotPlate, SeatHead
from companion.games.api.card_table import CardLook, TableCard
from companion.games.thrones.cards.deck_text import ALLOWED_LINE
from companion.games.thrones.play.challenge_flow import allowed_opponents
from companion.games.thrones.play.flow import titles_left
from companion.games.thrones.play.state import JOUST, CardInPlay, ThronesState
from companion.games.thrones.screen.new_game import ALLOW_GROUP
from models.pose import Pose, Sigma
from tests.app.conftest import opened
from tests.app.fits import faults

pytestmark = pytest.mark.slow

NAMES = ("Anna", "Ben", "Clara", "Dirk", "Ewa", "Finn")
MOST_TO_MARSHAL, MOST_TO_FIGHT = 3, 10
MANY_CARDS = 13
"""More than three lines of cards on a tablet of 1024 by 600."""


class CardTable:
    """A game of the sample decks in a running app, played by a finger."""

    def __init__(self, driver: Driver) -> None:
        self.driver = driver
        self.start = 0

    def begin(self, players: int = 2) -> CardTable:
        """A game that is set up, every plot revealed, in the marshaling phase."""
        ids = [f"p{n + 1}" for n in range(players)]
        seats = [{"id": one, "name": name} for one, name in zip(ids, NAMES, strict=False)]
        decks = {one: f"sample {('stark', 'lannister')[n % 2]}" for n, one in enumerate(ids)}
        command: dict[str, Any] = {"do": "set-up", "game": "thrones", "seats": seats}
        command |= {"decks": decks, "first": "p1", "seed": 1, "ready": True}
        controller = self.driver.app.service.controller

        def start() -> None:
            """On the worker, so that the screen is drawn once."""
            controller.begin(command, "game")
            plots = {seat: self.state.house(seat).plots[0] for seat in ids}
            self.give(*({"do": "choose-plot", "seat": one, "plot": plots[one]} for one in ids))
            self.send("toss", seat=self.state.leaders[0])
            self.give({"do": "first-player", "seat": "p1"})
            titles = zip(ids, titles_left(self.state), strict=False) if players > JOUST else ()
            self.give(*({"do": "choose-title", "seat": one, "title": two} for one, two in titles))
            self.pass_until("AW3")

        self.driver.app.service.ask(start)
        self.driver.rest()
        self.start = self.driver.app.service.snapshot.state["seq"]
        self.driver.app.go("table")
        self.driver.rest()
        return self

    @property
    def state(self) -> ThronesState:
        session = self.driver.app.service.controller.game.session
        assert session is not None
        found: ThronesState = session.history.now.state
        return found

    def send(self, word: str, **asked: Any) -> None:
        """A command that is not the subject of the test, on the worker."""
        self.give({"do": word, **asked})

    def give(self, *commands: dict[str, Any]) -> None:
        """Several of them, shown once."""
        controller = self.driver.app.service.controller
        controller.do(commands)
        assert not controller.snapshot.message.refused, controller.snapshot.message.text

    def pass_until(self, step: str) -> None:
        while self.state.step != step:
            self.send("pass", all=True)

    def do(self, word: str, **asked: Any) -> None:
        self.driver.app.service.ask(lambda: self.send(word, **asked))
        self.driver.rest()

    def until(self, step: str) -> None:
        self.driver.app.service.ask(lambda: self.pass_until(step))
        self.driver.rest()

    def put(self, seat: str, *names: str) -> list[str]:
        """Put cards into play; their ids."""

        entering = {"do": "put-into-play", "seat": seat, "from": "deck"}
        self.driver.app.service.ask(
            lambda: self.give(*({**entering, "card": name} for name in names))
        )
        self.driver.rest()
        return [one.id for one in self.state.cards if one.name in names and one.owner == seat]

    def card(self, card: str) -> CardInPlay:
        return self.state.card(card)

    def tap(self, name: str) -> None:
        """Touch a button whose name begins so."""
        self.driver.steps(2)
        found = [one for one in self.driver.names() if one == name or one.startswith(f"{name}:")]
        assert found, f"no button {name!r}; there are {self.driver.names()}"
        self.driver.press(found[0])

    def tap_text(self, text: str) -> None:
        """Touch the button that says this."""
        self.driver.steps(2)
        shown = [one for one in self.driver.widgets(self.driver.top) if hasattr(one, "act")]
        found = [one for one in shown if getattr(one, "text", "") == text]
        assert found, f"no button {text!r}; there are {[getattr(one, 'text', '') for one in shown]}"
        found[0].name = f"text:{text}"
        self.driver.press(found[0].name)

    def taps(self, *names: str) -> int:
        """How many touches these buttons took."""
        before = self.driver.taps
        for name in names:
            self.tap(name)
        return self.driver.taps - before


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CardTable]:
    """One game for all tests: beginning it anew takes seconds."""
    driver = opened(tmp_path_factory.mktemp("thrones"))
    yield CardTable(driver).begin()
    driver.app.service.leave()
    driver.rest()
    driver.stop()


@pytest.fixture
def table(begun: CardTable) -> Iterator[CardTable]:
    """The game in the marshaling phase; what a test did is undone after it."""
    yield begun
    begun.driver.app.close_sheet()
    begun.do("undo", to=begun.start)


def test_cards_are_marshaled_in_three_taps(table: CardTable) -> None:
    card = next(
        one
        for one, _n in table.state.house("p1").deck.of_type("character")
        if one.cost is not None and one.cost <= table.state.house("p1").gold
    )
    assert table.taps("form:marshal", f"marshal:{card.code}") <= MOST_TO_MARSHAL
    assert [one.facts.code for one in table.state.cards] == [card.code]
    assert faults(table.driver) == []
    table.do("gold", seat="p1", change=9)
    sword = next(iter(table.state.house("p1").deck.of_type("attachment")))[0]
    host = table.state.cards[0].id
    taken = table.taps("form:marshal", f"marshal:{sword.code}", f"marshal:{host}")
    assert taken <= MOST_TO_MARSHAL
    assert [one.host for one in table.state.cards if one.type == "attachment"] == [host]
    assert table.driver.app.sheet is None  # the deck is covered again


def test_a_challenge_takes_ten_taps_from_declaration_to_claim(table: CardTable) -> None:
    strong = table.put("p1", "Eddard Stark", "Robb Stark")
    (weak,) = table.put("p2", "The Tickler")
    table.until("4.2")
    taken = table.taps("form:challenge:military", *(f"card:{one}" for one in strong))
    assert faults(table.driver) == []
    taken += table.taps("send:challenge", "choice:pass:True", f"card:{weak}", "send:defend")
    assert table.state.challenge is not None
    assert (table.state.challenge.attackers, table.state.challenge.defenders) == (
        tuple(strong),
        (weak,),
    )
    assert faults(table.driver) == []
    taken += table.taps("choice:pass:True", "choice:claim")
    assert taken <= MOST_TO_FIGHT
    assert table.state.house("p2").dead  # the claim is done
    assert table.state.find_card(weak) is None


def test_a_single_attacker_is_declared_from_its_card(table: CardTable) -> None:
    (strong,) = table.put("p1", "Eddard Stark")
    table.until("4.2")
    taken = table.taps(f"card:{strong}", "do-offer")
    assert taken == 2
    assert table.state.challenge is not None
    assert table.state.challenge.attackers == (strong,)


@pytest.mark.rule("AGOT-KEY-27")
def test_a_lone_attacker_uses_its_stealth_in_two_taps(table: CardTable) -> None:
    (sneak,) = table.put("p1", "Arya Stark")
    (guard,) = table.put("p2", "Tywin Lannister")
    table.until("AW4")
    assert table.taps(f"card:{sneak}", "do-offer") == 2
    assert table.state.challenge is not None
    assert table.state.challenge.stealth == ((sneak, guard),)


@pytest.mark.parametrize("attacker", ["p1", "p2"])
def test_each_side_of_a_challenge_lies_on_its_players_side(table: CardTable, attacker: str) -> None:
    mine, his = *table.put("p1", "Eddard Stark"), *table.put("p2", "The Tickler")
    table.until("AW4")
    if attacker == "p2":
        table.do("pass", all=True)
        table.do("no-challenge")
    table.do("pass", all=True)
    attack = mine if attacker == "p1" else his
    table.do("challenge", type="military", attackers=[attack])
    table.do("pass", all=True)
    table.do("defend", defenders=[his if attack == mine else mine])
    table.driver.steps(2)
    high = {one.card.id: one.to_window(*one.pos)[1] for one in table.driver.app.screen.seats.cards}
    assert high[his] > high[mine]  # the second player sits above


def test_a_card_kneels_stands_gains_power_and_leaves_play(table: CardTable) -> None:
    (card,) = table.put("p1", "Eddard Stark")
    for name, now in (("offer:kneel", True), ("offer:stand", False)):
        table.taps(f"card:{card}", name)
        assert table.card(card).kneeling is now
        assert table.driver.app.service.snapshot.chosen is None  # gold is not its opposite
    table.taps(f"card:{card}", "offer:power", "unchoose")
    assert table.card(card).power == 1
    table.tap(f"card:{card}")
    names = table.driver.names()
    for kind in ("kill", "save", "discard", "sacrifice", "hand"):
        assert any(one.startswith(f"offer:{kind}") for one in names), kind
    assert faults(table.driver) == []
    table.tap("offer:save")
    assert table.card(card).power == 1  # an ability saved it
    table.taps("offer:kill")
    assert table.state.find_card(card) is None
    table.tap("undo")
    assert table.card(card).power == 1


def lying_under_a_camera(tag: int, heading: float) -> Any:
    """A camera that sees one tagged card in the front row of player 1."""
    fit = SimpleNamespace(used=(tag,), pose=Pose(10.0, 9.6, heading, Sigma(0.03, 0.8)))
    return SimpleNamespace(
        camera_worker=object(),
        practice_source=None,
        setup=SimpleNamespace(table_width=36.0, table_depth=30.0),
        live=SimpleNamespace(
            sight="live", standings=(SimpleNamespace(condition="settled", fit=fit),)
        ),
    )


@pytest.mark.rule("AGOT-OR-22")
def test_undo_asks_again_what_was_left_as_it_was(
    table: CardTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A finger that hit "Leave it as it was" by mistake loses nothing and undoes no step."""
    (card,) = table.put("p1", "Eddard Stark")
    table.do("tag", card=card, tag=11)
    service = table.driver.app.service
    monkeypatch.setattr(service.controller.questions, "_cameras", lying_under_a_camera(11, 0.0))
    table.driver.until(lambda: "not-so" in table.driver.names())
    step = service.snapshot.state["seq"]
    table.tap("not-so")
    table.driver.until(lambda: "not-so" not in table.driver.names())
    assert service.snapshot.undo[0] == "Leave it as it was (Eddard Stark kneels)"
    table.tap("undo")
    table.driver.until(lambda: "not-so" in table.driver.names())
    assert (service.snapshot.state["seq"], table.card(card).tag) == (step, 11)
    table.tap("question:0")
    table.driver.until(lambda: table.card(card).kneeling)
    table.tap("undo")
    table.driver.until(lambda: not table.card(card).kneeling)


@pytest.mark.rule("AGOT-ABL-4")
def test_a_reminder_leads_to_its_card_and_each_card_says_of_what(table: CardTable) -> None:
    table.put("p1", "Grey Wind")
    (cloaks,) = table.put("p2", "Gold Cloaks")
    table.until("AW4")
    table.do("pass", all=True)
    table.do("no-challenge")
    table.tap("unfold-fact")
    told = "1 card has a forced interrupt: does it apply now?"
    assert words(table.driver).count(told) == 2, "on the fold, and on its card"
    table.tap(f"pointed:{cloaks}")
    assert table.driver.app.service.snapshot.chosen == cloaks


@pytest.mark.rule("AGOT-GEN-2")
def test_a_number_is_set_by_hand_with_a_reason(table: CardTable) -> None:
    table.taps("seat:p2", "offer:coins")
    assert table.state.house("p2").gold == 1
    table.tap("correct-piece")
    assert "open-form:trigger" in table.driver.names()  # what card text does, each in its own sheet
    form = next(
        one
        for one in table.driver.widgets(table.driver.top)
        if isinstance(one, EntryForm) and one.form.text == "Set: gold"
    )
    why = next(entry for entry in form.form.fields if entry.name == "why")
    form.type(why, "Tywin counts again")
    form.step(form.form.fields[0], 4)
    table.tap("send:set")
    assert table.state.house("p2").gold == 5
    assert "Tywin counts again" in str(table.driver.app.service.snapshot.state["log"][-1]["title"])


def test_attachments_and_places_lie_together_and_are_spread_by_a_tap(table: CardTable) -> None:
    (host,) = table.put("p1", "Eddard Stark")
    table.do("put-into-play", seat="p1", card="Ice", host=host, **{"from": "deck"})
    (ice,) = (one.id for one in table.state.cards if one.name == "Ice")
    places = table.put("p1", "Gates of Winterfell", "The Wolfswood")
    assert not {f"card:{one}" for one in (ice, *places)} & {*table.driver.names()}
    table.tap(f"card:{host}")
    table.tap(f"card:{ice}")  # beside its host now
    assert table.driver.app.service.snapshot.chosen == ice
    table.tap("unchoose")
    table.tap("places")
    table.tap(f"card:{places[1]}")
    assert table.driver.app.service.snapshot.chosen == places[1]
    assert faults(table.driver) == []


# -- the players' own words ------------------------------------------------------------------------


def test_a_note_and_a_photo_of_a_card_are_entered_from_its_card(
    table: CardTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    photo = tmp_path / "eddard.png"
    Image.new("RGB", (600, 840), (90, 100, 110)).save(photo)
    (card,) = table.put("p1", "Eddard Stark")
    table.taps(f"card:{card}", "note-piece")
    field = next(one for one in table.driver.widgets() if getattr(one, "name", "") == "text")
    field.text = "Gains power when I win with him."
    table.tap("moment:won-with")
    table.tap("photo:file")
    picker = next(one for one in table.driver.widgets() if isinstance(one, FilePicker))
    picker.enter(tmp_path)
    table.tap("file:eddard.png")
    assert faults(table.driver) == []
    assert any(isinstance(one, PhotoView) for one in table.driver.widgets())
    table.tap("form-done")
    assert table.driver.app.place == "table"
    table.driver.rest()
    (piece,) = [one for one in table.driver.app.service.snapshot.pieces if one.id == card]
    assert (piece.note, bool(piece.photo)) == ("Gains power when I win with him.", True)
    shown = [one.text for one in table.driver.widgets() if isinstance(one, Text)]
    assert "“Gains power when I win with him.”" in shown
    assert any(isinstance(one, PhotoView) for one in table.driver.widgets())
    assert faults(table.driver) == []


def test_names_numbers_and_plots_keep_apart_on_a_low_table(begun: CardTable) -> None:
    """On 1024 × 600 with a long result there are 380 points for both players."""
    view = begun.driver.app.screen.seats
    view.begin()
    sheet = facing_table(view, 660.0, 380.0)
    shown = [one for one in sheet.children if isinstance(one, SeatHead | PlotPlate)]
    assert len(shown) == 4
    spans = sorted((one.y, one.top) for one in shown)
    assert all(top <= low for (_, top), (low, _) in itertools.pairwise(spans)), spans
    told = [one.text for one in sheet.walk() if isinstance(one, Text)]
    assert sum(one.startswith("deck ") for one in told) == 2  # the piles in words
    view._seen = None
    view.show(begun.driver.app.service.snapshot)
    begun.driver.steps(2)


@pytest.mark.rule("AGOT-KEY-28")
@pytest.mark.parametrize("size", FORMATS, ids=str)
def test_who_is_bypassed_is_seen_on_cards_of_every_size(begun: CardTable, size: CardFormat) -> None:
    """In words where they fit whole, else by an eye; the third icon is not under the strength."""
    note, icons = "bypassed by stealth", ("swords", "eye", "crown")
    record = TableCard("c1", "Tywin Lannister", CardLook("#7E2430", "#D9707A"), "character", "7", 6,
                       icons, note=note)  # fmt: skip
    card = PlayingCard(record, 0, size, None, None)
    words = any(one.text == note for one in card.walk() if isinstance(one, Text))
    assert words != (("eye", "") in card.tokens())
    assert card.shield[0] >= len(icons) * dp(17)


def test_the_table_is_laid_out_once_for_a_step(
    begun: CardTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A result of two lines takes height from the table; the cards are not laid out before."""
    built, build = [], CardTableView._build

    def counted(view: CardTableView) -> None:
        built.append(float(view.height))
        build(view)

    monkeypatch.setattr(CardTableView, "_build", counted)
    begun.do("pass", all=True)
    begun.do("gold", seat="p1", change=1)
    for _ in range(2):
        begun.driver.press("undo")
        begun.driver.rest()
    assert len(built) < 8, "not before and after each of four results; a slow machine adds a frame"
    assert len(set(built)) > 1, "the results differ in height"


# -- taps of a whole round -------------------------------------------------------------------------

JOUST_ROUND, MELEE_ROUND = 30, 60


def next_round(table: CardTable) -> int:
    """Go on to the plots of the next round; how many touches were taken so far."""
    table.until("AW4")
    while table.state.step != "1.2":
        step = table.state.step
        if step == "4.2":
            table.do("no-challenge")
        elif step == "7.3":
            table.do("reserve")
        else:
            table.do("pass", all=True)
    return table.driver.taps


def reveal(table: CardTable) -> None:
    """Every player taps the plot that lies open; the winner of initiative begins."""
    for number, seat in enumerate(table.state.order):
        code = table.state.house(seat).plots[number]
        table.taps(f"form:choose-plot:{seat}", f"choose-plot:{code}")
    if table.state.step == "1.3.I":
        table.tap("choice:toss")
    table.tap("choice:first-player:p1")


def marshal(table: CardTable, cards: int) -> None:
    """Every player marshals the cheapest characters, then all pass."""
    for _player in table.state.order:
        seat = table.state.active
        for _card in range(cards):
            deck = table.state.house(seat).deck.of_type("character")
            left = [one for one, _n in deck if table.state.copies_left(seat, one.code) > 0]
            name = min(left, key=lambda one: (one.cost or 0, one.name)).code
            table.taps("form:marshal", f"marshal:{name}")
        table.tap_text(f"All pass, {table.state.house(seat).name} marshals no more")


def fighters(table: CardTable, seat: str, kind: str) -> list[str]:
    """The standing characters of a player that can take part."""
    return [
        one.id
        for one in table.state.controlled(seat, "character")
        if kind in one.facts.icons and not one.kneeling
    ]


def attack(table: CardTable, against: str, defended: bool) -> None:
    """The active player attacks with a card; it is defended by a card, or not at all."""
    seat = table.state.active
    kind = next(
        one
        for one in ("military", "power", "intrigue")
        if fighters(table, seat, one) and (fighters(table, against, one) or not defended)
    )
    defender = fighters(table, against, kind)[:1] if defended else []
    table.tap(f"card:{fighters(table, seat, kind)[0]}")
    table.driver.rest()
    wanted = next(
        one for one in table.driver.app.service.snapshot.offers
        if one.commands[-1].get("against") == against and one.commands[-1]["type"] == kind
    )  # fmt: skip
    table.tap_text(wanted.text)
    unredirected = table.state.step != "4.2.X"
    if not unredirected and not defended:
        tap_beginning(table, "No redirect, no actions, no defenders: ")
    elif not unredirected:
        table.tap("choice:redirect:False")
    if defended:
        table.tap(f"card:{defender[0]}")
        table.tap("offer:defend" if table.state.step == "AW4A" else "send:defend")
        table.tap("choice:pass:True")
    elif unredirected:
        tap_beginning(table, "No actions, no defenders: ")
    assert table.state.step == "4.2.2"  # one window, no more
    claims = any(one.startswith("choice:claim") for one in table.driver.names())
    table.tap("choice:claim" if claims else "choice:continue")
    while table.state.step == "4.2.5":
        table.tap("choice:keyword")


def tap_beginning(table: CardTable, text: str, end: str = "") -> None:
    """Touch the button whose text begins so, and ends so."""
    table.driver.steps(2)
    shown = [str(getattr(one, "text", "")) for one in table.driver.widgets(table.driver.top)]
    table.tap_text(next(one for one in shown if one.startswith(text) and one.endswith(end)))


def test_a_round_of_three_challenges_takes_thirty_taps(table: CardTable) -> None:
    """As two players counted it: nothing marshaled; a military challenge without a defender and a
    save, an intrigue challenge with stealth, a power challenge with a defender, both hands above
    the reserve."""
    wolf, sneak, queen = (
        table.put(seat, name)[0]
        for seat, name in (("p1", "Robb Stark"), ("p2", "Tyrion Lannister"), ("p2", "The Tickler"))
    )
    table.put("p1", "Robb Stark")  # a duplicate
    table.do("modify", target=wolf, stat="icon-intrigue", value=1, until="game")
    table.do("modify", target=sneak, stat="keyword-stealth", value=1, until="game")
    table.do("modify", target=queen, stat="icon-power", value=1, until="game")
    table.do("modify", target=queen, stat="strength", value=9, until="game")
    for seat in ("p1", "p2"):
        table.do("set", target=seat, what="hand", value=9, why="test")
    before = next_round(table)
    reveal(table)
    tap_any(table, "Nobody acts before marshaling", "All resolved, nobody acts before marshaling")
    for seat in table.state.order:
        table.tap_text(f"All pass, {table.state.house(seat).name} marshals no more")
    table.do("kneel", cards=[wolf])
    table.tap_text("All pass, no further challenge")
    table.do("stand", cards=[wolf])
    table.tap(f"card:{queen}")
    table.tap_text("All pass, Military challenge against Anna")
    tap_beginning(table, "No actions, no defenders: ")
    table.tap_text("No reactions: Robb Stark, saved by its duplicate")
    table.tap(f"card:{sneak}")
    table.tap("do-offer")
    assert table.state.challenge is not None
    assert (table.state.challenge.type, table.state.challenge.bypassed) == ("intrigue", (wolf,))
    tap_beginning(table, "No actions, no defenders: ")
    table.tap_text("No reactions: Anna discards 1 random card")
    table.do("stand", cards=[queen])
    table.tap(f"card:{queen}")
    table.tap_text("All pass, Power challenge against Anna")
    table.taps(f"card:{wolf}", "offer:defend", "choice:pass:True", "choice:continue")
    table.tap_text("All pass")  # no challenge is left
    table.tap_text("Nobody acts before taxation")
    tap_beginning(table, "All discard", "nobody acts until the next round")
    assert table.state.step == "1.2"
    assert table.driver.taps - before <= JOUST_ROUND


def tap_any(table: CardTable, *texts: str) -> None:
    """Touch whichever of these buttons is there."""
    shown = [getattr(one, "text", "") for one in table.driver.widgets(table.driver.top)]
    table.tap_text(next(one for one in texts if one in shown))


def test_a_round_of_joust_takes_thirty_taps(table: CardTable) -> None:
    for seat in ("p1", "p2"):
        known = [one for one, _n in table.state.house(seat).deck.of_type("character")]
        plain = [one.name for one in known if len(one.icons) > 1 and not one.keywords]
        table.put(seat, *plain[:3])
        table.do("set", target=seat, what="hand", value=3, why="test")
    before = next_round(table)
    reveal(table)
    table.tap_text("Nobody acts before marshaling")
    marshal(table, 2)
    for against, defended in (("p2", True), ("p1", False)):
        attack(table, against, defended)
        table.tap_text("All pass, no further challenge")
    assert table.state.step == "AW5"
    table.tap_text("Nobody acts until the next round")
    assert table.state.step == "1.2"
    assert table.driver.taps - before <= JOUST_ROUND


# -- other games: the last tests, for they leave the one that the others share ---------------------


@pytest.mark.long
def test_a_round_of_melee_for_four_takes_sixty_taps(begun: CardTable) -> None:
    table = CardTable(begun.driver).begin(4)
    for seat in table.state.seats:
        known = [one for one, _n in table.state.house(seat).deck.of_type("character")]
        plain = [one.name for one in known if len(one.icons) > 1 and not one.keywords]
        table.put(seat, *plain[:3])
        table.do("set", target=seat, what="hand", value=9, why="test")  # above the reserve
    before = next_round(table)
    reveal(table)
    for seat in table.state.order:
        title = titles_left(table.state)[0]
        table.taps(f"form:choose-title:{seat}", f"choose-title:{title}")
    table.tap_text("Nobody acts before marshaling")
    marshal(table, 1)
    for turn in range(4):
        seat = table.state.active
        against = allowed_opponents(table.state, "military")[0]
        attack(table, against, turn % 2 == 0)
        assert table.state.active == seat
        table.tap_text("All pass, no further challenge")
    table.tap_text("Nobody acts before taxation")
    tap_beginning(table, "All discard", "nobody acts until the next round")
    assert table.state.step == "1.2"
    assert table.driver.taps - before <= MELEE_ROUND


@pytest.mark.long
def test_a_redirected_challenge_of_six_takes_ten_taps(begun: CardTable) -> None:
    table = CardTable(begun.driver).begin(6)
    for seat in ("p1", "p4"):
        known = [one.name for one, _ in table.state.house(seat).deck.of_type("character")]
        table.put(seat, *known[:MANY_CARDS])
    names = {one.name: one.id for one in table.state.cards}
    strong, weak = [names["Eddard Stark"], names["Robb Stark"]], names["The Tickler"]
    table.until("4.2")
    first, *_rest = (one for one in allowed_opponents(table.state, "military") if one != "p4")
    assert hidden_cards(table) == []
    taken = table.taps("form:challenge:military", *(f"card:{one}" for one in strong))
    assert faults(table.driver) == []
    taken += table.taps(f"send:challenge:{first}")
    assert faults(table.driver) == []
    taken += table.taps("choice:redirect-to:p4", "choice:pass:True")
    assert table.state.challenge is not None
    assert (table.state.challenge.against, table.state.challenge.defender) == (first, "p4")
    assert hidden_cards(table) == []
    taken += table.taps(f"card:{weak}", "send:defend", "choice:pass:True", "choice:claim")
    assert taken <= MOST_TO_FIGHT
    assert table.state.house("p4").dead  # the claim is done
    table.tap("open-seat:p4")
    assert f"card:{names['Tywin Lannister']}" in table.driver.names()


def hidden_cards(table: CardTable) -> list[str]:
    """The cards of the player who decides that are seen only by scrolling."""
    snapshot, seats = table.driver.app.service.snapshot, table.driver.app.screen.seats
    rows = seats.rows
    (asked,) = snapshot.prompts[0].seats
    own = {one.id for one in table.state.cards if one.controller == asked}
    shown = {one.card.id: one for one in seats.cards}
    assert own <= shown.keys()
    low, high = rows.to_window(rows.x, rows.y)[1], rows.to_window(rows.x, rows.top)[1]
    return [
        shown[card].card.title
        for card in own
        if (one := shown[card])
        and not low <= one.to_window(one.x, one.y)[1] <= one.to_window(one.x, one.top)[1] <= high
    ]


# -- before a game --------------------------------------------------------------------------------


def words(driver: Driver) -> str:
    """Everything that can be read."""
    return " | ".join(one.text for one in driver.widgets(driver.top) if isinstance(one, Text))


def test_the_practice_game_is_begun_from_home_and_explains_itself(begun: CardTable) -> None:
    driver = begun.driver
    driver.app.leave()
    driver.press("practice:thrones")
    assert driver.app.service.snapshot.practice
    assert "A bad hand may be changed once" in words(driver)
    assert faults(driver) == []
    for seat in ("p1", "p2"):
        driver.press(f"choice:mulligan:{seat}:False")
        assert driver.app.service.snapshot.prompts[0].facts
    assert "at most 8 gold" in words(driver)


def test_the_menu_ends_a_game_early_and_opens_the_practice_camera(begun: CardTable) -> None:
    """What it sees is asked in the card of the turn: `tests/engine/camera/test_card_camera.py`."""
    driver = begun.driver
    controller = driver.app.service.controller
    driver.press("menu")
    driver.press("end-early")
    assert faults(driver) == []
    driver.press("choice:concede:p2")
    assert begun.state.living == ("p1", "p2"), "a wrong finger throws nobody out"
    driver.press("do-choice")
    assert begun.state.winner == "p1"
    assert "Anna: 0 · place 1" in words(driver)
    driver.press("undo")
    assert not begun.state.winner
    if not driver.app.service.snapshot.practice:
        driver.app.leave()
        driver.press("practice:thrones")
    driver.press("menu")
    driver.press("card-camera")
    assert faults(driver) == []
    driver.press("practice-camera")
    assert controller.cards_source is not None
    driver.press("menu")
    driver.press("card-camera")
    driver.press("camera-off")
    assert controller.camera_session.camera_worker is None


def test_a_deck_is_built_kept_and_opened_again_in_the_wizard(begun: CardTable) -> None:
    driver = begun.driver
    driver.app.leave()
    driver.press("new:thrones")
    driver.press("step:decks")
    driver.press("add:House Stark")
    step = driver.app.screen.inner
    step.search.text = "arya st"
    driver.rest()
    driver.press("add:1x Arya Stark (Core)")
    driver.press("add:2x Arya Stark (Core)")
    assert step.texts == {"p1": "House Stark\n2x Arya Stark (Core)"}
    assert "2 of 60 cards" in words(driver)
    driver.press("add:3x Arya Stark (Core)")
    driver.press("fewer:1")
    assert step.texts == {"p1": "House Stark\n2x Arya Stark (Core)"}
    assert faults(driver) == []
    driver.press("write-list")
    driver.press("clear-list")
    driver.press("ready:0")
    assert "The list keeps every rule" in words(driver)
    driver.press("clear-list")
    driver.press("ready:2")  # for learning: fewer cards than the rules ask for
    assert "AGOT-DECK-7" in words(driver), "a number is told where something is forbidden"
    driver.press(f"choice:{ALLOW_GROUP}")
    driver.press(f"add:{ALLOWED_LINE}")
    assert step.texts["p1"].splitlines()[-1] == ALLOWED_LINE
    assert "was not read" not in words(driver)
    assert not any(one.stops for one in step.wizard.record.problems if one.seat == "p1")
    (kept,) = (driver.app.service.folder / "armies").glob("*.txt")
    step.read_file(kept)
    assert step.texts["p1"] == "House Stark\n2x Arya Stark (Core)"


def test_a_card_of_the_catalogue_is_corrected_in_the_app(
    begun: CardTable, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    driver = begun.driver
    driver.app.leave()
    driver.press("own-content")
    driver.press("choice:thrones")
    assert not any(name.startswith("character:") for name in driver.names())  # too many to list
    field = next(one for one in driver.widgets() if getattr(one, "name", "") == "own-search-text")
    field.text = "jaime lann"
    driver.press("own-search")
    begun.tap("character")
    driver.press("strength+")
    driver.press("form-done")
    (kept,) = tmp_path.rglob("*.toml")
    assert 'name = "Ser Jaime Lannister"' in kept.read_text(encoding="utf-8")
