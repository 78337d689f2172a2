"""The report on a table in sentences, as players would say them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from companion.games.tactics.combat.odds_query import PricedOdds
from companion.games.tactics.rules.reasons import reason
from companion.games.tactics.rules.report import TacticsReport
from companion.text.translation import translate
from models.cell import cell_text
from models.lazy_message import joined, say

Odds = Callable[[str, str, str], PricedOdds | None]


def report_text(report: TacticsReport, name: str, odds: Odds, only: str | None = None) -> str:
    """A paragraph for each figure."""
    lines = [f"{name}: {report.table.game}"]
    for figure in report.answers[0]:
        if only in (None, figure):
            lines += [translate(one) for one in figure_lines(report, figure, odds)]
    return "\n".join(lines)


def figure_lines(report: TacticsReport, figure: str, odds: Odds) -> Iterator[str]:
    """What one figure may do and see, and what keeps it from the rest."""
    names = {one.id: one.name for one in report.best.figures}
    me, found = report.best.by_id[figure], report.merged(figure)
    yield say("{figure} ({side}) on {cell}", figure=me.name, side=me.side, cell=cell_text(me.cell))
    if "cells" in found:
        yield say("  where it stands is not certain: {cells}", cells=", ".join(found["cells"]))
    if found["engaged"]:
        enemies = ", ".join(names[one] for one in found["engaged"])
        yield say("  engaged with {figures}", figures=enemies)
    if found["controls"]:
        yield say("  controls the objective on {cells}", cells=", ".join(found["controls"]))
    stops = sum(bool(end["engages"]) for end in found["reach"].values())
    yield say(
        "  moves to {spaces} spaces, {stops} of them in contact",
        spaces=len(found["reach"]),
        stops=stops,
    )
    for kind, action in (("attacks", "shots"), ("charges", "charges")):
        for enemy, answer in found[kind].items():
            if answer["answer"] != "no":
                yield attack_line(kind, names[enemy], answer, odds(action, figure, enemy))
    for enemy, answer in found["sees"].items():
        if answer["answer"] == "no":
            why = joined([reason(rule) or rule for rule in answer["why"]])
            yield say("  does not see {figure}: {why}", figure=names[enemy], why=why)


def attack_line(kind: str, enemy: str, answer: dict[str, object], odds: PricedOdds | None) -> str:
    """One attack or charge with its odds."""
    text = (
        say("  attacks {figure} ({attack})", figure=enemy, attack=answer.get("attack", ""))
        if kind == "attacks"
        else say("  charges {figure}", figure=enemy)
    )
    if answer["answer"] == "unsure":
        text = say("{told}, too close to call", told=text)
    if odds is None:
        return text
    return say("{told}: {n:.2f} wounds on average", told=text, n=float(odds.odds.mean))
