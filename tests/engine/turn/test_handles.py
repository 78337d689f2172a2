"""Handles: the same while the same is offered, valid for the newest view alone."""

from __future__ import annotations

from companion.engine.turn.handles import CancelTap, Handles, SelectTap, question_name


def test_a_handle_stays_while_the_same_is_offered_and_is_never_used_again() -> None:
    handles = Handles()
    handles.begin()
    one = handles.add("p", "b1", SelectTap("b1"))
    assert handles.add("p", "b1", SelectTap("b1")) == one, "offered twice in one view"
    two = handles.add("p", "b2", SelectTap("b2"))
    cancel = handles.add("c", "b1", CancelTap())
    assert (one, two, cancel) == ("p1", "p2", "c1")
    assert handles.find(one) is None, "the view is not made yet"
    handles.end()
    assert handles.find(one) == SelectTap("b1")
    assert handles.find("p9") is None
    assert handles.targets() == [SelectTap("b1"), SelectTap("b2"), CancelTap()]
    handles.begin()
    assert handles.add("p", "b2", SelectTap("b2")) == two
    assert handles.find(one) == SelectTap("b1"), "the earlier view counts until this one is made"
    handles.end()
    assert handles.find(one) is None
    handles.begin()
    assert handles.add("p", "b1", SelectTap("b1")) == "p3"


def test_what_a_viewer_did_makes_its_handles_stale_and_waiting_lets_them_sleep() -> None:
    handles = Handles()
    handles.begin()
    tap = handles.add("c", "x", CancelTap())
    handles.end()
    handles.sleep()
    assert handles.find(tap) is None
    handles.wake()
    assert handles.find(tap) == CancelTap()
    handles.retire()
    assert handles.find(tap) is None
    assert handles.targets() == []


def test_a_question_is_named_by_what_is_asked() -> None:
    about = ("attack", {"a": 1, "b": (2, 3)})
    assert question_name("d", about) == question_name("d", ("attack", {"b": [2, 3], "a": 1}))
    assert question_name("d", about) != question_name("f", about)
    assert len(question_name("d", about)) == 12
