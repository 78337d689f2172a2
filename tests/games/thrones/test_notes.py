"""The players' own words for a card: kept, shared, shown and reminded of at the right moment."""

from __future__ import annotations

import base64
from pathlib import Path

import numpy as np
import pytest

from companion.engine.files.backup import BackupPaths, back_up, restore
from companion.engine.files.card_drafts import photo_text
from companion.games.thrones.cards.card_notes import (
    MOMENTS,
    CardNote,
    card_notes,
    read_notes,
    save_note,
)
from companion.games.thrones.cards.catalogue import card_catalogue
from companion.games.thrones.play.prompts.question import prompts
from companion.games.thrones.play.prompts.reminders import moments, open_cards
from companion.games.thrones.screen import SCREEN
from companion.games.thrones.screen.offers import offers
from models.field import parse_toml
from models.message import CompanionError
from tests.games.thrones.decks import challenges, fight
from tests.games.thrones.driver import CardGame, as_words

FORMS = SCREEN.card_forms("thrones")
# Larger than a card needs: it is scaled down.
PHOTO = photo_text(np.full((900, 600, 3), 90, np.uint8))


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def code_of(name: str, pack: str = "Core") -> str:
    return next(one.code for one in card_catalogue().named(name) if one.pack == pack)


def facts(found: CardGame) -> list[str]:
    return [str(fact.text) for prompt in prompts(found.state) for fact in prompt.facts]


def test_a_note_with_a_photo_is_kept_shared_and_removed(home: Path) -> None:
    values = {"card": "Eddard Stark (Core)", "text": "Gains power.", "moment": "won-with",
              "photo": PHOTO}  # fmt: skip
    assert not FORMS.form_problems("note", values)
    code = FORMS.save_form("note", values)
    assert code == code_of("Eddard Stark")
    note = card_notes()[code]
    assert (note.name, note.text, note.moment) == ("Eddard Stark", "Gains power.", "won-with")
    assert note.photo_path is not None
    assert note.photo_path.read_bytes() == base64.b64decode(PHOTO)
    assert dict(FORMS.form_values("note", code)) == {"id": code, **values}
    shared = FORMS.export_forms("note", [code])
    assert FORMS.remove_form("note", code)
    assert not card_notes()
    assert not list((home / "thrones-notes").iterdir()), "the photo is gone too"
    assert FORMS.import_forms(shared, "notes.toml").names == ("Eddard Stark",)
    again = card_notes()[code]
    assert (again.text, again.moment) == (note.text, note.moment)
    assert again.photo_path is not None
    assert again.photo_path.read_bytes() == base64.b64decode(PHOTO)
    assert FORMS.save_form("note", {**FORMS.form_values("note", code), "photo": ""}) == code
    assert card_notes()[code].photo_path is None


def test_a_note_of_another_card_moves() -> None:
    first = FORMS.save_form("note", {"card": "Eddard Stark (Core)", "text": "x"})
    moved = FORMS.save_form("note", {"id": first, "card": "Winterfell (WotN)", "text": "x"})
    assert list(card_notes()) == [moved]


def test_notes_on_own_cards_of_one_name_stay_apart() -> None:
    """Two own cards without a pack were both called "Twin ()": a saved note went to the other."""
    person = {"name": "Twin", "faction": "stark", "strength": 1}
    codes = [FORMS.save_form("character", person), FORMS.save_form("agenda", {"name": "Twin"})]
    for code in codes:
        FORMS.save_form("note", {**FORMS.form_values("note", code), "text": code})
    assert {one.code: one.text for one in card_notes().values()} == {one: one for one in codes}
    for code in codes:
        opened = FORMS.form_values("note", code)
        assert FORMS.save_form("note", {**opened, "text": "new"}) == code
    assert sorted(card_notes()) == sorted(codes)
    (problem,) = FORMS.form_problems("note", {"card": "Twin ()", "text": "x"})
    assert problem.stops, "nobody knows which of the two"


def test_a_note_that_takes_the_place_of_another_says_so() -> None:
    first = FORMS.save_form("note", {"card": "Eddard Stark (Core)", "text": "x"})
    other = FORMS.save_form("note", {"card": "Winterfell (WotN)", "text": "x"})
    for again in ({"card": "Eddard Stark (Core)", "text": "y"},
                  {"id": other, "card": "Eddard Stark (Core)", "text": "y"}):  # fmt: skip
        (problem,) = FORMS.form_problems("note", again)
        assert (problem.stops, "replaces" in str(problem.text)) == (False, True)
    assert not FORMS.form_problems("note", {**FORMS.form_values("note", first), "text": "z"})


