"""What players call a step: the sentence, with short names, and its beginning."""

from __future__ import annotations

from dataclasses import replace

from companion.engine.turn.step_names import undo_texts
from companion.games.api.new_game import SeatView
from companion.games.api.screen_views import PieceView
from companion.session.game_view import GameView


def test_undo_is_never_named_by_a_player_alone() -> None:
    """A sentence that is too long is cut behind its first colon, but not to a mere name: then it is
    the last step of that player or piece."""
    seats = (SeatView("blue", "Red Reds", 1),)
    short = GameView(seats, ("blue",), undo="Charge: it needs 5")
    assert undo_texts(short, "", str)[-2:] == ("Charge", "the last step"), "never a bare Undo"
    named = GameView(seats, ("blue",), undo="Red Reds: the card A Lannister Pays His Debts")
    assert undo_texts(named, "", str) == (named.undo, named.undo, "the last step of Red Reds")
    unit = PieceView("r1", "Lannister Halberdiers", "Halberdiers", "red")
    tested = GameView(seats, ("blue",), undo="Halberdiers: failed (5 against 6+)", pieces=(unit,))
    assert undo_texts(tested, "", str)[-1] == "the last step of Halberdiers"


def test_a_long_sentence_that_begins_with_a_name_is_cut_behind_what_was_done() -> None:
    """German: "letzter Schritt: Gefolgsmänner" did not say what is taken back."""
    unit = PieceView("r1", "Gefolgsmänner des Berges", "Gefolgsmänner", "red")
    told = "Gefolgsmänner: Ansturm auf Bogenschützen, 4 gewürfelt, er ist erfolgreich."
    found = undo_texts(GameView((), (), pieces=(unit,), undo=told), "", str)
    assert found[-2:] == (
        "Gefolgsmänner: Ansturm auf Bogenschützen",
        "the last step of Gefolgsmänner",
    )


def test_what_stands_in_brackets_is_left_out_where_there_is_no_room() -> None:
    unit = PieceView("b2", "Stark Bowmen", "Bowmen", "blue")
    how = "Stark Bowmen: maneuver as a free action (pivot, up to 5″ forward, pivot)."
    assert undo_texts(GameView((), (), pieces=(unit,), undo=how), "", str)[1:] == (
        "Bowmen: maneuver as a free action (pivot, up to 5″ forward, pivot)",
        "Bowmen: maneuver as a free action",
        "the last step of Bowmen",
    )


def test_a_step_without_a_sentence_is_called_by_its_title() -> None:
    unit = PieceView("r1", "Lannister Halberdiers", "Halberdiers", "red")
    view = GameView((), (), pieces=(unit,))
    assert undo_texts(view, "r1 moves; r1 turns", str) == (
        "Lannister Halberdiers moves; Lannister Halberdiers turns",
        "Halberdiers moves; Halberdiers turns",
        "Halberdiers moves",
        "the last step",
    )
    assert undo_texts(view, "", str) == ("the last step",)
    assert undo_texts(None, "", str) == ()
    assert undo_texts(replace(view, undoable=False), "r1 moves", str) == ()


def test_a_sentence_is_shortened_by_the_names_of_its_pieces() -> None:
    pieces = (
        PieceView("r1", "Halberdiers", "Spears", "red"),
        PieceView("r2", "Lannister Halberdiers", "Lions", "red"),
        PieceView("r3", "Robb", "", "red"),
    )
    view = GameView((), (), pieces=pieces, undo="Lannister Halberdiers charge Robb: a 5.")
    assert undo_texts(view, "", str) == (
        "Lannister Halberdiers charge Robb: a 5",
        "Lions charge Robb: a 5",
        "Lions charge Robb",
        "the last step of Lions",
    )


def test_a_step_brings_its_short_name_with_it() -> None:
    """Found in the English words alone, it was “the last step” in every other language."""
    piece = PieceView("k1", "Stark Kennelmasters", "Kennels", "stark")
    told, short = "the command card of Stark Kennelmasters", "the command card"
    german = {told: "Kommandokarte: Stark Kennelmasters", short: "Kommandokarte"}
    view = GameView((), (), pieces=(piece,), undo=told, undo_short=short)
    assert undo_texts(view, "", str)[-2:] == (short, "the last step")
    assert undo_texts(view, "", lambda text: german.get(text, text))[-2] == "Kommandokarte"
    lady = GameView((), (), undo="Maege, Lady of Bear Island, withstands the hits")
    assert "Maege, Lady" not in undo_texts(lady, "", str)
    bare = replace(view, undo="the ford of Kennelmasters", undo_short="")
    assert "the ford" not in undo_texts(bare, "", str), "no language is read in it"
