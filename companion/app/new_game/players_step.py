"""The players: their names, colours, languages and teams; who is first, who defends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from kivy.metrics import dp
from kivy.uix.widget import Widget

from companion.app.new_game.wizard_step import FormStep
from companion.app.render.theme import THEME, middle
from companion.app.widgets.controls import Text, TouchButton
from companion.app.widgets.icon import SeatSign
from companion.app.widgets.layouts import TextEntry, choice, row
from companion.engine.app_words import LANGUAGES, _
from companion.engine.files.draft import ALONE, Draft, Seat, seat_range
from companion.games.api.rival import LEVELS, TEMPERS
from companion.session.game_lookup import find_rival, rival_note

NAME_LIMIT = 30
COLOURS = 6
PERSON = "person"
EDGES = ("near edge", "far edge")
CORNERS = ("near left corner", "far left corner", "far right corner", "near right corner")
"""Where players sit: at two edges, or clockwise in the corners (TMG-FFA-2)."""


class PlayersStep(FormStep):
    """How many play, and a card for each of them."""

    def build(self) -> None:
        draft, allowed = self.draft, seat_range(self.draft.game)
        widgets: list[Widget] = [*self.games()]
        if text := self.wizard.record.text:
            widgets.append(Text(_(text), colour="soft"))
        if allowed.most > allowed.least:
            counts = [(str(n), n) for n in range(allowed.least, allowed.most + 1)]
            widgets.append(
                self.card(_("How many play?"), choice(counts, len(draft.seats), self.count, 5))
            )
        widgets += [self.player(number, seat) for number, seat in enumerate(draft.seats)]
        self.rows.fill([*widgets, *self.problems()])

    def count(self, players: int) -> None:
        """Change how many play; the first ones stay."""
        ids = seat_range(self.draft.game).ids
        seats = [*self.draft.seats[:players]]
        seats += [Seat(ids[number]) for number in range(len(seats), players)]
        self.change(tuple(seats))

    def player(self, number: int, seat: Seat) -> Widget:
        """The name, the colour and the language of one player."""
        colour = seat.colour or number + 1
        entry = TextEntry(seat.name, _("name"))
        entry.bind(text=lambda _, text, side=seat.side: self.name_player(side, text))
        entry.name = f"name:{seat.side}"
        languages = [(_("as the app"), ""), *((name, key) for key, name in LANGUAGES.items())]
        parts: list[Widget] = [
            entry,
            Text(_("Colour and sign on the screens"), "small", "soft"),
            row(*(self.colour_key(seat, one, one == colour) for one in range(1, COLOURS + 1))),
        ]
        teams = seat_range(self.draft.game).teams
        if teams:
            options = [
                (_("alone"), ""),
                *((_("team {n}", n=n), str(n)) for n in range(1, teams + 1)),
            ]
            team = partial(self.set_seat, seat.side, "team")
            parts.append(choice(options, seat.team, team, 4))
        parts += played_by(self.draft, seat, partial(self.set_seat, seat.side))
        if not seat.rival:
            parts.append(Text(_("Language while this player decides"), "small", "soft"))
            parts.append(
                choice(languages, seat.language, partial(self.set_seat, seat.side, "language"))
            )
        title = _("Player {n}", n=number + 1)
        return self.card(title, *parts, rim=f"side-{colour - 1}")

    def colour_key(self, seat: Seat, colour: int, chosen: bool) -> Widget:
        """One of the six colours with its sign."""
        return ColourKey(
            colour,
            partial(self.recolour, seat.side, colour),
            chosen,
            f"colour:{seat.side}:{colour}",
        )

    def recolour(self, side: str, colour: int) -> None:
        """Give a player a colour; who had it gets the other one."""
        now = {seat.side: seat.colour or number + 1 for number, seat in enumerate(self.draft.seats)}
        other = next((one for one, used in now.items() if used == colour and one != side), None)
        if other is not None:
            now[other] = now[side]
        now[side] = colour
        self.change(tuple(replace(seat, colour=now[seat.side]) for seat in self.draft.seats))

    def name_player(self, side: str, text: str) -> None:
        """Save the name as it is typed, without rebuilding the text field."""
        seat = replace(self.draft.seat(side), name=text.strip()[:NAME_LIMIT])
        self.app.service.drafting.plan(self.draft.seated(seat))

    def set_seat(self, side: str, key: str, value: Any) -> None:
        """Change one thing about a player."""
        changed = replace(self.draft.seat(side), **{key: value})
        self.change(self.draft.seated(changed).seats)

    def change(self, seats: tuple[Seat, ...]) -> None:
        """Keep the players, ask the game again and show them."""
        self.app.service.drafting.plan(replace(self.draft, seats=seats))
        self.wizard.ask()
        self.build()

    def missing(self) -> str:
        """Two players need different names."""
        names = [self.draft.called(seat).casefold() for seat in self.draft.seats]
        if len(set(names)) != len(names):
            return _("Two players have the same name.")
        stops = [one for one in self.wizard.record.problems if one.stops]
        return _(stops[0].text) if stops else ""


def played_by(draft: Draft, seat: Seat, change: Callable[[str, Any], Any]) -> list[Widget]:
    """Whether a person plays a seat or the app, how well and how; nothing where it cannot."""
    if find_rival(draft.game) is None:
        return []
    levels = [(_("a person"), PERSON), *((_(one.name), one.id) for one in LEVELS)]

    def taken(level: str) -> None:
        change("rival", "" if level == PERSON else level)

    found: list[Widget] = [
        Text(_("A person plays, or the app as:"), "small", "soft"),
        choice(levels, seat.rival or PERSON, taken, 4),
    ]
    if seat.rival:
        tempers = [(_(one.name), one.id) for one in TEMPERS]
        found.append(choice(tempers, seat.temper, partial(change, "temper")))
        if note := rival_note(draft.game):
            found.append(Text(note, "small", "soft"))
    return found


class ColourKey(TouchButton):
    """A colour with its sign; the chosen one is inverted."""

    def __init__(self, colour: int, act: Any, chosen: bool, name: str) -> None:
        super().__init__(" ", act, "ink" if chosen else "plain", name=name)
        self.sign = SeatSign(colour - 1, 30)
        self.add_widget(self.sign)
        self.padding = (dp(2), THEME.gap("tiny"))

    def _place(self, *args: Any) -> None:
        super()._place(*args)
        if hasattr(self, "sign"):
            x, y = middle(self)
            self.sign.pos = (x - self.sign.width / 2, y - self.sign.height / 2)


class SeatsStep(FormStep):
    """A card per side."""

    firsts: Widget | None = None
    """The buttons of who goes first, which follow the names that are typed."""

    def build(self) -> None:
        draft = self.draft
        widgets: list[Widget] = [self.seat(seat) for seat in draft.seats]
        sides = self.sides()
        options = [*sides, (_("the game leads through the roll-offs"), "")]
        self.firsts = choice(options, draft.first, lambda v: self.change_draft(first=v), 3)
        widgets.append(
            self.card(
                _("First player"),
                self.firsts,
                Text(
                    _(
                        "With a first player the table you set up here is taken as it is. "
                        "Otherwise zones, terrain and deployment follow step by step."
                    ),
                    "small",
                    "soft",
                ),
            )
        )
        if draft.stage is not None and draft.stage.has_roles(draft.game, draft.mode):
            widgets.append(
                self.card(
                    _("Defender"),
                    choice(
                        sides, draft.defender, lambda v: self.change_draft(defender=v, table=None)
                    ),
                )
            )
        self.rows.fill(widgets)

    def sides(self) -> list[tuple[str, str]]:
        """Each side by the names of its players, with the seat that speaks for it."""
        teams = {self.draft.plays_for(seat): seat for seat in reversed(self.draft.seats)}
        return [
            (f"{THEME.mark(seat.side)} {self.team_name(side)}", seat.side)
            for side, seat in reversed(teams.items())
        ]

    def called(self, seat: Seat) -> str:
        """The player's name, or the side's, whoever plays it."""
        return self.draft.called(replace(seat, rival=""))

    def seat(self, seat: Seat) -> Widget:
        """Name and language of one player."""
        number = self.draft.seats.index(seat)
        near = _(CORNERS[number] if self.draft.shape == ALONE else EDGES[number % 2])
        mark = THEME.mark(self.draft.plays_for(seat))
        entry = TextEntry(seat.name, _("name (optional)"))
        entry.bind(text=lambda _, text, side=seat.side: self.name_player(side, text))
        entry.name = f"name:{seat.side}"
        languages = [(_("as the app"), ""), *((name, key) for key, name in LANGUAGES.items())]

        def change(key: str, value: Any) -> None:
            self.seated(replace(self.draft.seat(seat.side), **{key: value}))

        spoken: list[Widget] = [
            Text(_("Language while this player decides"), "small", "soft"),
            choice(languages, seat.language, partial(change, "language")),
        ]
        return self.card(
            f"{mark} {self.called(replace(seat, name=''))} · {near}",
            entry,
            *played_by(self.draft, seat, change),
            *([] if seat.rival else spoken),
            rim=f"side-{THEME.place(self.draft.plays_for(seat))}",
        )

    def team_name(self, side: str) -> str:
        """The players of a side by name."""
        names = [self.called(one) for one in self.draft.seats if self.draft.plays_for(one) == side]
        return " & ".join(names)

    def name_player(self, side: str, text: str) -> None:
        """Save the name as it is typed, without rebuilding the text field."""
        seat = replace(self.draft.seat(side), name=text.strip()[:NAME_LIMIT])
        self.app.service.drafting.plan(self.draft.seated(seat))
        names = {f"choice:{key}": text for text, key in self.sides()}
        for one in self.firsts.walk() if self.firsts is not None else ():
            if isinstance(one, TouchButton) and one.name in names:
                tick = "✓ " if one.look == "ink" else ""
                one.set_text(f"{tick}{names[one.name]}")

    def seated(self, seat: Seat) -> None:
        """Change a player's seat."""
        self.app.service.drafting.plan(self.draft.seated(seat))
        self.build()

    def missing(self) -> str:
        """Two players need different names."""
        names = [self.called(seat).casefold() for seat in self.draft.seats]
        return "" if len(set(names)) == len(names) else _("Two players have the same name.")
