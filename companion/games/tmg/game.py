"""The miniatures game's implementation of the rules and set-up interfaces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Literal

from companion.games.api.rules import GameRules, OddsField, Placed, ReadingSwitch, TerrainPiece
from companion.games.tmg.report_text import reason
from companion.games.tmg.rules.readings import SWITCHES, Readings
from companion.games.tmg.rules.report import Charge, MiniaturesReport, Shot
from companion.games.tmg.rules.rulebook import EDITIONS, edition_of
from companion.games.tmg.rules.survey import surveyed
from models import Table, Unit
from models.message import say

if TYPE_CHECKING:
    from companion.games.tmg.rules.combat.odds import AttackOdds
    from companion.overlay.shapes import TableScene


Action = Literal["charges", "shots"]
"""The attacks that a report lists, by the report's keys."""


class MiniaturesGame(GameRules):
    """Both editions behind one interface; `games/api/rules.py` and `setup.py` document the methods.

    The modules for moves, drawing, odds and modes are imported on first use: they are a third of
    the code, and many questions need none of them.
    """

    @property
    def games(self) -> tuple[str, ...]:
        return tuple(EDITIONS)

    def settings(self, readings: Sequence[str] = ()) -> Readings:
        """The readings that the players have chosen."""
        return Readings.parse(readings)

    def switches(self) -> tuple[ReadingSwitch, ...]:
        return SWITCHES

    def modes(self, game: str) -> tuple[tuple[str, str], ...]:
        from companion.games.tmg.rules.modes.mode_facts import modes

        return tuple((one.key, one.name) for one in modes(game))

    def zones(self) -> tuple[str, ...]:
        from companion.games.tmg.play.commands.positions import EDGES
        from companion.games.tmg.rules.modes import CORNERS

        return *EDGES, *CORNERS

    def has_roles(self, game: str, mode: str) -> bool:
        from companion.games.tmg.rules.setup import table_setup

        return table_setup.has_roles(game, mode)

    def places_tokens(self, game: str, mode: str) -> bool:
        from companion.games.tmg.rules.modes.mode_facts import mode as named

        return named(game, mode).facts.placing is not None

    def pieces(self, game: str, mode: str) -> tuple[TerrainPiece, ...]:
        from companion.games.tmg.rules.setup import table_setup

        return table_setup.pieces(game, mode)

    def battlefield(
        self, game: str, mode: str, width: float, depth: float, settings: Readings | None = None
    ) -> Table:
        from companion.games.tmg.rules.setup import table_setup

        return table_setup.battlefield(game, mode, width, depth, settings or Readings())

    def line_up(
        self,
        table: Table,
        units: Sequence[Unit],
        defender: int = 1,
        settings: Readings | None = None,
    ) -> Table:
        from companion.games.tmg.rules.setup import table_setup

        return table_setup.line_up(table, units, defender, settings or Readings())

    def placed(self, table: Table, defender: int = 1, settings: Readings | None = None) -> Placed:
        from companion.games.tmg.rules.setup import table_setup

        return table_setup.placed(table, defender, settings or Readings())

    def report(self, table: Table, settings: Readings | None = None) -> MiniaturesReport:
        """Every answer for every unit of the table.

        The last few reports are cached: each tap on a unit asks for one again.
        """
        return surveyed(table, settings).report

    def check(
        self, before: Table, after: Table, unit_id: str, settings: Readings | None = None
    ) -> Mapping[str, Any]:
        from companion.games.tmg.rules.movement.move_check import check

        found = check(before, after, unit_id, settings)
        return {name: checked.to_json() for name, checked in found.items()}

    def reason(self, rule: str) -> str:
        return reason(rule)

    def barred(self, table: Table, unit_id: str, settings: Readings | None = None) -> str:
        """Impassable ground (TMG-TER-15), the edge of the table (OR-18)."""
        from companion.games.tmg.rules.battlefield import Battlefield
        from companion.games.tmg.rules.movement.move_end import MoveEnd

        field = Battlefield(table, settings or Readings())
        mover, pose = MoveEnd(field, field.index[unit_id]), table.unit(unit_id).pose
        if mover.on_table(pose).verdict == "no":
            return say("the tray lies over the edge of the table")
        if mover.off_walls(pose).verdict == "no":
            return say("the tray lies on impassable ground")
        return ""

    def odds_fields(self, game: str) -> tuple[OddsField, ...]:
        from companion.games.tmg.rules.combat.odds import ODDS_FIELDS

        return ODDS_FIELDS

    def odds(self, game: str, asked: Mapping[str, Any]) -> AttackOdds:
        from companion.games.tmg.rules.combat.odds import odds_from

        return odds_from(SimpleNamespace(**asked), edition_of(game).year)

    def odds_lines(self, asked: Mapping[str, Any], odds: Mapping[str, Any]) -> list[str]:
        lines = list(super().odds_lines(asked, {**odds, "destroys": None}))
        lines.append(f"panic test failed {odds['panic_fails']:.2%}")
        if asked.get("models") is not None:
            lines.append(f"destroys {odds['destroys']:.2%}")
        return lines

    def text(self, report: MiniaturesReport, name: str, unit_id: str | None = None) -> str:
        from companion.games.tmg.report_text import report_text

        plain = report.to_json(name)
        if unit_id is not None:
            plain["units"] = {unit_id: plain["units"][unit_id]}

        def odds(action: Action, unit: str, target: str) -> AttackOdds | None:
            return self.attack_odds(report, action, unit, target)

        return report_text(report.table, plain, odds, self.reason)

    def attack_odds(
        self,
        report: MiniaturesReport,
        action: Action,
        unit_id: str,
        target_id: str,
        way: Charge | Shot | None = None,
        wounds_each: int | None = None,
        weapon: str = "",
    ) -> AttackOdds | None:
        """The odds of the attack that follows a charge or shot of the report, led by that way, with
        the named weapon or the best.

        A charge is thought to arrive; where it does on a 1, that is a disorderly one (TMG-CHG-25).
        Ground that certainly inspires or horrifies the target counts (TMG-TER-12, -13). If the arc
        is open, the attacker's choice counts: the one with the most wounds.
        """
        from companion.games.tmg.rules.combat.odds import odds_for

        table, answers = report.table, report.units[unit_id]
        attacker, defender = table.unit(unit_id), table.unit(target_id)
        reported = answers.charges if action == "charges" else answers.shots
        found = way or reported[target_id]
        attacks = attacker.melee if action == "charges" else attacker.ranged
        name = weapon or (found.attack if isinstance(found, Shot) else "")
        attacks = tuple(one for one in attacks if name in ("", one.name))
        options = [
            odds_for(
                attacker,
                attack,
                defender,
                edition=edition_of(table.game).year,
                zone=arc,
                charge=action == "charges",
                needs=found.needs if isinstance(found, Charge) else None,
                effects=found.effects,
                near=report.units[target_id].ground.morale.near,
                wounds_each=wounds_each,
            )
            for attack in attacks
            for arc in found.zone.choices or (found.zone.arc,)
        ]
        return max(options, key=lambda odds: odds.mean, default=None)

    def scene(
        self,
        table: Table,
        unit_id: str | None = None,
        settings: Readings | None = None,
        whole: bool = True,
    ) -> TableScene:
        from companion.games.tmg.figures.report_figure import scene

        readings = settings or Readings()
        return scene(self.report(table, readings), unit_id, readings, whole)

    def board(self, table: Table) -> TableScene:
        from companion.games.tmg.figures.report_figure import ground_shapes, titled_scene
        from companion.overlay.table_shapes import tray_shapes

        trays = (shape for unit in table.units for shape in tray_shapes(unit))
        shapes = (*ground_shapes(table, Readings()), *trays)
        return titled_scene(table, shapes, say("The table"), table.game)


GAME = MiniaturesGame()
