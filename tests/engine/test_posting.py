"""Several screens of one game: posting with an answer, every snapshot, views by seat."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.engine.app_service import AppService
from companion.engine.snapshot import Snapshot
from companion.games.api.play import Plain
from tests.app.bare import no_triangles

WAIT_S = 20.0


@pytest.fixture
def service(tmp_path: Path) -> Iterator[AppService]:
    """The practice game of the card game in its first action window, without a screen."""
    found = AppService(tmp_path, no_triangles)
    found.start_practice("thrones")
    assert found.settle()
    to_the_window(found)
    yield found
    found.close()


def to_the_window(service: AppService) -> None:
    """Answer for everybody until all of them may pass."""
    for _ in range(40):
        prompt = service.look().result(WAIT_S).prompts[0]
        if prompt.id == "window":
            return
        seat = next((one for one in prompt.seats if one not in prompt.answered), None)
        service.do(*prompt_commands(service, seat, 0))
        assert service.settle()
    pytest.fail("no action window came")


def prompt_commands(service: AppService, seat: str | None, place: int) -> tuple[Plain, ...]:
    """The commands of one choice of the first prompt."""
    return service.look(seat).result(WAIT_S).prompts[0].choices[place].commands


def test_an_accepted_post_is_answered_with_its_step(service: AppService) -> None:
    view = service.look().result(WAIT_S)
    (seat,) = view.prompts[0].choices[-1].by
    before = service.controller.game.session
    assert before is not None
    seq = before.history.seq
    reply = service.post(view.prompts[0].choices[-1].commands, seat).result(WAIT_S)
    assert reply.done
    assert reply.seq > seq
    assert before.history.now.step is not None
    assert before.history.now.step.by == (seat,)


def test_a_refusal_is_answered_and_not_shown_to_others(service: AppService) -> None:
    view = service.look().result(WAIT_S)
    choice = view.prompts[0].choices[-1]
    other = next(seat.id for seat in view.seats if seat.id not in choice.by)
    message = service.snapshot.message
    reply = service.post(choice.commands, other).result(WAIT_S)
    assert not reply.done
    assert reply.refusal is not None
    assert reply.refusal.why == "SEATS"
    assert service.snapshot.message == message


def test_what_is_shared_waits_for_all_of_them(service: AppService) -> None:
    """On screens of their own every player passes: the "no" of one skips nobody."""
    choice = service.look().result(WAIT_S).prompts[0].choices[0]
    assert choice.shared
    first, *others = choice.by
    reply = service.post(choice.commands, first).result(WAIT_S)
    assert reply.waits_for == tuple(others)
    assert [one.agreed for one in service.snapshot.proposals] == [(first,)]
    again = service.post(choice.commands, first).result(WAIT_S)  # a double tap agrees once
    assert again.waits_for == tuple(others)
    for seat in others:
        reply = service.post(choice.commands, seat).result(WAIT_S)
    assert reply.done
    session = service.controller.game.session
    assert session is not None
    assert session.history.now.step is not None
    assert set(session.history.now.step.by) == set(choice.by)


def test_who_taps_more_and_who_taps_less_agree_to_the_less(service: AppService) -> None:
    """One continues, the other continues with what comes next: both continue."""
    choice = service.look().result(WAIT_S).prompts[0].choices[0]
    first, *others = choice.by
    more = (*choice.commands, {"do": "note", "text": "and more"})
    service.post(more, first).result(WAIT_S)
    for seat in others:
        reply = service.post(choice.commands, seat).result(WAIT_S)
    assert reply.done
    assert reply.accepted == choice.commands


def test_a_step_in_between_ends_an_agreement(service: AppService) -> None:
    """Whoever agreed did so to another state."""
    choice = service.look().result(WAIT_S).prompts[0].choices[0]
    first, *others = choice.by
    service.post(choice.commands, first).result(WAIT_S)
    service.do({"do": "note", "text": "a break"})
    assert service.settle()
    assert service.post(choice.commands, others[-1]).result(WAIT_S).waits_for


def test_undo_of_another_seats_step_waits_for_it(service: AppService) -> None:
    choice = service.look().result(WAIT_S).prompts[0].choices[-1]
    (seat,) = choice.by
    other = next(one.id for one in service.snapshot.seats if one.id != seat)
    seq = service.post(choice.commands, seat).result(WAIT_S).seq
    undo: Plain = {"do": "undo"}
    assert service.post((undo,), other).result(WAIT_S).waits_for == (seat,)
    assert service.post((undo,), seat).result(WAIT_S).seq == seq + 1


def test_the_tablet_agrees_to_an_undo_and_notes_nothing(service: AppService) -> None:
    """A note would end what may be done again."""
    choice = service.look().result(WAIT_S).prompts[0].choices[-1]
    (seat,) = choice.by
    other = next(one.id for one in service.snapshot.seats if one.id != seat)
    service.post(choice.commands, seat).result(WAIT_S)
    service.post(({"do": "undo"},), other).result(WAIT_S)
    (asked,) = service.snapshot.proposals
    service.answer_proposal(asked, True)
    assert service.settle()
    session = service.controller.game.session
    assert session is not None
    assert session.history.undone is not None, "it may be done again"


def test_every_snapshot_is_published(service: AppService) -> None:
    published: list[Snapshot] = []
    stop = service.subscribe(published.append)
    service.do({"do": "note", "text": "x"})
    service.choose(service.snapshot.pieces[0].id)
    assert service.settle()
    numbers = [snapshot.number for snapshot in published]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    assert published[-1] is service.snapshot
    stop()
    service.do({"do": "note", "text": "y"})
    assert service.settle()
    assert published[-1].number == numbers[-1]


def test_each_seat_sees_its_own_at_the_same_time(service: AppService) -> None:
    """Nobody else sees a deck, and the shared tablet shows none of it."""
    service.do(*prompt_commands(service, None, 0))
    assert service.settle()
    views = {seat.id: service.look(seat.id).result(WAIT_S) for seat in service.snapshot.seats}
    public = service.look().result(WAIT_S)
    assert len({str(view.prompts) + str(view.pages) for view in views.values()}) == len(views)
    assert all(view.pages != public.pages for view in views.values())
    assert service.snapshot.pages == public.pages


def test_a_tap_of_several_commands_is_one_step_for_undo(service: AppService) -> None:
    """Undo calls it by what it did, and the log still tells all of it; so does redo."""
    session = service.controller.game.session
    assert session is not None
    before = session.history.now
    gain: Plain = {"do": "power", "target": "faction:p1", "change": 1}
    service.do({"do": "pass", "all": True}, gain, {"do": "pass", "all": True})
    assert service.settle()
    assert len([*session.history.now.down()]) == len([*before.down()]) + 3
    assert "+1 power" in service.snapshot.undo[0]
    assert any("+1 power" in line for line in service.log())
    service.do({"do": "undo"})
    assert service.settle()
    assert session.history.now.state == before.state
    assert "+1 power" in service.redo_text()
    service.do({"do": "redo"})
    assert service.settle()
    assert session.history.back == 3
    service.do({"do": "pass", "all": True}, {"do": "pass", "all": True})
    assert service.settle()
    assert service.snapshot.undo[0].endswith(": all pass")


def test_what_follows_an_undo_does_not_join_the_step_before_it(service: AppService) -> None:
    """A move that goes on is undone and made anew: Undo then takes back this move alone."""
    session = service.controller.game.session
    assert session is not None
    gain: Plain = {"do": "power", "target": "faction:p1", "change": 1}
    service.do({"do": "pass", "all": True})
    assert service.settle()
    before = session.history.now
    service.do(gain)
    assert service.settle()
    service.do({"do": "undo"}, gain, gain)
    assert service.settle()
    assert session.history.back == 2
    service.do({"do": "undo"})
    assert service.settle()
    assert session.history.now.state == before.state


def test_undo_never_takes_back_the_set_up(tmp_path: Path) -> None:
    service = AppService(tmp_path, no_triangles)
    try:
        service.start_practice("tmg-2021")
        assert service.settle()
        service.do({"do": "undo"})
        assert service.settle()
        assert service.snapshot.playing
        assert not service.snapshot.undo
        session = service.controller.game.session
        assert session is not None
        path, worker = session.log.path, service.controller.worker
        undone = worker.promise(lambda: session.answer({"do": "undo"})).result(WAIT_S)
        assert undone["ok"], "as another program may, and as earlier versions did"
        service.ask(lambda: service.controller.resume(path))
        assert service.settle()
        assert service.snapshot.playing, "what was undone is there again"
    finally:
        service.close()
