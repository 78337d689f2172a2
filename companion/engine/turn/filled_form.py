"""A form as far as it is filled in: which values are asked for, which are missing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from companion.engine.turn.turn_records import FieldView, FormView, OptionView
from companion.games.api.play import Refusal
from models.field import shown
from models.message import joined, say

EMPTY: tuple[Any, ...] = (None, "", [])
LONGEST_TEXT = 500
INPUT = "INPUT"


@dataclass(frozen=True, slots=True)
class FilledForm:
    """The values of a form's fields by name."""

    form: FormView
    given: Mapping[str, Any] = field(default_factory=dict)
    full: str = ""
    """Why the last tap chose nothing."""

    @classmethod
    def begin(cls, form: FormView) -> FilledForm:
        """A form with the values that it proposes; a number begins with the least one."""
        given = {entry.name: entry.value for entry in form.fields if entry.value is not None}
        for entry in form.fields:
            if entry.kind == "number" and not entry.options:
                given.setdefault(entry.name, entry.least)
        return cls(form, given)

    @property
    def entered(self) -> dict[str, Any]:
        """What the players changed."""
        begun = self.begin(self.form).given
        return {name: value for name, value in self.given.items() if value != begun.get(name)}

    @property
    def quick(self) -> bool:
        """Whether the last tap on an option sends it."""
        return self.form.quick

    @property
    def sender(self) -> FieldView | None:
        """The field whose options are the buttons that send the form."""
        return next((entry for entry in self.form.fields if entry.sends), None)

    def asked(self) -> list[FieldView]:
        """The entries that concern what is chosen so far."""
        chosen = list(self.given.values())
        return [
            entry
            for entry in self.form.fields
            if not entry.only_for
            or any(same_value(wanted, value) for wanted in entry.only_for for value in chosen)
        ]

    def missing(self) -> list[FieldView]:
        """The entries that still need a value; the one that sends comes with the last tap."""
        return [
            entry
            for entry in self.asked()
            if entry.required and not entry.sends and self.given.get(entry.name) in EMPTY
        ]

    @property
    def ready(self) -> bool:
        """Whether it can be sent: nothing is missing, and it is not too much."""
        enough = self.form.most is None or self.total() <= self.form.most
        return not self.missing() and enough and not self.clash()

    def clash(self) -> str:
        """That values are chosen of which only one can be sent."""
        chosen = self.chosen()
        several = sum(str(one) in chosen for one in self.form.single) > 1
        return self.form.single_text if several else ""

    def tally(self) -> str:
        """What the chosen options come to."""
        total = self.total()
        if clash := self.clash():
            return clash
        if again := self.again():
            faces = ", ".join(again)
            return say("{n} die: {faces}", "{n} dice: {faces}", n=len(again), faces=faces)
        tally = self.form.tallies[total] if 0 <= total < len(self.form.tallies) else ""
        return joined([one for one in (tally, self.full) if one])

    def again(self) -> list[str]:
        """The chosen dice that are rolled again, as they lie."""
        rolls = (entry for entry in self.asked() if entry.name == self.form.rolls)
        return [
            one.text
            for entry in rolls
            for one in entry.options
            if one.value in (self.given.get(entry.name) or ())
        ]

    def total(self) -> int:
        """What the chosen options are worth together."""
        total = 0
        for entry in self.asked():
            chosen = self.given.get(entry.name) or ()
            worth = zip(entry.options, entry.worth, strict=False)
            total += sum(points for option, points in worth if option.value in chosen)
        return total

    def chosen(self) -> set[str]:
        """The pieces and values that are chosen."""
        values: set[str] = set()
        for value in self.given.values():
            values |= {str(item) for item in value} if isinstance(value, list) else {str(value)}
        return values

    @property
    def values(self) -> dict[str, Any]:
        """What is filled in, as a client sends it."""
        asked = {entry.name for entry in self.asked()}
        given = self.given.items()
        return {name: value for name, value in given if name in asked and value is not None}

    def finished(self) -> dict[str, Any] | Refusal:
        """What is filled in, or what is missing; the last tap is a value too."""
        sender = self.sender
        last = [sender] if sender is not None and self.given.get(sender.name) in EMPTY else []
        missing = [*self.missing(), *last]
        if missing:
            return Refusal(INPUT, say("{field} is missing", field=missing[0].name))
        return {name: value for name, value in self.values.items() if value not in EMPTY}

    # -- filling in ----------------------------------------------------------------------------

    def with_value(self, entry: FieldView, value: Any) -> FilledForm:
        return replace(self, given={**self.given, entry.name: value}, full="")

    def toggled(self, entry: FieldView, value: Any) -> FilledForm:
        """One of several options chosen, or no longer."""
        held = list(self.given.get(entry.name) or ())
        if value in held:
            held.remove(value)
        elif len(held) < entry.most:
            held.append(value)
        else:
            return replace(self, full=say("at most {n} of them: tap a chosen one", n=entry.most))
        return self.with_value(entry, held)

    def stepped(self, entry: FieldView, by: int) -> FilledForm:
        """A number changed by a step, within its limits."""
        held = self.given.get(entry.name)
        value = (entry.least if held is None else int(held)) + by
        return self.with_value(entry, min(max(value, entry.least), entry.most))

    def entry_of(self, piece: str) -> FieldView | None:
        """The entry that a tap on a piece answers."""
        for entry in self.asked():
            if any(option.value == piece for option in entry.options):
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
            entry = next((entry for entry in form.asked() if entry.name in left), None)
            if entry is None:
                return Refusal(
                    INPUT, say("{field} is not asked for", field=shown(next(iter(left))))
                )
            value, problem = form.checked(entry, left.pop(entry.name))
            if problem:
                return Refusal(INPUT, problem)
            form = form.with_value(entry, value)
        return form

    def checked(self, entry: FieldView, value: Any) -> tuple[Any, str]:
        """A value as the entry has it, and what is wrong with it."""
        if entry.kind == "several":
            return self._several(entry, value)
        if entry.options:
            known = option_of(entry, value)
            wrong = "" if known else say("{value} is no option", value=shown(value))
            return (known.value if known else None), wrong
        if entry.kind == "number":
            if type(value) is int and entry.least <= value <= entry.most:
                return value, ""
            limits = {"low": entry.least, "high": entry.most}
            return None, say("a number from {low} to {high} is asked for", **limits)
        if isinstance(value, str) and len(value) <= LONGEST_TEXT:
            return value.strip(), ""
        return None, say("{value} is no text", value=shown(value))

    def _several(self, entry: FieldView, value: Any) -> tuple[Any, str]:
        items = value if isinstance(value, list) else [value]
        known = [option_of(entry, item) for item in items]
        for item, option in zip(items, known, strict=True):
            if option is None:
                return None, say("{value} is no option", value=shown(item))
        chosen = [option.value for option in known if option is not None]
        if len(chosen) > entry.most or any(chosen.count(item) > 1 for item in chosen):
            return None, say("at most {n} of them", n=entry.most)
        return chosen, ""


def option_of(entry: FieldView, value: Any) -> OptionView | None:
    """The option with a value; JSON knows lists where a record has tuples."""
    return next((option for option in entry.options if same_value(option.value, value)), None)


def same_value(value: Any, given: Any) -> bool:
    """Whether two values are the same in JSON."""
    if isinstance(value, tuple | list) and isinstance(given, tuple | list):
        return list(value) == list(given)
    return bool(value == given) and isinstance(value, bool) == isinstance(given, bool)
