"""The rules' answers as text for players: a report, and the reason behind each rule number.

>>> reason("TMG-CHG-2")
'the target is not in its line of sight'
>>> reasons_text(("TMG-CHG-4",), over_in=1.26)
'the target is farther than its longest charge, by 1.3″ (TMG-CHG-4)'
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Literal

from companion.games.api.rules import OddsAnswer
from companion.text.translation import _, ruler
from companion.text.verdicts import Reason, bracketed, doubt, percent, wounds
from models import Table
from models.message import joined, say, word

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
                + joined_parts(
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
    no_move = _(word("row", "no"))
    for action, verb in (
        ("charges", _("no charge")),
        ("shots", _("no shot")),
        ("moves", no_move),
    ):
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
        _(say("shift {far:.1f}″ {way}", far=abs(part), way=ahead if part > 0 else back))
        for part, ahead, back in (
            (forward, say("forward"), say("back")),
            (left, word("way", "left"), word("way", "right")),
        )
        if abs(part) >= 0.05
    ]
    told += [_("panic test for {unit}").format(unit=unit) for unit in answer.get("panics", ())]
    return ", ".join(told) + bracketed(", ".join(map(_, answer.get("effects", ()))))


def may(answer: Mapping[str, Any]) -> bool:
    """Whether the answer is yes or unsure."""
    return bool(answer["answer"] != "no")


def named(table: Table, unit_id: str) -> str:
    name = table.unit(unit_id).name
    return unit_id if name == unit_id else f"{unit_id} {name}"


def joined_parts(*parts: str) -> str:
    """The non-empty parts, joined."""
    return "; ".join(part for part in parts if part)


REASONS = {
    "TMG-GLO-11": say("they meet only at a corner, and the book does not say whether that counts"),
    "TMG-LOS-4": say("nothing of the target is in its front arc"),
    "TMG-LOS-5": say("units stand in its line of sight"),
    "TMG-LOS-6": say("terrain blocks its line of sight"),
    "TMG-MOV-1": say("a pivot turns on the spot"),
    "TMG-MOV-3": say("its tray would lie on another unit"),
    "TMG-MOV-5": say("a shift goes straight ahead, back or sideways"),
    "TMG-MOV-6": say("a shift keeps the facing"),
    "TMG-MOV-7": say("it would end within 1″ of an enemy"),
    "TMG-DEP-4": say("not wholly in its deployment zone"),
    "TMG-SET-6": say("on an objective"),
    "TMG-SET-8": say("too near to a deployment zone or to another piece"),
    "TMG-MOV-9": say("its tray would lie on a friend"),
    "TMG-MOV-10": say("it would go through an enemy"),
    "TMG-MAN-1": say("it is engaged"),
    "TMG-MAN-3": say("that is farther than its Speed"),
    "TMG-MAR-1": say("it is engaged"),
    "TMG-MAR-2": say("that is farther than twice its Speed"),
    "TMG-MAR-3": say("a march goes straight ahead"),
    "TMG-RET-1": say("it is not engaged"),
    "TMG-RET-3": say("a retreat goes back or sideways, as far as its Speed and the die"),
    "TMG-RET-4": say("it retreats forward only from a foe at its flank or rear"),
    "TMG-RET-9": say("it finds no place to retreat to"),
    "TMG-RNG-2": say("it is engaged"),
    "TMG-RNG-3": say("it has no ranged attack"),
    "TMG-RNG-5": say("that is farther than a shift of 2″"),
    "TMG-RNG-6": say("after the shift it has no target in range and sight"),
    "TMG-RNG-10": say("the target is out of range"),
    "TMG-MEL-5": say("it is not aligned at 100 % or 50 %"),
    "TMG-CHG-1": say("it is engaged"),
    "TMG-CHG-2": say("the target is not in its line of sight"),
    "TMG-CHG-3": say("there is no room to align with the target"),
    "TMG-CHG-4": say("the target is farther than its longest charge"),
    "TMG-CHG-7": say("it stands astride two arcs of the target"),
    "TMG-CHG-9": say("it would lose sight of the target by its pivot"),
    "TMG-CHG-10": say("no pivot leads to contact with the target"),
    "TMG-CHG-12": say("a charge goes straight ahead for all its distance"),
    "TMG-CHG-13": say("something stops it on its way"),
    "TMG-CHG-14": say("it does not touch the target"),
    "TMG-CHG-15": say("it does not get as far as the target"),
    "TMG-CHG-17": say("it is not aligned at 100 % or 50 %"),
    "TMG-CHG-21": say("it moves 1″ off the charger, no more and no less"),
    "OR-18": say("its tray would stand over the table's edge"),
    "TMG-TER-6": say("Cover hides the target from shots"),
    "TMG-TER-15": say("impassable ground is in its way"),
    "TMG-TER-16": say("impassable ground bars its pivot"),
    "TMG-TER-17": say("Rough ground costs 1″"),
    "TMG-TER-18": say("a piece that blocks sight stands between"),
}


def reason(rule: str) -> str:
    """The sentence for a rule number; empty if there is none."""
    return REASONS.get(rule, "")


def reasons_text(rules: Iterable[str], over_in: float = 0.0) -> str:
    """The sentences with their numbers; the limit of the last one is missed by `over_in` inches."""
    every = tuple(dict.fromkeys(rules))
    parts = []
    for number, rule in enumerate(every, 1):
        words = reason(rule)
        if over_in > 0 and number == len(every):
            words = say("{reason}, by {inches:.1f}″", reason=words, inches=over_in)
        parts.append(say("{reason} ({rule})", reason=words, rule=rule) if words else rule)
    return joined(parts)
