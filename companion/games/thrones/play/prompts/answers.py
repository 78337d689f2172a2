"""What a session asks of the question of the moment: who answers it, and with which commands."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations, islice, product

from companion.games.api.play import Pending, Plain
from companion.games.api.prompt import Entry, Prompt, PromptForm
from companion.games.thrones.play.prompts.question import prompts
from companion.games.thrones.play.state import ThronesState

MOST_WAYS = 60
"""A form of a question without buttons is filled in so many ways at most."""


def waiting_seats(prompt: Prompt) -> tuple[str | None, ...]:
    """Who still has to answer."""
    if not prompt.seats:
        return (None,)
    return tuple(one for one in prompt.seats if one not in prompt.answered)


def asked_seats(state: ThronesState) -> list[str | None]:
    """Who still has to answer the prompts; None stands for everybody."""
    return [seat for prompt in prompts(state) for seat in waiting_seats(prompt)]


def pending(state: ThronesState) -> list[Pending]:
    """The prompts for the session: one for each seat that is asked."""
    found = []
    for prompt in prompts(state):
        for seat in waiting_seats(prompt):
            own = prompts(state, seat)[0] if prompt.secret else prompt
            words = [one.commands[0]["do"] for one in own.choices]
            words += [form.command["do"] for form in own.forms]
            found.append(Pending(prompt.id, prompt.title, seat, tuple(dict.fromkeys(words))))
    return found


def options(state: ThronesState, side: str | None = None) -> list[Plain]:
    """The complete commands of each pending prompt; secret ones only for their own side."""
    found: list[Plain] = []
    for prompt in prompts(state):
        for seat in waiting_seats(prompt):
            shown = prompts(state, seat)[0] if prompt.secret and seat == side else prompt
            commands: list[Plain] = []
            for one in chain((one.commands[0] for one in shown.choices), filled_forms(shown)):
                if one not in commands:
                    commands.append(one)
            forms = list(dict.fromkeys(form.command["do"] for form in shown.forms))
            found.append({"options": commands, "open": forms})
    return found


def filled_forms(prompt: Prompt) -> Iterator[Plain]:
    """The ways to answer a question that has no buttons: its forms without words or numbers,
    as the claim of several characters (AGOT-CLM-3)."""
    if not prompt.choices and not prompt.secret:
        for form in prompt.forms:
            yield from islice(ways_to_fill(form), MOST_WAYS)


def ways_to_fill(form: PromptForm) -> Iterator[Plain]:
    """Its command with every choice of what it requires; none if players write something in it."""
    entries = [entry for entry in form.entries if entry.required]
    if all(entry.options for entry in entries):
        for values in product(*map(ways_to_choose, entries)):
            yield {**form.command, **dict(zip((one.field for one in entries), values, strict=True))}


def ways_to_choose(entry: Entry) -> Iterator[str | list[str]]:
    """Every value of one entry."""
    values = [value for value, _ in entry.options]
    if entry.kind != "several":
        yield from values
        return
    for n in range(entry.least, min(entry.most, len(values)) + 1):
        yield from map(list, combinations(values, n))
