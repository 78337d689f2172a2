"""A card that is being entered in a few words: what a form tells of what it does not show."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion.games.api.card_form import CardForm, FormField

Translate = Callable[[str], str]


def told_value(one: FormField, values: Mapping[str, Any], translate: Translate) -> str:
    """The value of a field with what it is; nothing where it is empty."""
    now = values.get(one.name)
    empty = now is None or now is False or now == ""
    if empty or one.kind in ("rows", "photo"):
        return ""
    if one.kind == "flag":
        return translate(one.text)
    if one.kind == "option":
        return translate(dict(one.options).get(str(now), str(now)))
    return f"{translate(one.text)} {now}" if one.kind == "number" else str(now)


def told_values(
    fields: Sequence[FormField], values: Mapping[str, Any], translate: Translate
) -> list[str]:
    """The values of some fields, in their order; what stands in rows by its titles."""
    found = []
    for one in fields:
        if one.kind == "rows":
            rows = values.get(one.name) or ()
            found += [row_title(one, number, row, translate) for number, row in enumerate(rows, 1)]
        else:
            found.append(told_value(one, values, translate))
    return [part for part in found if part]


def titled_by(one: FormField, values: Mapping[str, Any]) -> FormField | None:
    """The field whose value a row is called by: its first text or option that is not empty."""
    named = (part for part in one.fields if part.kind in ("text", "option"))
    return next((part for part in named if values.get(part.name)), None)


def row_title(one: FormField, number: int, values: Mapping[str, Any], translate: Translate) -> str:
    """What a row is called: by its first words, else by its number."""
    field = titled_by(one, values)
    told = told_value(field, values, translate) if field is not None else ""
    return told or f"{translate(one.text)} {number}"


def row_words(one: FormField, values: Mapping[str, Any], translate: Translate) -> str:
    """The rest of a row in one line."""
    rest = [part for part in one.fields if part is not titled_by(one, values)]
    return " · ".join(told_values(rest, values, translate))


def card_lines(
    form: CardForm, values: Mapping[str, Any], translate: Translate
) -> list[tuple[str, str]]:
    """A whole card: its name with its values, then each row with its title and its values."""
    plain = [one for one in form.fields if one.kind != "rows" and one.name != "name"]
    name = str(values.get("name") or "") or translate(form.title)
    found = [(name, " · ".join(told_values(plain, values, translate)))]
    for one in form.fields:
        rows = values.get(one.name) if one.kind == "rows" else None
        for number, row in enumerate(rows or (), 1):
            title = row_title(one, number, row, translate)
            found.append((title, row_words(one, row, translate)))
    return found
