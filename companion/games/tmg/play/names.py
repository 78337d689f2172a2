"""The names by which players know units, objectives, terrain and each other; never ids."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from companion.games.tmg.play.state.game_state import (
    GameState,
    NcuState,
    Player,
    SideState,
    Token,
    WallState,
    table_of,
)
from companion.games.tmg.play.state.unit_state import UnitState
from companion.text.verdicts import numbered
from models.frozen_records import IdentityCache
from models.message import LazyMessage, PlayerName, SingleName, joined, say, word

FACTIONS = {
    "baratheon": word("faction", "Baratheon"),
    "bolton": word("faction", "Bolton"),
    "brotherhood": word("faction", "Brotherhood Without Banners"),
    "freefolk": word("faction", "Free Folk"),
    "greyjoy": word("faction", "Greyjoy"),
    "lannister": word("faction", "Lannister"),
    "martell": word("faction", "Martell"),
    "neutral": word("faction", "Neutral"),
    "nightswatch": word("faction", "Night's Watch"),
    "stark": word("faction", "Stark"),
    "targaryen": word("faction", "Targaryen"),
}

PLACES = {
    "centre": say("the centre objective"),
    "left": say("the left objective"),
    "right": say("the right objective"),
    "near left": say("the near left objective"),
    "near right": say("the near right objective"),
    "far left": say("the far left objective"),
    "far right": say("the far right objective"),
}
"""What players call the objectives of a mode, by the mode's own names."""


@dataclass(frozen=True, slots=True)
class GameNames:
    """Every name of one game, by id."""

    things: Mapping[str, str]
    """Units, NCUs, objectives, walls and pieces of terrain."""
    seats: Mapping[str, str]
    pattern: re.Pattern[str]

    def of(self, key: str) -> str:
        """The name of a thing or a seat; the text itself if it is neither."""
        return self.things.get(key) or self.seats.get(key) or say(key)

    def several(self, keys: Iterable[str]) -> str:
        """Several names in a row."""
        return joined(self.of(key) for key in keys)

    def spelled(self, text: str) -> str:
        """A sentence with names instead of ids, which can still be translated."""
        if text in self.things or text in self.seats:
            return self.of(text)
        if not isinstance(text, LazyMessage):
            return self.pattern.sub(lambda found: self.things[found[0]], text)
        values = {
            key: self.spelled(value) if isinstance(value, str) else value
            for key, value in text.values.items()
        }
        return say(text.one, text.many, **values) if values else text


def names_of(state: GameState) -> GameNames:
    return NAMES(
        state.units,
        state.ncus,
        state.tokens,
        state.walls,
        state.players,
        state.sides,
        state.table,
        state.ruins,
    )


def game_names(
    units: tuple[UnitState, ...],
    ncus: tuple[NcuState, ...],
    tokens: tuple[Token, ...],
    walls: tuple[WallState, ...],
    players: tuple[Player, ...],
    sides: tuple[SideState, ...],
    table: str,
    ruins: tuple[tuple[str, str], ...] = (),
) -> GameNames:
    people = [*((one.id, one.name) for one in units), *((one.id, one.name) for one in ncus)]
    things = numbered({key: name or say("a unit") for key, name in people})
    # an NCU that is known by its ability alone is one, whatever the ability is called
    things |= {one.id: SingleName(things[one.id]) for one in ncus if one.name in one.abilities}
    where = token_places(tokens, table)
    things |= {token.id: where.get(token.id) or token_name(token, len(tokens)) for token in tokens}
    things |= {
        wall.id: say("castle wall {number}", number=number) if len(walls) > 1 else say("the wall")
        for number, wall in enumerate(walls, 1)
    }
    things |= {**dict(ruins), **terrain_names(table)}
    words = "|".join(re.escape(key) for key in sorted(things, key=len, reverse=True))
    pattern = re.compile(rf"(?<![\w-])(?:{words})(?![\w-])" if words else r"(?!)")
    return GameNames(things, {side.id: seat_name(side.id, players) for side in sides}, pattern)


NAMES = IdentityCache(game_names, at_most=16)


def token_name(token: Token, count: int) -> str:
    """An objective by its place on the table; by its number if the players placed it."""
    if count == 1:
        return say("the objective")
    if token.name in PLACES:
        return PLACES[token.name]
    if len(token.name) == 1:
        return say("objective {letter}", letter=token.name)
    return say("objective {number}", number=re.sub(r"\D", "", token.id) or "?")


def token_places(tokens: tuple[Token, ...], table: str) -> dict[str, str]:
    """The objectives that players placed themselves by where they lie, where that is plain."""
    shown = table_of(table) if table else None
    if shown is None or len(tokens) == 1:
        return {}
    named = {token.name for token in tokens}
    own = {token.id for token in tokens if token.name not in PLACES and len(token.name) != 1}
    places = {
        one.id: f"{'near' if one.y < shown.depth / 2 else 'far'} "
        f"{'left' if one.x < shown.width / 2 else 'right'}"
        for one in shown.tokens
        if one.id in own
    }
    twins = Counter(places.values())
    return {
        key: PLACES[place]
        for key, place in places.items()
        if twins[place] == 1 and place not in named
    }


def terrain_names(table: str) -> dict[str, str]:
    """The pieces of terrain on the newest table, numbered where several are of a kind."""
    if not table:
        return {}
    pieces = table_of(table).terrain
    twins = Counter(piece.piece for piece in pieces)
    counted: Counter[str] = Counter()
    found: dict[str, str] = {}
    for piece in pieces:
        kind = say((piece.piece or "terrain").replace("-", " "))
        counted[piece.piece] += 1
        found[piece.id] = (
            say("the {piece}", piece=kind)
            if twins[piece.piece] == 1
            else say("{piece} {number}", piece=kind, number=counted[piece.piece])
        )
    return found


def faction_name(faction: str) -> str:
    """What players call a faction."""
    return FACTIONS.get(faction, faction.capitalize())


def mate_name(player: Player, players: tuple[Player, ...]) -> str:
    """The one of several players of a side; empty where a side is one player (TMG-TEAM-3)."""
    if sum(one.side == player.side for one in players) == 1:
        return ""
    return PlayerName(player.id) if player.id != player.side else say(player.id.capitalize())


def player_name(state: GameState, player: str) -> str:
    """Who holds a hand of cards: of a team one of its players (TMG-TEAM-3), else the side."""
    found = state.player(player)
    return mate_name(found, state.players) or seat_name(found.side, state.players)


def seat_name(side: str, players: tuple[Player, ...]) -> str:
    """The players of a side by name; the side's own name if they gave none."""
    named = [player.id for player in players if player.side == side and player.id != side]
    return joined(named, " & ") if named else say(side.capitalize())
