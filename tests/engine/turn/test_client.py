"""Several viewers of one game: own seat, own selection, own language, own handles."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.engine.turn.client import Client
from companion.engine.turn.running_game import RunningGame
from companion.engine.turn.turn_records import TurnView
from companion.games.api.play import Refusal
from companion.library.kept_game import begin_practice
from companion.session.session import Session

GAMES = ("tactics", "westeros", "thrones", "tmg-2021")


def begun(folder: Path, game: str) -> RunningGame:
    """The practice game of a game."""
    path = folder / "practice.game"
    session = Session.open(path)
    begin_practice(session, game, path)
    return RunningGame(session, moves_trays=True)


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[RunningGame]:
    made = begun(tmp_path, request.param)
    yield made
    made.session.close()


@pytest.fixture
def skirmish(tmp_path: Path) -> Iterator[RunningGame]:
    made = begun(tmp_path, "tactics")
    yield made
    made.session.close()


def done(answer: TurnView | Refusal) -> TurnView:
    assert isinstance(answer, TurnView), answer
    return answer


def refused(answer: TurnView | Refusal) -> Refusal:
    assert isinstance(answer, Refusal)
    return answer


def taps(view: TurnView) -> list[str]:
    """Every handle of a view."""
    found: list[str] = []

    def walk(record: Any) -> None:
        if isinstance(record, dict):
            found.extend([record["tap"]] if "tap" in record else [])
            for value in record.values():
                walk(value)
        elif isinstance(record, list):
            for value in record:
                walk(value)

    walk(view.to_json())
    return found


def test_a_view_is_json_with_every_binding_field(game: RunningGame) -> None:
    view = Client(game).view().to_json()
    assert json.loads(json.dumps(view)) == view
    binding = {"seq", "turn", "acts", "headline", "result", "undo", "prompts", "offers", "refused"}
    assert binding | {"score", "winner"} <= view.keys()
    prompt = view["prompts"][0]
    assert {"title", "text", "acts", "dice", "choices", "pieces", "cells", "form"} <= prompt.keys()
    assert taps(Client(game).view())


@pytest.mark.parametrize("intent", [5, {}, {"tap": 3}, {"tap": "c99"}, {"do": "undo"}, {"undo": 1}])
def test_what_was_not_offered_is_refused_and_nothing_changes(
    skirmish: RunningGame, intent: Any
) -> None:
    client = Client(skirmish)
    before = client.view()
    assert refused(client.act(intent)).say
    assert client.view() == before


def test_a_handle_is_stale_after_its_tap_and_foreign_to_others(skirmish: RunningGame) -> None:
    first, second = Client(skirmish), Client(skirmish)
    tap = first.view().offers[0].tap
    assert refused(second.act({"tap": tap})).why == "STALE"
    seq = done(first.act({"tap": tap})).seq
    assert refused(first.act({"tap": tap})).why == "STALE"
    assert first.view().seq == seq


def test_a_seat_gets_handles_for_its_own_turn_only(skirmish: RunningGame) -> None:
    everybody = Client(skirmish).view()
    assert everybody.turn == everybody.acts[0]
    (other,) = set(everybody.seats) - set(everybody.acts)
    assert Client(skirmish, everybody.turn).view().offers == everybody.offers
    watching = Client(skirmish, other).view()
    assert watching.prompts[0].title == everybody.prompts[0].title
    assert (watching.offers, watching.prompts[0].pieces) == ((), ())


def test_each_viewer_has_a_selection_and_a_language_of_its_own(skirmish: RunningGame) -> None:
    english, german = Client(skirmish), Client(skirmish, language="de")
    piece = english.view().pieces[1].id
    selected = done(english.act({"select": piece}))
    assert (selected.selected, german.view().selected) == (piece, None)
    assert "Round" in selected.headline
    assert "Runde" in german.view().headline
    assert refused(german.act({"select": "nobody"})).say == "es gibt keine Figur „nobody“"
    assert done(english.act({"select": None})).selected is None


def test_a_step_of_another_viewer_is_seen_and_undone(skirmish: RunningGame) -> None:
    one, other = Client(skirmish), Client(skirmish)
    before = other.view()
    after = done(one.act({"tap": one.view().offers[0].tap}))
    assert other.view().seq == after.seq > before.seq
    assert other.view().selected == after.selected == after.offers[0].piece
    assert done(other.act({"undo": True})).prompts[0].title == before.prompts[0].title
    assert other.view().redo


def test_a_piece_moves_to_a_cell_that_is_offered(skirmish: RunningGame) -> None:
    client = Client(skirmish)
    view = done(client.act({"tap": client.view().offers[0].tap}))
    piece, cells = view.selected, [cell for offer in view.offers for cell in offer.cells]
    assert cells
    assert refused(client.act({"move": piece, "cell": "99,99"})).why == "MOVE"
    assert refused(client.act({"move": piece, "x": 3})).why == "INPUT"
    moved = done(client.act({"move": piece, "cell": cells[0].cell}))
    assert next(p.cell for p in moved.pieces if p.id == piece) == cells[0].cell


def test_an_offer_asks_for_its_dice_before_anything_is_recorded(tmp_path: Path) -> None:
    game = begun(tmp_path, "tmg-2021")
    client = Client(game)
    view = client.view()
    charge = next(offer for offer in view.offers if offer.asks == ("dice",))
    asked = done(client.act({"tap": charge.tap}))
    assert (asked.seq, asked.prompts[0].id) == (view.seq, "rolling")
    dice = asked.prompts[0].dice[0]
    assert refused(client.act({"tap": dice.tap, "faces": [7]})).say == "7 is no face of this die"
    assert done(client.act({"tap": asked.prompts[0].choices[0].tap})).prompts[0].id != "rolling"
    rolled = done(client.act({"tap": charge.tap, "faces": [6]}))
    assert "rolled 6" in rolled.result
    game.session.close()


def test_a_tray_is_moved_where_an_action_explains_it_or_the_players_keep_it(
    tmp_path: Path,
) -> None:
    game = begun(tmp_path, "tmg-2021")
    client = Client(game)
    bowmen = {"move": "b2", "x": 13.0, "y": 14.6, "heading": 84.0}
    moved = done(client.act(bowmen))
    assert next(piece.place for piece in moved.pieces if piece.id == "b2") == (13.0, 14.6, 84.0)
    far = {"move": "b2", "x": 30.0, "y": 4.0, "heading": 0.0}
    assert refused(client.act(far)).say
    assert client.view().seq == moved.seq
    assert done(client.act({**far, "keep": True})).notice
    assert refused(client.act({"move": "b2", "cell": "1,1"})).why == "INPUT"
    game.session.close()


def test_a_secret_is_chosen_by_each_seat_alone_at_the_shared_tablet(tmp_path: Path) -> None:
    game = begun(tmp_path, "thrones")
    shared, seats = Client(game), list(game.view(None).seats)
    while not any(prompt.secret for prompt in game.view(None).prompts):
        view = shared.view()
        done(shared.act({"tap": view.prompts[0].choices[0].tap}))
    public = shared.view()
    looks = [choice for choice in public.prompts[0].choices if choice.asks == ("look",)]
    assert looks
    own = done(shared.act({"tap": looks[0].tap}))
    assert own.seq == public.seq
    assert own.prompts[0].choices != public.prompts[0].choices
    alone = Client(game, looks[0].acts[0]).view()
    assert alone.prompts[0].choices or alone.prompts[0].forms
    other = next(seat.id for seat in seats if seat.id != looks[0].acts[0])
    texts = {choice.text for choice in alone.prompts[0].choices}
    assert not texts & {choice.text for choice in Client(game, other).view().prompts[0].choices}
    covered = done(shared.act({"tap": own.prompts[0].choices[-1].tap}))
    assert covered.prompts[0].title == public.prompts[0].title
    game.session.close()


def test_a_notice_goes_with_the_next_step_of_anybody(skirmish: RunningGame) -> None:
    """ "Waits for Ben" is not true any more once Ben has tapped."""
    blue, tablet = Client(skirmish, "blue"), Client(skirmish)
    blue.tell("waits for red")
    assert blue.view().notice == "waits for red"
    offer = next(one for one in tablet.view().offers if one.verdict == "yes")
    done(tablet.act({"tap": offer.tap}))
    assert blue.view().notice == ""


def test_a_phone_does_not_say_the_question_twice(tmp_path: Path) -> None:
    """What follows from a step is the title below it; the tablet's banner says both."""
    game = begun(tmp_path, "thrones")
    tablet, phone = Client(game), Client(game, "p2")
    game.session.answer({"do": "mulligan", "take": False})
    asked = phone.view().prompts[0].title
    assert tablet.view().result.endswith(asked)
    assert asked not in phone.view().result
    game.session.close()


def test_a_refusal_names_pieces_and_players_as_they_are_called(tmp_path: Path) -> None:
    game = begun(tmp_path, "tmg-2021")
    client = Client(game, language="de")
    client.view()
    refusal = client.send(({"do": "draw", "player": "blue", "cards": ["no such card"]},))
    assert refusal is not None
    assert "blue" in refusal.say
    assert "Blau" in client.told(refusal).say
    assert "blue" not in client.told(refusal).say
    game.session.close()
