"""The numbers in which editions and modes differ, and what a new record of a game begins with.

They were read from the books once. `python -m tests.games.tmg.recorded_tables` records them again,
for when one of them changes on purpose.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

from companion.games.tmg.cards import army as army_cards
from companion.games.tmg.cards import army_catalogue
from companion.games.tmg.play import prompt_options, setup
from companion.games.tmg.play.army import army_builder, army_rules, army_text, roster
from companion.games.tmg.play.commands import cards, missions, preparation, terrain
from companion.games.tmg.play.flow import attacks, scoring, steps
from companion.games.tmg.play.state import game_state, play_rules, unit_state
from companion.games.tmg.play.state.mode_play import PLAYS, ModePlay
from companion.games.tmg.rules import ground_effects, readings, report, rulebook
from companion.games.tmg.rules.combat import dice, odds, shots
from companion.games.tmg.rules.combat.odds import ODDS_FIELDS
from companion.games.tmg.rules.modes import mode_facts, mode_layout
from companion.games.tmg.rules.setup import objectives, placement, table_setup
from companion.games.tmg.screen import action_offers, new_game
from tests.arguments import arguments

RECORDED = Path(__file__).with_name("recorded_tables.json")
RECORDS = (
    game_state,
    unit_state,
    mode_facts,
    report,
    dice,
    odds,
    objectives,
    rulebook,
    table_setup,
    ground_effects,
    steps,
    roster,
    army_catalogue,
    army_cards,
    army_text,
    mode_layout,
)
"""Modules whose records are begun with their defaults."""
NUMBERS = {
    rulebook: "CONTACT_IN CLEAR_IN ROUGH_IN SHIFT_IN HIGHEST_ROLL RANGES_IN EDITIONS "
    "TERRAIN_KEYWORDS STOPS SLOWS HIDES COVERS RAISES WOUNDS BREAKS HARMS_CHARGE MORALE",
    dice: "FACES HIGHEST_RESULT LOWEST_RESULT D6 D3 TWO_D6 DICE_RULES ABILITIES",
    odds: "ZONE_BONUS ZONE_OF_ARC",
    shots: "COVER_NEAR_IN",
    ground_effects: "BREAK_IN",
    play_rules: "ROUNDS HAND CONDITIONS ZONES ACTIONS SIZES MISSIONS OBJECTIVE_CARDS SIEGE_CARDS "
    "SECRET_MISSIONS RULES",
    scoring: "FIRST_SCORING_ROUND QUADRANT_POINTS COMMANDER_POINTS",
    attacks: "WALL_VP",
    army_builder: "SIZES FACING_DEG",
    setup: "WALL_WOUNDS",
    army_text: "LINE_LIMIT LONGEST_LINE MOST_COPIES MOST_POINTS MOST_WOUNDS",
    army_rules: "COMMANDER_CARDS DECK",
    missions: "HAND_OF_MISSIONS ALWAYS SECRETS SIEGE_HAND ROW REMOVED",
    cards: "COPIES",
    preparation: "COMMANDER_CARDS CARDS_EACH",
    terrain: "RANDOM_PIECES",
    prompt_options: "MOST MISSION_VP",
    placement: "NORMAL_IN LARGEST_IN METRIC_SPARE_IN",
    mode_layout: "FFA_SQUARE_IN CORNERS",
    table_setup: "LONG_PIECES LONG_IN BROAD_IN HAIR_IN INSET_IN",
    readings: "READINGS",
    new_game: "TABLE_IN TAGS_MM SHAPES POINTS",
    action_offers: "MOVES MELEE_VALUE",
}


def tables() -> dict[str, Any]:
    """Every table by its name."""
    found: dict[str, Any] = {f"mode {game} {key}": plain(one) for (game, key), one in PLAYS.items()}
    found |= {f"odds {one.name}": plain(one) for one in ODDS_FIELDS}
    for module, names in NUMBERS.items():
        found |= {f"{module.__name__}.{name}": plain(vars(module)[name]) for name in names.split()}
    for kind in kinds():
        found[f"new {kind.__module__}.{kind.__name__}"] = defaults(kind)
    return found


def kinds() -> Iterator[Any]:
    """The record types of the modules."""
    yield ModePlay
    for module in RECORDS:
        for kind in vars(module).values():
            if isinstance(kind, type) and is_dataclass(kind) and kind.__module__ == module.__name__:
                yield kind


def defaults(kind: Any) -> dict[str, Any]:
    """What each field of a new record holds if nobody says otherwise."""
    found: dict[str, Any] = {}
    for one in fields(kind):
        if one.default is not MISSING:
            found[one.name] = plain(one.default)
        elif one.default_factory is not MISSING:
            found[one.name] = plain(one.default_factory())
    return found


def plain(value: Any) -> Any:
    """A value as JSON: records by their fields, sets in order, functions by name."""
    if is_dataclass(value) and not isinstance(value, type):
        return {one.name: plain(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, set | frozenset):
        return sorted(plain(one) for one in value)
    if isinstance(value, tuple | list | range):
        return [plain(one) for one in value]
    if value is None or isinstance(value, bool | int | float):
        return value
    return str(value) if isinstance(value, str) else getattr(value, "__name__", str(type(value)))


@cache
def load() -> dict[str, Any]:
    """What was recorded."""
    stored: dict[str, Any] = json.loads(RECORDED.read_text(encoding="utf-8"))
    return stored


def main() -> None:
    """Record all tables."""
    lines = (
        f"{json.dumps(name)}: {json.dumps(one, ensure_ascii=False)}"
        for name, one in tables().items()
    )
    RECORDED.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    arguments()
    main()
