"""The draft of a new game: everything chosen so far, on disk until the game starts."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Self

from companion import games
from companion.engine.app_words import _
from companion.games.api.army_building import ArmyBuilder, ArmyList
from companion.games.api.new_game import SeatRange
from companion.games.api.play import Plain, Refusal
from companion.games.api.rival import LEVELS, TEMPERS
from companion.games.api.rules import TableSetup
from companion.session.game_lookup import (
    every_screen,
    find_play,
    find_rival,
    find_screen,
    games_to_play,
)
from models import CompanionError, Pose, Table, Unit, atomic_write
from models.field import Field, load_kept_json, shown
from models.record_reader import WRITTEN, Between, FileKey, OneOf, ReadBy, Record, read_record
from models.unit import trays_overlap

SIDES = ("blue", "red")
"""The seats of a game that does not name them."""
MOST_SEATS = 6
CAMERAS = ("none", "practice", "camera")
LONGEST_MINUTES = 24 * 60
LONGEST_WORDS = 1000
MOST_ANSWERS = 40


def read_words(field: Field, about: Any = None) -> str:
    """A text as a player typed it, which may be empty."""
    if not isinstance(field.raw, str) or len(field.raw) > LONGEST_WORDS:
        field.fail(f"{shown(field.raw)} is not a short text")
    return field.raw


def read_side(field: Field, game: str) -> str:
    return field.choice(seat_range(game).ids)


def read_army(field: Field, game: str) -> ArmyList | None:
    """An army that the game's builder reads."""
    builder = army_builder(game)
    return None if field.raw is None or builder is None else builder.saved_army(field)


def read_seats(field: Field, game: str) -> tuple[Seat, ...]:
    """The seats of a game, in its order."""
    allowed = seat_range(game)
    seats = tuple(Seat.read(one, game) for one in field.items(allowed.most, allowed.least))
    if tuple(seat.side for seat in seats) != allowed.ids[: len(seats)]:
        field.fail("are not one for each side")
    return seats


def read_answers(field: Field, about: Any) -> dict[str, Any]:
    """The answers to a game's own steps: JSON values that the game reads itself."""
    if not isinstance(field.raw, dict) or len(field.raw) > MOST_ANSWERS:
        field.fail(f"{shown(field.raw)} is not an object with the answers of each step")
    return dict(field.raw)


def read_table(field: Field, about: Any) -> Table | None:
    return None if field.raw is None else Table.read(field)


Words = Annotated[str, ReadBy(read_words)]


@dataclass(frozen=True, slots=True)
class Seat(Record):
    """A player: side, name, language, army once there is one, colour and team.

    `colour` is the number of the seat's colour and sign, 1 to 6; 0 means the usual one.
    """

    side: Annotated[str, ReadBy(read_side)]
    name: Words = ""
    language: Words = ""
    army: Annotated[ArmyList | None, ReadBy(read_army)] = None
    colour: Annotated[int, Between(0, MOST_SEATS)] = 0
    team: Words = ""
    rival: Annotated[str, OneOf(("", *(one.id for one in LEVELS)))] = ""
    """The level at which the app plays it; "": a person does."""
    temper: Annotated[str, OneOf(tuple(one.id for one in TEMPERS))] = TEMPERS[0].id


def rules_of(game: str) -> games.GameRules | None:
    """The rules of a game; None for one without a table."""
    return next((one for one in games.every() if game in one.games), None)


def army_builder(game: str) -> ArmyBuilder | None:
    """The game's army builder, if its armies are built from a catalogue."""
    found = find_play(game)
    return found if isinstance(found, ArmyBuilder) else None


def names_cards(game: str) -> bool:
    """Whether the game can deal its cards of the hand: it knows their names."""
    builder = army_builder(game)
    return builder is None or builder.names_cards(game)


def drafted_games() -> list[str]:
    """The games that the wizard can set up: all that have a screen."""
    return [game for screen in every_screen() for game in screen.games]


