"""Forms: what is asked for, what is missing, and values that programs send."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from companion.engine.turn.filled_form import FilledForm
from companion.engine.turn.turn_view import form_view
from companion.games.api.play import Refusal
from companion.games.api.prompt import Entry, PromptForm

CARD = Entry("card", "Which card?", options=((1, "Sword"), (2, "Banner")))
HOST = Entry("host", "On whom?", options=(("a", "Ann"), ("b", "Ben")), only_for=(2,))
QUICK = PromptForm("Play", {"do": "play"}, (CARD, HOST))
SEVERAL = Entry("who", "Who?", "several", (("a", "Ann"), ("b", "Ben"), ("c", "Cy")), most=2)
FIGHT = PromptForm(
    "Attack",
    {"do": "fight"},
    (
        Entry("who", "Who?", "several", SEVERAL.options, most=2, worth=(1, 2, 4)),
        Entry("against", "Whom?", options=(("x", "Xan"), ("y", "Yve")), sends=True),
    ),
    tallies=("nobody", "1", "2", "3", "4", "5", "6"),
)
COUNT = Entry("n", "How many?", "number", least=1, most=4)
WHY = Entry("why", "Why?", "text", required=False)
NUMBER = PromptForm("Set", {"do": "set"}, (COUNT, WHY))
PIECE = PromptForm("Point", {"do": "point"}, (Entry("unit", "Which?", "piece"),))


def begun(form: PromptForm, pieces: Sequence[tuple[str, str]] = ()) -> FilledForm:
    return FilledForm.begin(form_view(form, str, pieces))


def test_an_entry_is_asked_for_only_with_the_value_it_depends_on() -> None:
    form = begun(QUICK)
    card, host = form.form.fields
    assert form.quick
    assert [entry.name for entry in form.asked()] == ["card"]
    assert form.with_value(card, 1).finished() == {"card": 1}
    attachment = form.with_value(card, 2)
    assert [entry.name for entry in attachment.missing()] == ["host"]
    chosen = attachment.with_value(host, "b")
    assert chosen.finished() == {"card": 2, "host": "b"}
    assert chosen.with_value(card, 1).finished() == {"card": 1}


def test_several_options_are_toggled_up_to_a_limit_and_counted_up() -> None:
    fight = begun(FIGHT)
    who, against = fight.form.fields
    form = fight.toggled(who, "a").toggled(who, "c").toggled(who, "b")
    assert form.given["who"] == ["a", "c"]
    assert form.tally() == "5, at most 2 of them: tap a chosen one", "the third tap is answered"
    assert form.toggled(who, "a").tally() == "4"
    assert form.chosen() == {"a", "c"}
    assert isinstance(form.finished(), Refusal), "the last tap says against whom"
    assert form.with_value(against, "y").finished() == {
        "who": ["a", "c"],
        "against": "y",
    }


def test_a_number_begins_with_the_least_and_stays_within_its_limits() -> None:
    form = begun(NUMBER)
    count = form.form.fields[0]
    assert form.finished() == {"n": 1}
    assert form.stepped(count, -1).given["n"] == 1
    assert form.stepped(count, 9).given["n"] == 4
    assert not form.quick


def test_a_tapped_piece_answers_the_entry_that_asks_for_it() -> None:
    form = begun(PIECE, (("b1", "Bowmen"),))
    tapped = form.tapped("b1")
    assert tapped is not None
    assert tapped.finished() == {"unit": "b1"}
    assert form.tapped("r1") is None


def test_tapped_pieces_are_chosen_one_by_one_and_given_up_again() -> None:
    both = begun(FIGHT).tapped("a")
    assert both is not None
    both = both.tapped("b")
    assert both is not None
    assert both.given["who"] == ["a", "b"]
    one = both.tapped("a")
    assert one is not None
    assert one.given["who"] == ["b"]


@pytest.mark.parametrize(
    ("entries", "quick"),
    [
        ((CARD,), True),
        ((CARD, HOST), True),
        ((CARD, replace(HOST, only_for=())), False),
        ((replace(CARD, required=False),), False),
        ((COUNT,), False),
        ((CARD, replace(WHY, only_for=(2,))), False),
    ],
)
def test_the_last_tap_sends_a_form_that_asks_one_thing_after_another(
    entries: tuple[Entry, ...], quick: bool
) -> None:
    assert begun(PromptForm("Play", {"do": "play"}, entries)).quick == quick


def test_what_is_chosen_may_not_be_worth_more_than_may_be_sent() -> None:
    form = begun(replace(FIGHT, most=4))
    who, against = form.form.fields
    assert not form.ready, "nobody is chosen"
    assert form.toggled(who, "c").ready
    assert not form.toggled(who, "c").toggled(who, "a").ready
    assert begun(FIGHT).toggled(who, "c").toggled(who, "a").ready
    assert begun(FIGHT).total() == 0
    assert form.sender == against
    assert begun(QUICK).sender is None
    assert not begun(QUICK).ready, "its card is missing"


def test_of_some_values_only_one_can_be_sent() -> None:
    form = begun(replace(FIGHT, single=("a", "b"), single_text="only one of them"))
    who = form.form.fields[0]
    one = form.toggled(who, "a").toggled(who, "c")
    assert (one.ready, one.tally()) == (True, "5")
    two = form.toggled(who, "a").toggled(who, "b")
    assert (two.ready, two.clash(), two.tally()) == (False, "only one of them", "only one of them")


def test_a_form_tells_what_the_players_changed_and_what_it_sends() -> None:
    form = begun(NUMBER)
    count, why = form.form.fields
    assert form.entered == {}
    changed = form.with_value(count, 3).with_value(why, "")
    assert changed.entered == {"n": 3, "why": ""}
    assert changed.values == {"n": 3, "why": ""}
    assert changed.finished() == {"n": 3}, "an empty text is left out"
    assert changed.with_value(count, 1).with_value(why, None).entered == {}
    proposed = begun(PromptForm("Set", {"do": "set"}, (replace(COUNT, value=2), WHY)))
    assert proposed.finished() == {"n": 2}
    assert begun(PromptForm("Play", {"do": "play"}, (replace(CARD, value=1),))).ready


def test_a_number_among_options_does_not_begin_by_itself() -> None:
    ways = replace(COUNT, options=((1, "one"), (2, "two")))
    form = begun(PromptForm("Set", {"do": "set"}, (ways,)))
    assert isinstance(form.finished(), Refusal)
    empty = form.with_value(form.form.fields[0], None)
    assert empty.stepped(form.form.fields[0], 1).given["n"] == 2


def test_a_text_is_trimmed_and_lists_answer_for_tuples() -> None:
    form = begun(NUMBER).with_values({"n": 2, "why": "  because "})
    assert isinstance(form, FilledForm)
    assert form.finished() == {"n": 2, "why": "because"}
    pair = Entry("cell", "Where?", options=(((1, 2), "here"), (True, "yes"), (1, "one")))
    asked = begun(PromptForm("Go", {"do": "go"}, (pair,)))
    for given, value in (([1, 2], (1, 2)), (True, True), (1, 1)):
        filled = asked.with_values({"cell": given})
        assert isinstance(filled, FilledForm)
        assert filled.finished() == {"cell": value}
        assert type(filled.given["cell"]) is type(value)
    single = begun(FIGHT).with_values({"who": "a", "against": "x"})
    assert isinstance(single, FilledForm)
    assert single.finished() == {"who": ["a"], "against": "x"}


@pytest.mark.parametrize(
    ("form", "values", "says"),
    [
        (QUICK, {"card": 2, "host": "a"}, ""),
        (QUICK, {"host": "a", "card": 2}, ""),
        (QUICK, {"host": "a"}, "'host' is not asked for"),
        (QUICK, {"card": 1, "host": "a"}, "'host' is not asked for"),
        (QUICK, {"card": True}, "True is no option"),
        (QUICK, {"card": 2}, "host is missing"),
        (FIGHT, {"who": ["a", "d"], "against": "x"}, "'d' is no option"),
        (FIGHT, {"who": ["a", "b", "c"], "against": "x"}, "at most 2"),
        (FIGHT, {"who": ["a", "a"], "against": "x"}, "at most 2"),
        (FIGHT, {"who": ["a"]}, "against is missing"),
        (FIGHT, {"against": "x"}, "who is missing"),
        (NUMBER, {"n": 5}, "a number from 1 to 4"),
        (NUMBER, {"n": 2.0}, "a number from 1 to 4"),
        (NUMBER, {"n": 2, "why": 3}, "3 is no text"),
        (NUMBER, {"n": 2, "why": "x" * 501}, "is no text"),
    ],
)
def test_values_of_programs_are_checked(
    form: PromptForm, values: dict[str, Any], says: str
) -> None:
    filled = begun(form).with_values(values)
    answer = filled if isinstance(filled, Refusal) else filled.finished()
    if says:
        assert isinstance(answer, Refusal)
        assert says in answer.say
    else:
        assert answer == values
