"""A deck built in the wizard by taps: what may be added, what not, and by which rule."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.api.new_game import SeatList, SetupLine
from companion.games.thrones.cards.catalogue import card_catalogue
from companion.games.thrones.cards.deck_reader import read_whole
from companion.games.thrones.play import PLAY
from companion.games.thrones.screen import SCREEN
from models.message import CompanionError
from tests.games.thrones.driver import CardGame, as_words

SEATS = [{"id": "p1", "name": "Anna"}, {"id": "p2", "name": "Boris"}]


class DeckBuilder:
    """The deck of the first seat, changed as the wizard changes it."""

    def __init__(self, text: str = "") -> None:
        self.text, self.search = text, ""

    @property
    def step(self) -> Any:
        draft: dict[str, Any] = {"seats": SEATS, "decks": {"p1": self.text}}
        draft["decks-search"] = {"p1": self.search}
        return next(one for one in SCREEN.steps("thrones", draft) if one.id == "decks")

    @property
    def listed(self) -> SeatList:
        found: SeatList = self.step.lists[0]
        return found

    @property
    def rules(self) -> set[str]:
        return {one.rule for one in self.step.problems if one.seat == "p1" and one.rule}

    def offered(self, name: str, group: str = "") -> SetupLine:
        """What the wizard offers for a name."""
        self.search = "" if group else name
        return next(
            one for one in self.listed.picks if one.text == name and group in ("", one.group)
        )

    def add(self, name: str, group: str = "") -> None:
        """Tap it."""
        pick = self.offered(name, group)
        assert not pick.reason, (pick.reason, pick.rule)
        lines = (self.listed.text or self.text).splitlines()
        if pick.replaces and pick.replaces in lines:
            lines[lines.index(pick.replaces)] = pick.line
        else:
            lines.append(pick.line)
        self.text = "\n".join(lines)


def test_one_copy_is_taken_off() -> None:
    deck = DeckBuilder("House Stark\n2x Arya Stark (Core)\nRobb Stark (Core)")
    faction, two, single = deck.listed.lines
    assert (faction.fewer, two.fewer, single.fewer) == ("", "1x Arya Stark (Core)", "")
    assert DeckBuilder(f"House Stark\n{two.fewer}").listed.lines[1].fewer == ""


@pytest.mark.rule("AGOT-DECK-3", "AGOT-DECK-7", "AGOT-DECK-9", "AGOT-DECK-11", "AGOT-DECK-12")
def test_a_deck_is_built_by_taps_with_every_rule_beside_it() -> None:
    deck = DeckBuilder()
    assert [one.group for one in deck.listed.picks] == ["Faction"] * 8
    deck.add("House Stark", "Faction")
    assert {"Plots", "Characters", "Agendas"} <= {one.group for one in deck.listed.picks}
    for _ in range(3):
        deck.add("Arya Stark")
    assert deck.text == "House Stark\n3x " + deck.text.partition("3x ")[2]
    assert deck.offered("Arya Stark").rule == "AGOT-DECK-9"
    assert deck.offered("Cersei Lannister").rule == "AGOT-DECK-12"
    assert deck.offered("The Hound").rule == "AGOT-DECK-11"
    assert deck.rules == {"AGOT-DECK-3", "AGOT-DECK-7"}
    assert deck.listed.total == "House Stark · 3 of 60 cards · 0 of 7 plots"
    deck.search = ""
    plots = list(dict.fromkeys(one.text for one in deck.listed.picks if one.group == "Plots"))
    for name in plots[:7]:
        deck.add(name, "Plots")
    assert deck.rules == {"AGOT-DECK-7"}
    eighth = deck.offered(plots[7], "Plots")
    assert (eighth.rule, eighth.reason) == ("AGOT-DECK-3", "the plot deck is full: 7 cards")
    deck.search = ""
    # 54 cards are written at once as the taps would write them, the last three are tapped
    staying = [one for one in deck.listed.picks if one.group in ("Characters", "Locations")]
    names = {one.text: one.line for one in staying if not one.reason}
    deck.text += "\n" + "\n".join(line.replace("1x", "3x") for line in list(names.values())[:18])
    assert deck.rules == {"AGOT-DECK-7"}
    deck.add("Ice")
    assert deck.rules == {"AGOT-DECK-7"}
    for _ in range(2):
        deck.add("Ice")
    assert deck.rules == set()
    removed = next(one for one in deck.listed.lines if one.group == "Plots")
    deck.text = "\n".join(one for one in deck.text.splitlines() if one != removed.line)
    assert deck.rules == {"AGOT-DECK-3"}


@pytest.mark.slow
def test_a_sample_deck_is_ready_and_keeps_every_rule() -> None:
    ready = dict(DeckBuilder().listed.ready)
    assert len(ready) == 23
    broken = [name for name in ready if str(name).endswith("for learning, breaks deck rules")]
    assert len(broken) == 3
    for name, text in ready.items():
        assert bool(DeckBuilder(text).rules) == (name in broken)
    for text in list(ready.values())[:2]:
        deck = DeckBuilder(text)
        assert deck.rules == set()
        assert len(deck.listed.lines) > 20


OCTGN = """<deck><section name="Plot"><card qty="1">A Noble Cause</card></section>
<section name="Character"><card qty="2">Aria Stark</card><card qty="x">Robb Stark</card></section>
</deck>"""
OBJECT = """{"faction_code": "stark", "plotCards": [{"count": 1, "card": {"code": "01004"}}],
"drawCards": [{"count": 2, "card": {"code": "99999", "name": "Aria Stark"}},
{"count": "x", "card": {"code": "01146"}}, {"count": 1, "card": {"code": "0114l"}}]}"""


@pytest.mark.parametrize(("text", "unread"), [(OCTGN, 2), (OBJECT, 3)])
def test_a_deck_of_another_program_is_mended_by_taps(text: str, unread: int) -> None:
    """Every wrong entry is told at once, with near cards; the rest of the deck stays."""
    deck = DeckBuilder(text)
    stops = [one for one in deck.step.problems if one.seat == "p1" and not one.rule and one.stops]
    assert len(stops) == unread
    deck.add("Arya Stark", "Not read")
    deck.add("Robb Stark", "Not read")
    assert "2x Arya Stark (Core)" in deck.text.splitlines()
    assert "1x Robb Stark (Core)" in deck.text.splitlines()
    assert "1x A Noble Cause (Core)" in deck.text.splitlines()
    if unread == 3:
        near = [one.text for one in deck.listed.picks if one.group == "Not read"]
        assert near[-1] == "Leave out 1x 0114l"
        assert "Arya Stark" in near
        deck.add("Leave out 1x 0114l", "Not read")
    stops = [one for one in deck.step.problems if one.seat == "p1" and one.stops]
    assert all(one.rule for one in stops)
    assert len(read_whole(deck.text, card_catalogue()).counts) == 3


def test_codes_like_a_wrong_one_are_offered() -> None:
    deck = DeckBuilder('{"faction_code": "stark", "slots": {"0114": 2, "01004": 1}}')
    near = [one for one in deck.listed.picks if one.group == "Not read"]
    assert {card_catalogue()[one].name for one in ("01141", "01144")} & {one.text for one in near}
    assert near[0].line.startswith("2x ")


def test_what_is_agreed_is_asked_before_the_decks_are_judged_by_it() -> None:
    steps = [one.id for one in SCREEN.steps("thrones", {"seats": SEATS})]
    assert steps.index("game") < steps.index("decks")
    fields = [one for one in SCREEN.steps("thrones", {"seats": SEATS}) if one.id == "game"]
    assert {"list", "sets"} <= {one.field for one in fields[0].entries}


def test_the_practice_game_leads_through_the_first_round() -> None:
    (command,) = SCREEN.practice("thrones")
    asked = {key: value for key, value in command.items() if key not in ("do", "game", "decks")}
    game = CardGame(decks=command["decks"], **{**asked, "ready": False, "seats": command["seats"]})
    seen = {}
    while game.state.round < 2 and not game.state.winner:
        prompt = SCREEN.prompts(game.state)[0]
        seen[game.state.step] = prompt.facts[0].text if prompt.facts else ""
        game.idle()
    assert {"SETUP-7", "SETUP-8", "1.2", "AW3", "4.2", "AW5", "AW7"} <= seen.keys()
    assert all(seen.values()), [step for step, text in seen.items() if not text]
    assert len(set(seen.values())) == len(seen)
    unguided = CardGame(decks=command["decks"])
    assert not SCREEN.prompts(unguided.state)[0].facts
    assert PLAY.options(game.state)
    assert as_words(PLAY.options(game.state, "p1")[0]["options"][0])


def test_sections_within_sections_list_no_card_twice() -> None:
    from xml.etree import ElementTree

    from companion.games.thrones.cards.deck_files import sections

    depth = 1500
    part = '<section name="Draw"><card qty="1">Arya Stark</card>'
    text = f"<deck>{part * depth}{'</section>' * depth}</deck>"
    assert len(list(sections(ElementTree.fromstring(text)))) <= depth
    shallow = f"<deck>{part * 3}{'</section>' * 3}</deck>"
    assert len(list(sections(ElementTree.fromstring(shallow)))) == 3


def test_the_place_of_an_unread_line_is_short() -> None:
    text = '{"name": "Mine", "faction_code": "stark", "slots": {"' + "0" * 5000 + '": 1}}'
    with pytest.raises(CompanionError) as error:
        read_whole(text, card_catalogue())
    assert len(str(error.value)) < 400