def with_armies(game: str) -> bool:
    """Whether a game has armies that are built here, and a table that is set up."""
    return army_builder(game) is not None and isinstance(rules_of(game), TableSetup)


def seat_range(game: str) -> SeatRange:
    """How many may play a game; two where the game does not say."""
    if game not in drafted_games():
        return SeatRange(len(SIDES), len(SIDES), SIDES)
    return find_screen(game).seat_range(game)


USUAL_LEVEL = LEVELS[1].id
"""How well the app plays where nobody says it."""
DUEL, TEAM, ALONE = "duel", "team", "ffa"
SHAPES = ((DUEL, 2), (ALONE, 3), (ALONE, 4), (TEAM, 4))
"""Who plays against whom in a game with armies, and how many they are."""


@dataclass(frozen=True, slots=True)
class Draft(Record):
    """The choices of the new-game wizard; `tags` maps the camera's trays to units."""

    game: Annotated[str, OneOf(games_to_play)]
    mode: Words = ""
    points: Annotated[int, Between(0, 1000)] = 40
    width: Annotated[float, Between(1, 1000)] = 48.0
    depth: Annotated[float, Between(1, 1000)] = 48.0
    minutes: Annotated[int, Between(0, LONGEST_MINUTES)] = 0
    seats: Annotated[tuple[Seat, ...], ReadBy(read_seats), WRITTEN] = tuple(map(Seat, SIDES))
    checks_armies: Annotated[bool, FileKey("checked")] = True
    first: Annotated[Words, WRITTEN] = SIDES[0]
    defender: Annotated[Words, WRITTEN] = SIDES[0]
    camera: Annotated[str, OneOf(CAMERAS)] = "none"
    tags: tuple[tuple[str, str], ...] = ()
    table: Annotated[Table | None, ReadBy(read_table)] = None
    step: Annotated[int, Between(0, 20)] = 0
    answers: Annotated[Mapping[str, Any], ReadBy(read_answers, dict)] = field(default_factory=dict)
    """What was chosen in the game's own steps, by the step's id."""
    paper: bool = False
    """Whether the players draw their own cards of paper, which the game only counts; at first
    where the game cannot deal them."""
    shape: Annotated[str, OneOf((DUEL, TEAM, ALONE))] = DUEL
    """In a game with armies: two players, two teams, or everyone for themselves."""
    season: Words = ""
    """The season of the cards of armies that name none."""

    @classmethod
    def read(cls, field: Field, about: Any = None, /, **given: Any) -> Self:
        """A draft from JSON; its game reads the seats."""
        game = field.members().get("game")
        return read_record(cls, field, game if game in games_to_play() else None)

    def checked(self, field: Field, about: Any) -> Draft:
        """The draft with valid mode and seats; its roles must be seats of its own."""
        ids = [seat.side for seat in self.seats]
        if not {self.first, self.defender} <= {"", *ids}:
            field.fail(f"{shown((self.first, self.defender))} are not both seats")
        draft = replace(self, defender=self.defender or ids[0])
        return draft.moded() if "seats" in field.raw else draft.seated_for()

    @classmethod
    def fresh(cls, game: str = "") -> Draft:
        """An empty draft: the newest game with armies, else the newest, in its first mode."""
        known = drafted_games()
        usual = max([one for one in known if with_armies(one)] or known or games_to_play())
        game = game or usual
        return cls(game, paper=not names_cards(game)).seated_for()

    def seated_for(self) -> Draft:
        """The draft with a valid mode and as many seats as its game has at least.

        Players who were there stay on their places.
        """
        allowed = seat_range(self.game)
        count = min(max(len(self.seats), allowed.least), allowed.most)
        old = [*self.seats, *(Seat("") for _ in range(MOST_SEATS))]
        seats = tuple(
            replace(seat, side=side) for seat, side in zip(old, allowed.ids[:count], strict=False)
        )
        shape = self.shape if (self.shape, count) in SHAPES else DUEL if count == 2 else ALONE
        if with_armies(self.game):
            teams = allowed.ids[:2] if shape == TEAM else ("",)
            seats = tuple(
                replace(seat, team=teams[number % len(teams)]) for number, seat in enumerate(seats)
            )
        ids = [seat.side for seat in seats]
        first = self.first if self.first in ("", *ids) else ids[0]
        defender = self.defender if self.defender in ids else ids[0]
        found = replace(self, seats=seats, first=first, defender=defender, shape=shape)
        return found.moded()

    def played_by(self, shape: str, players: int) -> Draft:
        """The draft for that many players; the first ones stay, the table is set up anew."""
        more = tuple(Seat("") for _ in range(players - len(self.seats)))
        seats = (*self.seats, *more)[:players]
        usual = {TEAM: 20, ALONE: 30}.get(shape, 40)  # what fits the zones, TMG-TEAM-1
        points = usual if self.points in (20, 30, 40) else self.points
        builder = self.builder
        if builder is not None:
            seats = tuple(
                replace(one, army=one.army and builder.resized(one.army, points)) for one in seats
            )
        found = replace(self, shape=shape, seats=seats, points=points, table=None).seated_for()
        return found if found.allows(found.mode) else replace(found, mode="").moded()

    def allows(self, mode: str) -> bool:
        """Whether a mode can be played so: one with an attacker and a defender needs two sides."""
        stage = self.stage
        return self.shape != ALONE or stage is None or not stage.has_roles(self.game, mode)

    @staticmethod
    def plays_for(seat: Seat) -> str:
        """The side of the game that a player belongs to: the team, or the player alone."""
        return seat.team or seat.side

    def side_of(self, seat: str) -> str:
        """The same by the name of the seat; "" for none."""
        return self.plays_for(self.seat(seat)) if seat else ""

    def for_game(self, game: str) -> Draft:
        """The draft of another game: the same players against each other as before, everything else
        is chosen anew."""
        if game == self.game:
            return self
        seats = tuple(replace(seat, army=None, team="") for seat in self.seats)
        first = self.first if with_armies(game) else SIDES[0]
        fresh = replace(Draft.fresh(game), minutes=self.minutes, points=self.points, first=first)
        fresh = replace(fresh, seats=seats, shape=self.shape)
        return replace(fresh, width=self.width, depth=self.depth).seated_for()

    def moded(self) -> Draft:
        """The draft with its mode replaced if its game does not have it."""
        found = rules_of(self.game)
        known = [key for key, _ in found.modes(self.game)] if found is not None else []
        return self if self.mode in known else replace(self, mode=known[0] if known else "")

    def seat(self, side: str) -> Seat:
        return next(seat for seat in self.seats if seat.side == side)

    def mates(self, side: str) -> list[Seat]:
        """The other seats of a side's team."""
        own = self.seat(side)
        return [seat for seat in self.seats if own.team and seat.team == own.team and seat != own]

    def seated(self, changed: Seat) -> Draft:
        seats = tuple(changed if seat.side == changed.side else seat for seat in self.seats)
        return replace(self, seats=seats)

    def alone(self) -> Draft:
        """The draft with the app on its last seat, where it plays the game and none of the seats
        yet."""
        if find_rival(self.game) is None or any(seat.rival for seat in self.seats):
            return self
        return self.seated(replace(self.seats[-1], rival=USUAL_LEVEL))

    def called(self, seat: Seat) -> str:
        """A player's name; without one the side's or the seat's where these have names, a number
        in its team, else the number."""
        if seat.rival and not seat.name:
            return _("Rival")
        if seat.team and not seat.name and self.mates(seat.side):
            team = [one.side for one in self.seats if one.team == seat.team]
            return f"{_(seat.team).capitalize()} {team.index(seat.side) + 1}"
        if seat.name or with_armies(self.game):
            return seat.name or _(seat.side)
        known = seat_range(self.game)
        if known.names and seat.side in known.ids:
            return _(known.names[known.ids.index(seat.side)])
        return _("Player {n}", n=[one.side for one in self.seats].index(seat.side) + 1)

    @property
    def mustered(self) -> bool:
        """Whether every side has an army with a unit in it."""
        return all(seat.army is not None and seat.army.units for seat in self.seats)

    @property
    def stage(self) -> TableSetup | None:
        """The game's set-up interface, if it has one."""
        found = rules_of(self.game)
        return found if isinstance(found, TableSetup) else None

    @property
    def builder(self) -> ArmyBuilder | None:
        """The game's army builder, if its armies are built from a catalogue."""
        return army_builder(self.game)

    @property
    def defends(self) -> int:
        """The number of the defending player."""
        return 2 if self.side_of(self.defender) == self.plays_for(self.seats[1]) else 1


