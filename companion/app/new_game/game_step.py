"""What is played: edition, mode, size, table, clock, and the values that a game asks for first."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from kivy.uix.widget import Widget

from companion import games
from companion.app.new_game.draft_rows import draft_rows
from companion.app.new_game.wizard_step import FormStep
from companion.app.turn.entry_form import EntryForm
from companion.app.widgets.controls import CardBox, Text, TouchButton
from companion.app.widgets.layouts import choice, stepper
from companion.engine.app_words import _, ruler
from companion.engine.files.draft import ALONE, DUEL, SHAPES, TEAM, names_cards
from companion.engine.turn.filled_form import FilledForm
from companion.engine.turn.turn_view import form_view
from companion.games.api.prompt import PromptForm

TABLES = ((48.0, 48.0), (72.0, 48.0))
CLOCKS = (0, 30, 45, 60, 90)
SIZES = (40,)
MOST_POINTS = 1000
TEAM_POINTS = 20
"""What is recommended for each player of a quick team game."""
CARDS = {False: "the app deals", True: "we use paper cards"}
WHO = {
    (DUEL, 2): "Two players",
    (ALONE, 3): "Three, everyone for themselves",
    (ALONE, 4): "Four, everyone for themselves",
    (TEAM, 4): "Two teams of two",
}


class GameStep(FormStep):
    """The choices that concern all players."""

    def build(self) -> None:
        """Show the choices."""
        draft = self.draft
        modes = [
            (_(name), key)
            for key, name in games.find(draft.game).modes(draft.game)
            if draft.allows(key)
        ]
        sizes = sorted(draft.builder.sizes(draft.game) if draft.builder else SIZES)
        if draft.shape == TEAM:
            sizes = sorted({TEAM_POINTS, *sizes})
        known = draft.builder.seasons(draft.game) if draft.builder else ()
        seasons = [(one, one) for one in known]
        shapes = [(_(WHO[shape, count]), (shape, count)) for shape, count in SHAPES]
        now = (draft.shape, len(draft.seats))
        cards = [(_(CARDS[paper]), paper) for paper in (False, True)]
        about = _("Paper cards: the app counts decks and hands.")
        if not names_cards(draft.game):
            about = _(
                "The app does not know what the cards of this edition are called: play with your "
                "own paper cards, it counts decks and hands."
            )
        short = ruler().short
        tables = [(f"{short(wide)} × {short(deep)}", (wide, deep)) for wide, deep in TABLES]
        clocks = [(_("no clock") if not n else _("{n} min", n=n), n) for n in CLOCKS]
        columns = 1 if self.width and self.width < self.height else 2
        widgets: list[Widget] = [
            *self.games(),
            self.card(_("Who plays?"), choice(shapes, now, self.seat_players, columns)),
            self.card(
                _("Cards"),
                choice(cards, draft.paper, lambda v: self.change_draft(paper=v)),
                Text(about, "small", "soft"),
            ),
            self.card(
                _("Mode"),
                choice(modes, draft.mode, lambda v: self.change_draft(mode=v), columns + 1),
            ),
            self.card(
                _("Size in points"),
                choice([(str(n), n) for n in sizes], draft.points, self.resize_armies),
                stepper(  # any total may be agreed (TMG-ARM-2)
                    str(draft.points),
                    lambda by: self.resize_armies(min(MOST_POINTS, max(1, draft.points + by))),
                    "points",
                    draft.points <= 1,
                    draft.points >= MOST_POINTS,
                ),
            ),
            self.card(
                _("Table"),
                choice(
                    tables,
                    (draft.width, draft.depth),
                    lambda v: self.change_draft(width=v[0], depth=v[1]),
                ),
            ),
            self.card(
                _("Clock for each side"),
                choice(clocks, draft.minutes, lambda v: self.change_draft(minutes=v), 5),
                Text(_("It runs for whoever has to decide, and can be paused."), "small", "soft"),
            ),
        ]
        if seasons:
            season = draft.season or seasons[0][1]
            text = Text(_("A list that names its season keeps it."), "small", "soft")
            row = choice(seasons, season, self.change_season)
            widgets.insert(-2, self.card(_("Season of the cards"), row, text))
        self.rows.fill(widgets)

    def seat_players(self, who: tuple[str, int]) -> None:
        """Change who plays against whom; the table is set up anew."""
        self.app.service.drafting.plan(self.draft.played_by(*who))
        self.wizard.ask()
        self.build()

    def change_season(self, season: str) -> None:
        """Change the season of the cards, also of the armies that are there."""
        builder = self.draft.builder
        seats = tuple(
            replace(seat, army=builder.in_season(seat.army, season))
            if builder is not None and seat.army is not None
            else seat
            for seat in self.draft.seats
        )
        self.change_draft(season=season, seats=seats)

    def resize_armies(self, points: int) -> None:
        """Change the game size, against which the armies are counted."""
        builder = self.draft.builder
        seats = tuple(
            seat
            if seat.army is None or builder is None
            else replace(seat, army=builder.resized(seat.army, points))
            for seat in self.draft.seats
        )
        self.change_draft(points=points, seats=seats)


class EntriesStep(FormStep):
    """A card for each value; the answer is kept as soon as it is given."""

    def build(self) -> None:
        """Show the entries with their values; what was just drawn or entered is chosen."""
        entered, self.app.entered_card = self.app.entered_card, ""
        if entered and self.choose(entered):
            return
        record = self.wizard.record
        widgets: list[Widget] = [*self.games()]
        if record.text:
            widgets.append(Text(_(record.text), colour="soft"))
        form = PromptForm(record.title, {}, record.entries)
        given = self.draft.answers.get(record.id)
        entries = StepEntries(form, given if isinstance(given, dict) else {}, self.given)
        widgets += [entries, *self.problems()]
        own = [(kind, card) for kind, card, _text in record.enters if card.rpartition("/")[2]]
        gold = own[0] if own and self.waits else None
        for kind, card, text in record.enters:
            act = partial(self.app.enter_card, self.draft.game, kind, card)
            known = card.rpartition("/")[2]
            name, told = (
                (f"enter:{kind}:{known}", _(text)) if known else (f"enter:{kind}", f"+ {_(text)}")
            )
            look = "primary" if (kind, card) == gold else "quiet"
            widgets.append(TouchButton(told, act, look, name=name))
            if not known:
                enter = partial(self.app.enter_card, self.draft.game)
                folder = self.app.service.folder
                widgets += draft_rows(folder, self.draft.game, kind, enter)
        self.rows.fill(widgets)

    @property
    def waits(self) -> bool:
        """Whether what was chosen must be finished first, and the step leads there."""
        record = self.wizard.record
        return any(one.stops for one in record.problems) and any(c for _, c, _ in record.enters)

    def choose(self, entered: str) -> bool:
        """Answer with the option that is the entered card; whether there is one."""
        record = self.wizard.record
        name = entered.rpartition("/")[2]
        for entry in record.entries:
            if any(value == name for value, _text in entry.options):
                given = self.draft.answers.get(record.id)
                values = given if isinstance(given, dict) else {}
                self.answered(record.id, {**values, entry.field: name})
                return True
        return False

    def given(self, values: dict[str, Any]) -> None:
        """Keep what was chosen."""
        self.answered(self.wizard.record.id, values)

    def missing(self) -> str:
        """What must be chosen before the next step."""
        stops = [one for one in self.wizard.record.problems if one.stops]
        return _(stops[0].text) if stops else ""


class StepEntries(EntryForm):
    """The entries of a step; every change is told at once, and there is no button."""

    def __init__(self, form: PromptForm, given: dict[str, Any], told: Any) -> None:
        self._given, self._told = given, told
        super().__init__(FilledForm.begin(form_view(form, _)), told)

    def build(self) -> None:
        """Show a card for each entry."""
        self.clear_widgets()
        for entry in self.form.fields:
            if entry.name in self._given:
                self.filled = self.filled.with_value(entry, self._given[entry.name])
        for entry in self.form.fields:
            card = CardBox()
            card.add_widget(Text(entry.text, "body", "soft"))
            card.add_widget(self.entry(entry))
            self.add_widget(card)

    def change(self, filled: FilledForm) -> None:
        """Tell the values as soon as one is given."""
        self.filled = filled
        self._told(dict(filled.given))