@pytest.mark.parametrize(
    ("values", "field", "words"),
    [
        ({"text": "x"}, "card", "Which card"),
        ({"card": "Edard Stark", "text": "x"}, "card", "Eddard Stark"),
        ({"card": "Eddard Stark", "text": "x"}, "card", "(Core)"),
        ({"card": "The Roseroad"}, "text", "Write something"),
        ({"card": "The Roseroad", "text": "x" * 301}, "text", "300"),
        ({"card": "The Roseroad", "text": "x", "moment": "noon"}, "moment", "noon"),
        ({"card": "The Roseroad", "photo": "no picture"}, "photo", "JPEG"),
    ],
)
def test_what_is_wrong_with_a_note_is_said(values: dict[str, str], field: str, words: str) -> None:
    (problem,) = FORMS.form_problems("note", values)
    assert (problem.field, words in str(problem.text)) == (field, True), str(problem.text)
    with pytest.raises(CompanionError):
        FORMS.save_form("note", values)
    assert not card_notes()


def test_a_broken_note_stops_nothing(home: Path) -> None:
    save_note(CardNote("01010", "x", "kept"))
    (home / "thrones-notes" / "note-torn.toml").write_text("format = 3", encoding="utf-8")
    assert list(card_notes()) == ["01010"]
    assert FORMS.form_cards("note")[0].id == "note-torn"
    assert FORMS.remove_form("note", "note-torn")
    assert [one.id for one in FORMS.form_cards("note")] == ["01010"]
    with pytest.raises(CompanionError, match="moment"):
        read_notes(parse_toml(
            'format = "table-companion/thrones-notes/1"\n[note.1]\nname = "x"\nmoment = "noon"\n',
            "notes.toml"))  # fmt: skip


def test_notes_and_photos_are_in_the_backup(home: Path, tmp_path: Path) -> None:
    FORMS.save_form("note", {"card": "Eddard Stark (Core)", "text": "x", "photo": PHOTO})
    places = BackupPaths(home)
    bundle = back_up(places, tmp_path / "all.zip", lambda *_: None)
    FORMS.remove_form("note", code_of("Eddard Stark"))
    restore(bundle, places, lambda *_: None)
    (note,) = card_notes().values()
    assert note.photo_path is not None
    assert note.photo_path.read_bytes() == base64.b64decode(PHOTO)


def test_a_tapped_card_shows_note_and_photo() -> None:
    found = challenges()
    hero = found.put("p1", "Hero")
    save_note(CardNote("he", "Hero", "Do not send him alone.", photo=PHOTO))
    (piece,) = [one for one in SCREEN.pieces(found.state) if one.id == hero]
    assert (piece.note, piece.noted) == ("Do not send him alone.", ("note", "he"))
    assert Path(piece.photo).read_bytes() == base64.b64decode(PHOTO)


def test_the_note_is_told_when_the_card_is_played_or_used() -> None:
    found = challenges()
    save_note(CardNote("ev", "Trick", "Draws two."))
    save_note(CardNote("he", "Hero", "Stands after a win."))
    before = found.state
    found.do("event", card="Trick", timing="action", reduce=1)
    outcome = SCREEN.outcome(before, found.events, found.state)
    assert outcome is not None
    assert "Trick: Draws two." in str(outcome.follows)
    found.put("p1", "Hero")
    found.do("trigger", what="a fight").do("respond", ability="Hero")
    outcome = SCREEN.outcome(before, found.events, found.state)
    assert outcome is not None
    assert "Hero: Stands after a win." in str(outcome.follows)


@pytest.mark.parametrize("moment", ["won", "won-with", "lost"])
def test_a_note_reminds_when_a_challenge_is_won_or_lost(moment: str) -> None:
    for code in ("s5", "s3"):
        save_note(CardNote(code, "x", "Look at me.", moment))
    found = challenges()
    strong, weak = found.put("p1", "Strength 5"), found.put("p2", "Strength 3")
    idle = found.put("p1", "Strength 3")
    assert not any("Look at me" in one for one in facts(found))
    fight(found, "military", [strong], [weak])
    told = [one for one in facts(found) if "Look at me" in one]
    assert idle
    expected = {"won": ["Strength 5 (Anna)", "Strength 3 2 (Anna)"],
                "won-with": ["Strength 5 (Anna)"], "lost": ["Strength 3 (Boris)"]}  # fmt: skip
    assert sorted(told) == sorted(f"{one}: Look at me." for one in expected[moment])