def load(path: Path) -> Draft:
    """The saved draft; an empty one if there is none that can be read."""
    try:
        return Draft.read(load_kept_json(path))
    except (CompanionError, OSError):
        return Draft.fresh()


def save(path: Path, draft: Draft) -> None:
    atomic_write.make_folder(path.parent)
    atomic_write.write_text(path, json.dumps(draft.to_json(), ensure_ascii=False))


# -- derived from a draft ------------------------------------------------------------------------


def plain_draft(draft: Draft) -> dict[str, Any]:
    """The draft as the game's own steps read it: each step's answers under its id; a player who
    has typed no name has none where the game knows one for the seat."""
    seats = []
    for number, seat in enumerate(draft.seats):
        known = seat_range(draft.game).names and not (seat.name or seat.rival)
        one: dict[str, Any] = {"id": seat.side, "name": "" if known else draft.called(seat)}
        one["colour"] = seat.colour or number + 1
        seats.append({**one, "team": seat.team} if seat.team else one)
    found = {**draft.answers, "seats": seats}
    if with_armies(draft.game):
        found["game"] = {"mode": draft.mode, "points": draft.points, "shape": draft.shape}
        found["begin"] = {"first": draft.first, "defender": draft.defender}
        if draft.table is not None:
            found["place"] = draft.table.to_json()
    return found


