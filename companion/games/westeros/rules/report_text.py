"""The report on a table in sentences, as players would say them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.games.westeros.combat.odds_query import unit_odds
from companion.games.westeros.rules.reasons import reason
from companion.games.westeros.rules.report import WesterosReport
from companion.text.translation import translate
from models.cell import cell_text
from models.lazy_message import joined, say

RANK_WORDS = {"green": say("green"), "blue": say("blue"), "red": say("red")}


def report_text(report: WesterosReport, name: str, only: str | None = None) -> str:
    """A paragraph for each unit."""
    lines = [f"{name}: {report.table.game}"]
    for unit in report.answers[0]:
        if only in (None, unit):
            lines += [translate(one) for one in unit_lines(report, unit)]
    return "\n".join(lines)


def unit_lines(report: WesterosReport, unit_id: str) -> Iterator[str]:
    """What one unit may do and see, and what keeps it from the rest."""
    names = {one.id: one.name for one in report.best.units}
    unit, found = report.best.by_id[unit_id], report.merged(unit_id)
    yield say(
        "{unit} ({side}, {rank}) on {cell}",
        unit=unit.name,
        side=unit.side,
        rank=RANK_WORDS[unit.rank],
        cell=cell_text(unit.cell),
    )
    if "cells" in found:
        yield say("  where it stands is not certain: {cells}", cells=", ".join(found["cells"]))
    if found["engaged"]:
        yield say("  engaged with {unit}", unit=names[found["engaged"][0]])
    if found["commanded"]:
        yield say("  under the command of {names}", names=", ".join(found["commanded"]))
    if found["stalwart"]:
        yield say("  Stalwart")
    yield say("  moves to {n} hex", "  moves to {n} hexes", n=len(found["reach"]))
    if found["retreat"]:
        yield say("  retreats to {cells}", cells=", ".join(found["retreat"]))
    else:
        yield say("  cannot retreat: 1 hit per morale symbol")
    for enemy, answer in found["attacks"].items():
        if answer["answer"] != "no":
            yield attack_line(report, unit_id, enemy, answer)
    for enemy, answer in found["sees"].items():
        if answer["answer"] == "no" and found["distance"][enemy] <= unit.row.range:
            why = joined([reason(rule) or rule for rule in answer["why"]])
            yield say("  does not see {unit}: {why}", unit=names[enemy], why=why)


def attack_line(report: WesterosReport, unit_id: str, enemy: str, answer: dict[str, Any]) -> str:
    """One attack with its dice and odds."""
    position = report.best
    target = position.by_id[enemy]
    odds = unit_odds(position, position.by_id[unit_id], target)
    text = say("  attacks {unit} with {n} die", "  attacks {unit} with {n} dice",
               unit=target.name, n=answer["dice"])  # fmt: skip
    if answer["flank"]:
        text = say("{told} from the flank", told=text)
    if answer["answer"] == "unsure":
        text = say("{told}, too close to call", told=text)
    return say(
        "{told}: {loss:.2f} figures on average, {share:.0%} eliminated",
        told=text,
        loss=float(odds.mean),
        share=float(odds.destroys),
    )