def test_every_moment_of_a_note_comes_in_a_round() -> None:
    """A round reaches each moment that can be chosen."""
    for code in ("s5", "s3"):
        save_note(CardNote(code, "x", "!"))
    found = challenges()
    strong, weak = found.put("p1", "Strength 5"), found.put("p2", "Strength 3")
    seen: set[str] = set()

    def look() -> None:
        for card in open_cards(found.state):
            seen.update(moments(found.state, card))

    fight(found, "power", [strong], [weak])
    look()
    found.until("AW5")
    while found.state.step != "4.2.2":
        look()
        if found.state.step == "1.2":
            found.plots(p1="Second Plot", p2="Second Plot")
        elif found.state.step == "4.2":
            found.do("challenge", type="power", attackers=[strong])
        elif found.state.step == "4.2.1":
            found.do("defend", defenders=[weak])
        else:
            found.idle()
    look()
    assert seen == MOMENTS.keys() - {""}


def pointed(found: CardGame) -> dict[str, list[str]]:
    """The facts that lead to cards, with the words of these."""
    told = (one for prompt in prompts(found.state) for one in prompt.facts)
    return {str(one.text): [str(text) for _, text in one.about] for one in told if one.about}


def sample(*cards: tuple[str, str]) -> CardGame:
    """The sample decks in AW4, with these cards in play."""
    found = CardGame()
    found.plots(p1="A Noble Cause", p2="A Noble Cause").until("AW4")
    for seat, name in cards:
        found.put(seat, name)
    return found


def test_cards_that_may_react_are_counted_and_named() -> None:
    """AGOT-CHL-31: reactions to winning come at the result; a note says which card reacts to it."""
    found = sample(("p1", "Eddard Stark"), ("p1", "Robb Stark"), ("p2", "Tyrion Lannister"),
                   ("p1", "Catelyn Stark"))  # fmt: skip
    attacker = next(one.id for one in found.state.cards if one.name == "Eddard Stark")
    fight(found, "military", [attacker], [])
    names = ["Eddard Stark (Anna)", "Robb Stark (Anna)", "Tyrion Lannister (Boris)"]
    assert pointed(found) == {"3 cards have a reaction: does one apply now?": names}
    save_note(CardNote(code_of("Eddard Stark"), "Eddard Stark", "Gains power.", "won-with"))
    save_note(CardNote(code_of("Tyrion Lannister"), "Tyrion", "2 gold.", "initiated"))
    assert "Eddard Stark (Anna): Gains power." in facts(found)
    assert pointed(found) == {"2 cards have a reaction: does one apply now?": names[:2]}
    (used,) = [one for one in offers(found.state, attacker) if one.kind == "star"]
    found.do(**{("word" if key == "do" else key): value for key, value in used.commands[0].items()})
    assert pointed(found) == {"1 card has a reaction: does it apply now?": names[1:2]}
    assert not any(one.kind == "star" for one in offers(found.state, attacker))


@pytest.mark.rule("AGOT-ABL-4", "AGOT-TRG-6")
def test_a_forced_interrupt_is_asked_for_before_the_phase_ends() -> None:
    """It is not optional: where nothing says when it applies, the end of every phase asks."""
    asked = "1 card has a forced interrupt: does it apply now?"
    found = sample(("p2", "Gold Cloaks"), ("p1", "Robb Stark"))
    assert asked not in pointed(found), "the phase goes on: Boris has not been active"
    found.until("4.2").do("no-challenge")
    assert (found.state.step, found.state.active) == ("AW4", "p2")
    assert pointed(found)[asked] == ["Gold Cloaks (Boris)"]
    assert pointed(found.until("4.2"))[asked] == ["Gold Cloaks (Boris)"]
    cloaks = next(one.id for one in found.state.cards if one.name == "Gold Cloaks")
    (used,) = [one for one in offers(found.state, cloaks) if one.kind == "star"]
    assert used.text == "Forced interrupt resolved"
    found.do(**as_words(used.commands[0]))
    assert asked not in pointed(found)
    found.do("no-challenge")
    assert found.state.step == "AW5"
    assert asked in pointed(found), "another phase ends, and with it this question is asked again"
    save_note(CardNote(code_of("Gold Cloaks"), "Gold Cloaks", "They leave.", "dominance"))
    assert "Gold Cloaks (Boris): They leave." in facts(found)
    assert asked not in pointed(found.until("AW6")), "a note says when"


@pytest.mark.rule("AGOT-DOM-4", "AGOT-TRG-2")
def test_dominance_reminds_of_reactions() -> None:
    """A plot that reacts to it counts too."""
    found = CardGame()
    found.plots(p1="A Noble Cause", p2="A Feast for Crows").until("AW5")
    told = pointed(found)["1 card has a reaction: does it apply now?"]
    assert told == ["A Feast for Crows (Boris)"]