def camera_words(draft: Draft, setup: str) -> str:
    """Under which camera the drafted game will be played; `setup` is the set-up that is chosen."""
    if draft.camera == "none":
        return _("no camera")
    if draft.camera == "practice":
        return _("under the camera: {name}", name=_("practice camera"))
    return _("under the camera: {name}", name=setup or _("the camera in use"))


def set_up(draft: Draft, readings: tuple[str, ...] = ()) -> dict[str, Any]:
    """The command that sets up the drafted game."""
    if not with_armies(draft.game):
        command = dict(find_screen(draft.game).set_up(draft.game, plain_draft(draft)))
        return {**command, "readings": list(readings)} if readings else command
    armies = []
    for seat in draft.seats:
        alone = seat.rival and sum(bool(one.rival) for one in draft.seats) == 1
        side = draft.called(replace(seat, rival="")) if seat.team else ""
        name = seat.name or (draft.called(seat) if alone else side)
        named = {"player": name} if name else {}
        army = {"army": seat.army.to_json()} if seat.army is not None else {}
        armies.append({"side": draft.plays_for(seat), **named, **army})
    command = {
        "do": "set-up",
        "game": draft.game,
        "mode": draft.mode,
        "points": draft.points,
        "shape": draft.shape,
        "armies": armies,
        "unchecked": not draft.checks_armies,
        "readings": list(readings),
    }
    if draft.paper:
        command["paper"] = True
    if draft.first:
        command |= {"ready": True, "first": draft.side_of(draft.first)}
        if draft.stage is not None and draft.stage.has_roles(draft.game, draft.mode):
            command["defender"] = draft.side_of(draft.defender)
    if draft.table is not None:
        command["table"] = draft.table.to_json()
    return command


def rivals(draft: Draft) -> dict[str, Any]:
    """What a `set-up` command says of the seats that the app plays; nothing if it plays none."""
    if find_rival(draft.game) is None:
        return {}
    seats = [
        {"seat": draft.plays_for(one), "level": one.rival, "temper": one.temper}
        for one in draft.seats
        if one.rival
    ]
    return {"rivals": seats} if seats else {}


