"""A report as text for players: which charges, shots and moves are possible, and how likely."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal

from companion.games.api.rules import OddsAnswer
from companion.text.translation import _, ruler
from companion.text.verdicts import Reason, bracketed, doubt, percent, wounds
from models import Table

Action = Literal["charges", "shots"]
"""The attacks that a report lists, by the report's keys."""
OddsOf = Callable[[Any, str, str], OddsAnswer | None]
NAME_WIDTH = 32
WIDTH = 100
VERBS = ("charge", "shoot", "may", "ground", "no charge", "no shot", "no")


def report_text(
    table: Table, report: Mapping[str, Any], attack_odds: OddsOf, reason: Reason = str
) -> str:
    """The report of `rules` as text: a paragraph per unit, then the meaning of the rule numbers."""
    head = _("{table}: {game}, {count} units").format(count=len(table.units), **report)
    units = (
        "".join(f"{row}\n" for row in unit_rows(table, unit_id, answers, attack_odds))
        for unit_id, answers in report["units"].items()
    )
    return "\n".join([head, *units, *meanings(report, reason)])


def meanings(report: Mapping[str, Any], reason: Reason) -> Iterator[str]:
    """The meaning of each rule number that forbids something in a report."""
    rules = {
        rule: reason(rule)
        for answers in report["units"].values()
        for action in ("charges", "shots", "moves")
        for answer in answers.get(action, {}).values()
        for rule in answer["why"]
    }
    told = {rule: words for rule, words in rules.items() if words and words != rule}
    wide = max(map(len, told), default=0)
    for rule in sorted(told, key=natural):
        yield f"{rule:<{wide}}  {_(told[rule])}"


def natural(rule: str) -> tuple[str, int]:
    """A sort key for rule numbers in natural order: 4 before 10."""
    name, _dash, number = rule.rpartition("-")
    return name, int(number) if number.isdigit() else 0


def unit_rows(
    table: Table, unit_id: str, answers: Mapping[str, Any], attack_odds: OddsOf
) -> Iterator[str]:
    """What one unit may do, and which rules forbid the rest."""
    unit = table.unit(unit_id)
    state = _(unit.side)
    if answers.get("engaged"):
        state += ", " + _("engaged with {units}").format(units=", ".join(answers["engaged"]))
    yield f"{named(table, unit_id)} ({state})"

    def attacks(
        action: Action, verb: str, describe: Callable[[Mapping[str, Any]], str]
    ) -> list[str]:
        return [
            row(
                verb,
                f"{named(table, target):<{NAME_WIDTH}} "
                + joined(
                    describe(answer), doubt(answer), wounds(attack_odds(action, unit_id, target))
                ),
            )
            for target, answer in answers.get(action, {}).items()
            if may(answer)
        ]

    yield from attacks("charges", _("charge"), charge)
    yield from attacks("shots", _("shoot"), shot)
    moves = answers.get("moves", {})
    if able := [_(name) + bracketed(doubt(move)) for name, move in moves.items() if may(move)]:
        yield row(_("may"), ", ".join(able))
    if told := list(ground(answers.get("ground", {}))):
        yield row(_("ground"), ", ".join(told))
    yield from refusals(answers)


def ground(answers: Mapping[str, Any]) -> Iterator[str]:
    """The effects of nearby terrain on a unit, and the pieces it may destroy."""
    for piece, answer in answers.get("on", {}).items():
        yield _("on {piece}").format(piece=piece) + bracketed(doubt(answer))
    for felt in answers.get("morale", {}).get("felt", ()):
        told = _("{value:+d} morale by {piece}").format(value=felt["value"], piece=felt["piece"])
        yield told + bracketed(doubt(felt))
    for piece, answer in answers.get("breaks", {}).items():
        yield _("may destroy {piece}").format(piece=piece) + bracketed(doubt(answer))


def refusals(answers: Mapping[str, Any]) -> Iterator[str]:
    """What the unit may not do and by which rules, with targets of the same reason grouped."""
    for action, verb in (("charges", _("no charge")), ("shots", _("no shot")), ("moves", _("no"))):
        by_reason: dict[str, list[str]] = {}
        for key, answer in answers.get(action, {}).items():
            if not may(answer):
                by_reason.setdefault(" ".join(answer["why"]), []).append(key)
        if by_reason:
            told = [f"{' '.join(map(_, keys))}{bracketed(why)}" for why, keys in by_reason.items()]
            yield textwrap.fill(
                row(verb, ", ".join(told)),
                WIDTH,
                subsequent_indent=row("", ""),
                break_long_words=False,
                break_on_hyphens=False,
            )


def row(verb: str, told: str) -> str:
    """One line below a unit's name."""
    wide = max(len(_(word)) for word in VERBS)
    return f"  {verb:<{wide}} {told}"


def charge(answer: Mapping[str, Any]) -> str:
    """The length of a charge, the arc it ends in, the roll it needs and its chance."""
    effects = bracketed(", ".join(map(_, answer.get("effects", ()))))
    zone = _(answer["zone"])
    if answer["distance"] is None:
        return _("into its {zone} arc").format(zone=zone) + effects
    roll = _("any roll") if answer["needs"] == 1 else _("needs {needs}+").format(**answer)
    way = _("{length} into its {zone} arc, {roll}, {chance}").format(
        length=ruler().length(answer["distance"], 1),
        zone=zone,
        roll=roll,
        chance=percent(answer["chance"]),
    )
    return way + effects


def shot(answer: Mapping[str, Any]) -> str:
    """An attack: where it comes from, the shift it needs, and which units must test for panic."""
    forward, left = answer.get("shift", (0.0, 0.0))
    told = [
        _("{attack} into its {zone} arc").format(attack=answer["attack"], zone=_(answer["zone"]))
    ]
    told += [
        _("shift {length} {way}").format(
            length=ruler().length(abs(part), 1), way=ahead if part > 0 else back
        )
        for part, ahead, back in (
            (forward, _("forward"), _("back")),
            (left, _("left"), _("right")),
        )
        if abs(part) >= 0.05
    ]
    told += [_("panic test for {unit}").format(unit=unit) for unit in answer.get("panics", ())]
    return ", ".join(told) + bracketed(", ".join(map(_, answer.get("effects", ()))))


def may(answer: Mapping[str, Any]) -> bool:
    """Whether the answer is yes or unsure."""
    return bool(answer["answer"] != "no")


def named(table: Table, unit_id: str) -> str:
    """The id and name of a unit."""
    name = table.unit(unit_id).name
    return unit_id if name == unit_id else f"{unit_id} {name}"


def joined(*parts: str) -> str:
    """The non-empty parts, joined."""
    return "; ".join(part for part in parts if part)