@pytest.mark.rule("AGOT-PLOT-24")
def test_actions_of_a_phase_are_named_and_a_blank_card_has_none() -> None:
    found = sample(("p1", "Grey Wind"), ("p1", "Winterfell Steward"), ("p2", "The Tickler"))
    assert pointed(found) == {"1 card has an action of this phase": ["Grey Wind (Anna)"],
                              "Anna has an action on 1 card": ["Fealty (Anna)"]}  # fmt: skip
    wolf = next(one.id for one in found.state.cards if one.name == "Grey Wind")
    assert any(one.text == "Action used" for one in offers(found.state, wolf))
    found.do("modify", target=wolf, stat="blank", value=1, until="phase", why="Milk of the Poppy")
    assert not any(one.text == "Action used" for one in offers(found.state, wolf))
    assert "1 card has an action of this phase" not in pointed(found)
    told = pointed(found.until("AW5"))
    assert told["1 card has an action of this phase"] == ["The Tickler (Boris)"]


@pytest.mark.rule("AGOT-PLOT-15")
def test_only_plots_with_an_ability_are_resolved() -> None:
    """What they do is entered there; where none has an ability, nobody is asked."""
    found = CardGame().do("choose-plot", seat="p1", plot="Building Orders")
    found.do("choose-plot", seat="p2", plot="A Noble Cause")
    while found.state.step != "1.3.III":
        found.idle()
    assert "To resolve: Building Orders (Anna)" in facts(found)
    (prompt,) = prompts(found.state)
    power, _gold, draw, moved = prompt.forms
    found.do("power", target="faction:p1", change=2).do("draw", seat="p1", count=1)
    assert [form.command["do"] for form in (power, draw, moved)] == ["power", "draw", "move"]
    found.do("move", **{"seat": "p2", "from": "hand", "to": "dead", "count": 1})
    assert found.house("p2").dead == ("",)
    found.do("continue")
    found = CardGame().do("choose-plot", seat="p1", plot="A Game of Thrones")
    found.do("choose-plot", seat="p2", plot="A Noble Cause")
    while found.state.step == "1.3.I":
        found.idle()
    found.do("first-player", seat="p1")
    assert found.state.step == "AW1"


@pytest.mark.rule("AGOT-TRG-2", "AGOT-TRG-10")
def test_a_sequence_offers_the_cards_of_its_stage() -> None:
    found = sample(("p1", "Bran Stark"), ("p1", "Robb Stark"), ("p2", "Tyrion Lannister"))

    def offered() -> list[str]:
        (prompt,) = prompts(found.state)
        return [str(one.text) for one in prompt.choices if one.commands[0]["do"] == "respond"]

    found.do("trigger", what="Summer is killed")
    assert offered() == ["Use Bran Stark (Anna)"]
    found.do("respond", seat="p1", ability="Bran Stark")
    assert offered() == [], "Boris may act, and Bran is used up"
    while found.state.triggers[-1].stage != "reaction":
        found.do("pass-trigger", all=True)
    assert offered() == ["Use Robb Stark (Anna)"]


@pytest.mark.rule("AGOT-TRG-10")
def test_a_sequence_offers_the_copy_of_the_other_player() -> None:
    found = CardGame(ready=False, decks={"p2": "sample stark"}).until("SETUP-8")
    found.do("place", cards=["Bran Stark"]).do("place", cards=["Bran Stark"]).until("AW1")

    def offered() -> list[str]:
        (prompt,) = prompts(found.state)
        return [str(one.text) for one in prompt.choices if one.commands[0]["do"] == "respond"]

    found.do("trigger", what="Summer is killed").do("respond", seat="p1", ability="Bran Stark")
    assert offered() == ["Use Bran Stark (Boris)"]


def test_only_events_that_are_actions_now_are_offered_as_such() -> None:
    """AGOT-EVT: a reaction is no action; another cost may still be entered for any event."""

    def offered(found: CardGame, text: str) -> list[str]:
        (prompt,) = prompts(found.state, "p1")
        (form,) = [one for one in prompt.forms if one.text == text]
        return [str(words) for _code, words in form.entries[0].options]

    found = sample().do("gold", seat="p1", change=5)
    assert offered(found, "Play an event") == [
        "For the North! (0 gold)",
        "Winter Is Coming (1 gold)",
    ]
    assert "Like Warm Rain (1 gold)" in offered(found, "Event at another cost")