def fielded(draft: Draft) -> tuple[Unit, ...]:
    """The units that will be on the table; none if an army is missing or cannot be read."""
    if draft.builder is None or not draft.mustered:
        return ()
    command = {**set_up(replace(draft, table=None)), "unchecked": True, "seed": 0}
    setup = find_play(draft.game).prepare(draft.game, command)
    return () if isinstance(setup, Refusal) else draft.builder.fielded(draft.game, setup)


def staged(draft: Draft, settings: Any = None) -> Draft:
    """The draft with a table that fits it: placements that still apply stay."""
    stage = draft.stage
    if stage is None:
        return draft
    old = draft.table
    same = old is not None and (old.game, old.mode, old.width, old.depth) == (
        draft.game,
        draft.mode,
        draft.width,
        draft.depth,
    )
    table = stage.battlefield(draft.game, draft.mode, draft.width, draft.depth, settings)
    if same and old is not None:
        table = replace(table, terrain=old.terrain, tokens=old.tokens)
    units = fielded(draft)
    kept = {unit.id: unit for unit in old.units} if same and old is not None else {}
    stay = [
        unit.at(kept[unit.id].pose)
        for unit in units
        if unit.id in kept and kept[unit.id].tray == unit.tray and kept[unit.id].name == unit.name
    ]
    if len(stay) == len(units):
        return replace(draft, table=replace(table, units=tuple(stay)))
    table = stage.line_up(table, units, draft.defends, settings)
    for unit in stay:
        table = table.moved(unit.id, unit.pose)
    return replace(draft, table=table)


def assigned(draft: Draft, tray: str, unit: str) -> Draft:
    """The draft with a tray assigned to a unit ("" for none), which loses any other tray."""
    others = [pair for pair in draft.tags if pair[0] != tray and pair[1] != unit]
    return replace(draft, tags=(*others, *([(tray, unit)] if unit else [])))


def seen_at(draft: Draft, poses: Mapping[str, Pose], settings: Any = None) -> Draft:
    """The draft with units at the poses where the camera sees their trays; one that it does not
    see gives way to them, to another proposed place."""
    table, stage, names = draft.table, draft.stage, dict(draft.tags)
    if table is None or stage is None:
        return draft
    seen = {names[tray]: pose for tray, pose in poses.items() if names.get(tray) in table}
    for unit, pose in seen.items():
        table = table.moved(unit, pose)
    there = [one for one in table.units if one.id in seen]
    gives_way = {
        one.id
        for one in table.units
        if one.id not in seen and any(trays_overlap(one, other) for other in there)
    }
    if gives_way:
        stay = tuple(one for one in table.units if one.id not in gives_way)
        moved = [one for one in fielded(draft) if one.id in gives_way]
        proposed = stage.line_up(replace(table, units=stay), moved, draft.defends, settings)
        for one in moved:
            table = table.moved(one.id, proposed.unit(one.id).pose)
    return replace(draft, table=table)


def unseen(draft: Draft, trays: Collection[str]) -> tuple[str, ...]:
    """The units whose trays are not among those of the camera: their places are proposals."""
    seen = {unit for tray, unit in draft.tags if tray in trays}
    table = draft.table
    return tuple(one.id for one in table.units if one.id not in seen) if table is not None else ()


def against_rival(command: Plain, draft: Draft) -> dict[str, Any]:
    """A `set-up` command with the rivals of a draft on their seats, called so where seats have
    players with names."""
    named = {draft.plays_for(one): draft.called(one) for one in draft.seats if one.rival}
    found = {**command, **rivals(draft)}
    for key, seat, name in PLAYERS:
        if key in command:
            found[key] = [
                {**one, name: named[one[seat]]} if one[seat] in named else one
                for one in command[key]
            ]
    return found


PLAYERS = (("armies", "side", "player"), ("squads", "side", "player"), ("seats", "id", "name"))
"""Where a `set-up` command names the players of a game: the list, their seats, their names."""
