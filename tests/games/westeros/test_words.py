"""What Battles of Westeros says, in German and Russian: whole, with the same values, and told."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from companion.games.api.play import Refusal
from companion.games.westeros.game import GAME as RULES
from companion.games.westeros.play import PLAY
from companion.games.westeros.play.state import battle_position
from companion.games.westeros.rules.hex_field import MARKERS, OVERLAYS, HexField
from companion.games.westeros.rules.places import LANDMARKS, landmarks, place
from companion.games.westeros.rules.position import BoardUnit, HexPosition
from companion.games.westeros.screen import SCREEN
from companion.text.translation import catalogue, set_game, set_language
from models.message import LazyMessage
from tests.games.shared.map_walk import MapWalk, things_on
from tests.games.westeros.clash import Clash
from tests.games.westeros.tables import hex_at, table, unit
from tests.sentences import ROOT, TRANSLATED

GAME = ROOT / "companion" / "games" / "westeros"
OTHERS = pytest.mark.parametrize("language", TRANSLATED)


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    yield
    set_language("en")
    set_game("")


def heard() -> Iterator[str]:
    """What a short fight says: titles, prompts, offers, outcomes, pieces, pages."""
    game = Clash(
        [("foot", "red", "5,5", "lord"), ("hound", "green", "4,3")],
        [("stalwart", "green", "5,6"), ("archer", "blue", "7,6")],
        rolls=("VVMM", "GBRV"),
        ground={"4,4": ["plains", "fire-2"]},
    )
    fight: list[tuple[str, dict[str, Any]]] = [
        ("order", {"unit": "s1", "tokens": ["V"]}),
        ("attack", {"unit": "s1", "target": "l1"}),
        ("roll", {"faces": list("GBMB")}),
        ("stalwart", {"ignore": True}),
        ("counterattack", {"strike": True}),
        ("roll", {"faces": list("BB")}),
        ("pass", {}),
        ("card", {"unit": "s1", "tokens": [1], "units": ["s2"]}),
        ("hounds", {"unit": "s2", "target": "l1"}),
        ("roll", {"faces": ["M"]}),
    ]
    for word, asked in fight:
        before = game.state
        game.do(word, **asked)
        yield from game.titles
        outcome = SCREEN.outcome(before, game.events, game.state)
        if outcome is not None:
            yield from (outcome.text, outcome.follows)
        for prompt in SCREEN.prompts(game.state):
            yield from (prompt.title, prompt.text, *(fact.text for fact in prompt.facts))
            yield from (choice.text for choice in prompt.choices)
        for piece in ("s1", "s2"):
            for offer in SCREEN.offers(game.state, None, piece):
                yield from (offer.text, offer.odds, offer.detail, offer.expected, offer.reason)
    for piece_ in SCREEN.pieces(game.state):
        yield from piece_.lines
        yield from (badge.text for badge in piece_.badges if "/" not in badge.text)
    for page in SCREEN.pages(game.state):
        yield page.title
        for section in page.sections:
            yield from (section.text, *(line for card in section.cards for line in card.lines))
    yield SCREEN.headline(game.state)


NAMES = {"Lord", "Hound", "Steady", "Archer", "Stark", "Lannister"}


def test_a_fight_is_told_in_russian_without_english_words() -> None:
    told = catalogue("ru", game="westeros")
    for text in heard():
        if not text or text in NAMES:
            continue
        assert isinstance(text, LazyMessage), text
        words = set(re.findall(r"[A-Za-z]{3,}", told.translate(text)))
        assert words <= NAMES, (text, told.translate(text))


def test_a_refusal_is_told_in_german() -> None:
    game = Clash([("foot", "green", "5,5")], [("foot", "green", "5,9")]).order("s1")
    found = PLAY.decide(game.state, {"do": "attack", "unit": "s1", "target": "l1"})
    text = catalogue("de", game="westeros").translate(getattr(found, "say", ""))
    assert text == "Foot (Stark): ein Nahkämpfer greift nur benachbarte Felder an"


def test_the_report_is_told_in_russian() -> None:
    set_game("westeros")
    set_language("ru")
    units = unit("b1", hex_at(0, 0), name="Ann", range=4), unit("r1", hex_at(3, 0), name="Carl")
    text = RULES.text(RULES.report(table(*units, ground={hex_at(1, 0): "hill"})), "t", "b1")
    assert "не видит: Carl" in text


@pytest.mark.parametrize(
    ("language", "name", "short"),
    [
        ("en", "War Host of the North 1", "War Host 1"),
        ("de", "Garde des Nordens 1", "Garde 1"),
        ("ru", "Войско Севера 1", "Войско 1"),
    ],
)
def test_units_have_the_names_of_each_viewers_edition(language: str, name: str, short: str) -> None:
    setup = PLAY.prepare("westeros", {"do": "set-up", "battle": "sample-ford"})
    assert not isinstance(setup, Refusal)
    words = catalogue(language, game="westeros")
    piece = next(one for one in SCREEN.pieces(PLAY.start("westeros", setup)) if one.id == "s2")
    assert (words.translate(piece.name), words.translate(piece.short)) == (name, short)
    own = {"unit": [{"id": "northern-guard", "name": "Our guard", "class": "foot"}]}
    entered = PLAY.prepare("westeros", {"do": "set-up", "battle": "sample-ford", "cards": own})
    assert not isinstance(entered, Refusal)
    assert words.translate(PLAY.start("westeros", entered).unit("s2").name) == "Our guard 1"


@pytest.mark.parametrize("ground", [*OVERLAYS, *MARKERS])
def test_every_ground_and_marker_names_its_place(ground: str) -> None:
    """A site may lie on any of them, and whoever holds it is told by its ground."""
    game = Clash([("foot", "green", "5,2")], [("foot", "green", "5,8")], ground={"5,4": ground})
    told = str(place(battle_position(game.state), (5, 4)))
    assert told == (
        "the hex 2 rows straight to the far side of Foot (Stark)"
        if ground == "plains"
        else str(LANDMARKS[ground].the)
    )


def test_the_bridge_of_the_first_battle_has_a_hex_to_its_right() -> None:
    """The hex that the map shows below and to the right of the bridge is told so."""
    setup = SCREEN.practice("westeros")[0]
    asked = {key: value for key, value in setup.items() if key not in ("do", "game")}
    prepared = PLAY.prepare("westeros", asked)
    assert not isinstance(prepared, Refusal)
    position = battle_position(PLAY.start("westeros", prepared))
    field = position.field
    (bridge,) = [cell for cell, one in field.terrain.items() if one.word == "wooden-bridge"]
    x, y = field.board.middle(bridge)
    beside = {
        str(place(position, cell))
        for cell in field.cells
        if field.distance(cell, bridge) == 1
        and field.board.middle(cell)[0] > x
        and field.board.middle(cell)[1] < y
    }
    assert beside == {"the hex this side and right of the wooden bridge"}


@pytest.mark.parametrize("turn", [0.0, 90.0, 180.0, 270.0])
@pytest.mark.parametrize("battle", ["battle sample-ford", "skirmish sample-raid"])
def test_words_lead_to_every_hex_of_a_shipped_battle(battle: str, turn: float) -> None:
    """A finger that follows them ends on the very hex, however the board is drawn and wherever
    units stand."""
    kind, name = battle.split()
    setup = PLAY.prepare("westeros", {"do": "set-up", kind: name})
    assert not isinstance(setup, Refusal)
    state = PLAY.start("westeros", setup)
    board = replace(state.board, turn=turn, at=(9.0, 9.0))
    field, finger, chance = HexField.of(board), MapWalk(board), random.Random(battle)
    cells = sorted(field.cells)
    lots = [chance.sample(cells, 12) for _ in range(3)]
    for lot in [[one.cell for one in state.units if one.cell], *lots]:
        units = [BoardUnit(f"u{n}", "a", f"Guard {n}", cell) for n, cell in enumerate(lot)]
        position = HexPosition(field, tuple(units))
        things = things_on(board, landmarks(field), {one.cell: one.name for one in units})
        named = {cell: str(place(position, cell)) for cell in cells}
        assert len({*named.values()}) == len(cells)
        for cell, words in named.items():
            assert finger.walked(words, things) == {cell}, words
