"""A form of a game as far as it is filled in: which values are asked for, which are missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from companion.games.api.play import Refusal
from companion.games.api.prompt import Entry, PromptForm
from models.field import shown
from models.message import say

Options = Sequence[tuple[Any, str]]
EMPTY: tuple[Any, ...] = (None, "", [])
LONGEST_TEXT = 500
INPUT = "INPUT"


@dataclass(frozen=True, slots=True)
class FilledForm:
    """The values of a form's entries; `pieces` are what entries without options choose from."""

    form: PromptForm
    pieces: Options = ()
    given: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def begin(cls, form: PromptForm, pieces: Options = ()) -> FilledForm:
        """A form with the values that it proposes; a number begins with the least one."""
        given = {entry.field: entry.value for entry in form.entries if entry.value is not None}
        for entry in form.entries:
            if entry.kind == "number" and not entry.options:
                given.setdefault(entry.field, entry.least)
        return cls(form, pieces, given)

    @property
    def quick(self) -> bool:
        """Whether the last tap on an option sends it: it asks for one option only, and for what
        depends on it."""
        entries = self.form.entries
        alone = len(entries) == 1 or any(entry.only_for for entry in entries)
        return alone and all(
            entry.kind in ("option", "piece") and entry.required and bool(self.options(entry))
            for entry in entries
        )

    @property
    def sender(self) -> Entry | None:
        """The entry whose options are the buttons that send the form."""
        return next((entry for entry in self.form.entries if entry.sends), None)

    def options(self, entry: Entry) -> Options:
        """The values to choose from."""
        return self.pieces if entry.kind == "piece" and not entry.options else entry.options

    def asked(self) -> list[Entry]:
        """The entries that concern what is chosen so far."""
        chosen = list(self.given.values())
        return [
            entry
            for entry in self.form.entries
            if not entry.only_for
            or any(same_value(wanted, value) for wanted in entry.only_for for value in chosen)
        ]

    def missing(self) -> list[Entry]:
        """The entries that still need a value; the one that sends comes with the last tap."""
        return [
            entry
            for entry in self.asked()
            if entry.required and not entry.sends and self.given.get(entry.field) in EMPTY
        ]

    def tally(self) -> str:
        """What the chosen options come to."""
        total = 0
        for entry in self.asked():
            chosen = self.given.get(entry.field) or ()
            worth = zip((value for value, _ in entry.options), entry.worth, strict=False)
            total += sum(points for value, points in worth if value in chosen)
        return self.form.tallies[total] if 0 <= total < len(self.form.tallies) else ""

    def chosen(self) -> set[str]:
        """The pieces and values that are chosen."""
        values: set[str] = set()
        for value in self.given.values():
            values |= {str(item) for item in value} if isinstance(value, list) else {str(value)}
        return values

    @property
    def command(self) -> dict[str, Any] | None:
        """The command with its values; None while some are missing."""
        if self.missing():
            return None
        asked = {entry.field for entry in self.asked()}
        filled = {
            name: value
            for name, value in self.given.items()
            if value not in EMPTY and name in asked
        }
        return {**self.form.command, **filled}

    @property
    def values(self) -> dict[str, Any]:
        """What is filled in, as a client sends it."""
        asked = {entry.field for entry in self.asked()}
        given = self.given.items()
        return {name: value for name, value in given if name in asked and value is not None}

    def finished(self) -> dict[str, Any] | Refusal:
        """The command with its values, or what is missing; the last tap is a value too."""
        sender = self.sender
        last = [sender] if sender is not None and self.given.get(sender.field) in EMPTY else []
        missing = [*self.missing(), *last]
        if missing:
            return Refusal(INPUT, say("{field} is missing", field=missing[0].field))
        command = self.command
        assert command is not None
        return command

    # -- filling in ----------------------------------------------------------------------------

    def with_value(self, entry: Entry, value: Any) -> FilledForm:
        return replace(self, given={**self.given, entry.field: value})

    def toggled(self, entry: Entry, value: Any) -> FilledForm:
        """One of several options chosen, or no longer."""
        held = list(self.given.get(entry.field) or ())
        if value in held:
            held.remove(value)
        elif len(held) < entry.most:
            held.append(value)
        return self.with_value(entry, held)

    def stepped(self, entry: Entry, by: int) -> FilledForm:
        """A number changed by a step, within its limits."""
        value = int(self.given.get(entry.field) or entry.least) + by
        return self.with_value(entry, min(max(value, entry.least), entry.most))

    def entry_of(self, piece: str) -> Entry | None:
        """The entry that a tap on a piece answers."""
        for entry in self.asked():
            if any(value == piece for value, _ in self.options(entry)):
                return entry
        return None

    def tapped(self, piece: str) -> FilledForm | None:
        """The form after a tap on a piece; None if the form does not ask for it."""
        entry = self.entry_of(piece)
        if entry is None:
            return None
        if entry.kind == "several":
            return self.toggled(entry, piece)
        return self.with_value(entry, piece)

    # -- what other programs send ----------------------------------------------------------------

    def with_values(self, values: Mapping[str, Any]) -> FilledForm | Refusal:
        """The form with checked values by field; each must be asked for."""
        form, left = self, dict(values)
        while left:
            entry = next((entry for entry in form.asked() if entry.field in left), None)
            if entry is None:
                return Refusal(
                    INPUT, say("{field} is not asked for", field=shown(next(iter(left))))
                )
            value, problem = form.checked(entry, left.pop(entry.field))
            if problem:
                return Refusal(INPUT, problem)
            form = form.with_value(entry, value)
        return form

    def checked(self, entry: Entry, value: Any) -> tuple[Any, str]:
        """A value as the entry has it, and what is wrong with it."""
        options = self.options(entry)
        if entry.kind == "several":
            return self._several(entry, value)
        if options:
            known = option_of(options, value)
            wrong = "" if known else say("{value} is no option", value=shown(value))
            return (known[0] if known else None), wrong
        if entry.kind == "number":
            if type(value) is int and entry.least <= value <= entry.most:
                return value, ""
            limits = {"low": entry.least, "high": entry.most}
            return None, say("a number from {low} to {high} is asked for", **limits)
        if isinstance(value, str) and len(value) <= LONGEST_TEXT:
            return value.strip(), ""
        return None, say("{value} is no text", value=shown(value))

    def _several(self, entry: Entry, value: Any) -> tuple[Any, str]:
        options = self.options(entry)
        items = value if isinstance(value, list) else [value]
        known = [option_of(options, item) for item in items]
        for item, option in zip(items, known, strict=True):
            if option is None:
                return None, say("{value} is no option", value=shown(item))
        chosen = [option[0] for option in known if option is not None]
        if len(chosen) > entry.most or any(chosen.count(item) > 1 for item in chosen):
            return None, say("at most {n} of them", n=entry.most)
        return chosen, ""


def option_of(options: Options, value: Any) -> tuple[Any, str] | None:
    """The option with a value; JSON knows lists where a record has tuples."""
    return next((option for option in options if same_value(option[0], value)), None)


def same_value(value: Any, given: Any) -> bool:
    """Whether two values are the same in JSON."""
    if isinstance(value, tuple | list) and isinstance(given, tuple | list):
        return list(value) == list(given)
    return bool(value == given) and isinstance(value, bool) == isinstance(given, bool)
