"""An army per side: pasted, read from a file, or built from the catalogue with live points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.new_game.list_step import ask_lines, paste_list, pick_list, read_list
from companion.app.new_game.wizard_step import NewGameWizard, WizardStep
from companion.app.render.theme import THEME
from companion.app.widgets.controls import CardBox, Rows, Text, TouchButton, heading
from companion.app.widgets.layouts import choice, clipboard_text, grid
from companion.engine.app_words import _
from companion.engine.files.draft import Seat
from companion.games.api.army_building import (
    ArmyCandidate,
    ArmyList,
    ArmyMember,
    ArmyReader,
    DeckReader,
    UncertainLine,
    Unknown,
)
from companion.session.game_lookup import find_army_reader
from companion.text.translation import capital, unnumbered
from models import CompanionError
from models.message import word

KINDS = {"unit": "Units", "attachment": word("army", "Attachments"), "aside": "Beside the table"}
ENDINGS = (".txt", ".toml", ".army")


class ArmyStep(WizardStep):
    """The army on one side, the catalogue on the other; one under the other in portrait."""

    def __init__(self, wizard: NewGameWizard) -> None:
        super().__init__(wizard)
        self.side = self.draft.seats[0].side
        self.kind = "unit"
        self.foreign = False
        self.changing = False
        """Whether another army may be taken in place of this one."""
        self.notes: dict[str, list[str]] = {}
        """What was noticed when each side's list was read."""
        self.army_rows, self.card_rows = Rows(), Rows()
        self.spacing = THEME.gap()
        self.padding = (THEME.gap(), 0)
        self.bind(size=self.arrange)
        self.arrange()

    def arrange(self, *_: Any) -> None:
        """Lay out for landscape or portrait."""
        tall = self.height > self.width
        self.orientation = "vertical" if tall else "horizontal"
        if not self.children:
            self.add_widget(self.army_rows)
            self.add_widget(self.card_rows)
        self.army_rows.size_hint = (1, 0.9) if tall else (0.9, 1)

    @property
    def army(self) -> ArmyList | None:
        """The army that is being built."""
        return self.draft.seat(self.side).army

    def build(self) -> None:
        """Fill both columns."""
        self.army_rows.fill(list(self.left()))
        self.card_rows.fill(list(self.right()))

    # -- the army ---------------------------------------------------------------------------

    def left(self) -> Sequence[Widget]:
        """Choice of side, the army's cards, and the rules it breaks."""
        draft = self.draft
        sides = [(self.tab(seat.side), seat.side) for seat in draft.seats]
        found: list[Widget] = [choice(sides, self.side, self.turn_to, 2)]
        found.append(
            grid(
                [
                    TouchButton(_("Paste a list"), self.paste, name="paste-list"),
                    TouchButton(_("From a file"), self.files, name="list-file"),
                ],
                2,
            )
        )
        army = self.army
        if army is None or draft.builder is None:
            empty = CardBox()
            empty.add_widget(
                Text(
                    _("No army yet: paste a list, read a file, or choose a faction."), colour="soft"
                )
            )
            return [*found, empty]
        spent = draft.builder.army_cost(army)
        over = spent is not None and spent > army.points
        side = draft.plays_for(draft.seat(self.side))
        head = CardBox(rim=f"side-{THEME.place(side)}")
        names = dict(draft.builder.factions(draft.game))
        head.add_widget(Text(_(names.get(army.faction, army.faction)), "large", bold=True))
        points = (
            _("Points not known")
            if spent is None
            else _("{spent} of {points} points", spent=spent, points=army.points)
        )
        head.add_widget(Text(points, "title", "bad" if over else "accent", bold=True))
        if draft.builder.seasons(draft.game):
            season = draft.builder.season_of(army)
            head.add_widget(Text(_("Cards of season {season}", season=season), "small", "soft"))
        text = _("Keep this army") if self.changing else _("Take another army")
        head.add_widget(TouchButton(text, self.change, "quiet", name="change-army"))
        found.append(head)
        problems = self.problems(draft.seat(self.side))
        asked = draft.builder.army_unknowns(army)
        unchecked = [_(one) for one in draft.builder.army_unchecked(army)]
        if asked and not problems:
            open_ = CardBox(rim="warn")
            open_.add_widget(Text(_("Please answer what the cards say:"), "body", "warn"))
            found.append(open_)
        elif problems:
            card = CardBox(rim="bad" if draft.checks_armies else "line")
            for why, say in problems:
                about = TouchButton(
                    f"✕ {say}", partial(self.app.toast, say, why), "bare", align="left"
                )
                about.name, about.label.color = f"why:{why}", THEME.words("bad")
                card.add_widget(about)
            found.append(card)
        else:
            good = CardBox(rim="good")
            kept = _("The army keeps every rule.")
            if unchecked:
                kept = _("The army keeps the rules that can be checked.")
            good.add_widget(Text(f"✓ {kept}", "body", "good", bold=True))
            for one in unchecked:
                good.add_widget(Text(capital(unnumbered(one)), "small", "soft"))
            found.append(good)
        found += [
            TouchButton(_(one.question), partial(self.ask, one), "plain", name=f"ask:{one.what}")
            for one in asked
        ]
        said = () if asked or problems else unchecked
        if notes := [one for one in self.notes.get(self.side, ()) if one not in said]:
            noticed = CardBox()
            for note in notes:
                noticed.add_widget(Text(note, "small", "soft"))
            found.append(noticed)
        found += [self.line(one) for one in draft.builder.enlisted(army)]
        found.append(
            self.card(
                _("Check the armies against the rules"),
                choice(
                    [(_("yes"), True), (_("no"), False)],
                    draft.checks_armies,
                    lambda v: self.change_draft(checks_armies=v),
                ),
            )
        )
        return found

    def mark(self, seat: Seat) -> str:
        """The sign of the side for which a player plays."""
        return THEME.mark(self.draft.plays_for(seat))

    def tab(self, side: str) -> str:
        """The name of a side with the points of its army."""
        seat = self.draft.seat(side)
        builder = self.draft.builder
        name = f"{self.mark(seat)} {capital(self.draft.called(seat))}"
        if seat.army is None or builder is None:
            return name
        spent = builder.army_cost(seat.army)
        return name if spent is None else f"{name} · {spent}"

    def problems(self, seat: Seat) -> list[tuple[str, str]]:
        """The rules that a seat's army breaks: the number, which a tap shows, and a sentence."""
        if seat.army is None:
            return []
        reader = find_army_reader(self.draft.game)
        beside = [mate.army for mate in self.draft.mates(seat.side) if mate.army is not None]
        known = [one for one in reader.army_problems(seat.army, beside) if not one.asks]
        return [(one.why, _(unnumbered(one.say))) for one in known]

    def line(self, one: ArmyMember) -> Widget:
        """A card of the army, with a button to remove it."""
        box = BoxLayout(size_hint_y=None, spacing=THEME.gap("small"))
        inward = dp(22) if one.kind == "attachment" else 0
        card = CardBox(pad="small")
        star = "★ " if one.leads else ""
        cost = "–" if one.cost is None else str(one.cost)
        card.add_widget(Text(f"{star}{_(one.label)} · {cost}", "body", bold=one.kind == "unit"))
        card.add_widget(Text(noted(one.note), "small", "soft"))
        army, builder = self.army, self.draft.builder
        asked = builder.question_answered(army, one) if army is not None and builder else None
        if asked is not None:
            act = partial(self.ask, asked)
            card.add_widget(TouchButton(_(asked.question), act, name=f"ask:{asked.what}"))
        away = TouchButton("✕", partial(self.dismiss, one), "quiet", name=f"dismiss:{one.id}")
        away.size_hint_x, away.width = None, THEME.target
        away.size_hint_y = 1
        box.padding = (inward, 0, 0, 0)
        box.add_widget(card)
        box.add_widget(away)
        card.bind(height=lambda _, high: setattr(box, "height", max(high, THEME.target)))
        return box

    def ask(self, one: Unknown) -> None:
        """Open a modal with the possible answers."""
        army, builder = self.army, self.draft.builder
        if army is None or builder is None:
            return
        if not one.numbers:
            answers = [
                TouchButton(
                    _(line.label),
                    partial(self.answer, one, line.id),
                    "plain",
                    noted(line.note),
                    align="left",
                    name=f"answer:{line.id}",
                )
                for line in builder.enlisted(army)
                if line.id in one.cards
            ]
            self.app.open_sheet(_(one.question), answers)
            return
        answers = [
            TouchButton(str(number), partial(self.answer, one, number), name=f"answer:{number}")
            for number in one.numbers
        ]
        self.app.open_sheet(_(one.question), [grid(answers, 4)])

    def answer(self, one: Unknown, answer: int | str) -> None:
        """Save the player's answer with the army."""
        army, builder = self.army, self.draft.builder
        self.app.close_sheet()
        if army is not None and builder is not None:
            self.keep(builder.army_answered(army, one, answer))

    def turn_to(self, side: str) -> None:
        """Switch to the other army."""
        self.side, self.foreign, self.kind, self.changing = side, False, "unit", False
        self.build()
        self.card_rows.scroll_y = self.army_rows.scroll_y = 1

    def keep(self, army: ArmyList) -> None:
        """Save the army."""
        self.changing = False
        self.app.service.drafting.plan(
            self.draft.seated(replace(self.draft.seat(self.side), army=army))
        )
        self.build()

    def dismiss(self, line: ArmyMember) -> None:
        """Remove a card."""
        army, builder = self.army, self.draft.builder
        if army is not None and builder is not None:
            self.keep(builder.dismiss(army, line))

    def change(self) -> None:
        """Show the armies that may be taken instead, or no longer."""
        self.changing = not self.changing
        self.card_rows.scroll_y = 1
        self.build()

    # -- the catalogue ----------------------------------------------------------------------

    def right(self) -> Sequence[Widget]:
        """The factions; then the faction's cards, those that can be added first."""
        draft, army = self.draft, self.army
        if draft.builder is None:
            return [Text(_("This game has no catalogue: paste a list."), colour="soft")]
        if army is None or self.changing:
            factions = [
                TouchButton(_(name), partial(self.start, key), name=f"faction:{key}", size="large")
                for key, name in draft.builder.factions(draft.game)
            ]
            ready = [
                TouchButton(_(name), partial(self.take_ready, listed), name=f"ready:{number}")
                for number, (name, listed) in enumerate(
                    draft.builder.ready_armies(draft.game, draft.points)
                )
            ]
            if any(map(self.lacks_army, draft.seats)) and ready:
                text = _("A different one for each")
                ready.append(TouchButton(text, self.take_all, name="ready:all"))
            return [
                *([heading(_("READY ARMIES")), grid(ready, 2)] if ready else []),
                heading(_("BUILD AN ARMY: CHOOSE A FACTION")),
                grid(factions, 2),
            ]
        kinds = [(_(word), key) for key, word in KINDS.items()]
        own = [(_("own"), False), (_(word("army", "neutral")), True)]
        cards = [
            one
            for one in draft.builder.recruits(army)
            if one.kind == self.kind and (one.faction != army.faction) == self.foreign
        ]
        cards.sort(key=lambda one: (one.refusal is not None, not one.leads))
        return [
            choice(kinds, self.kind, self.list_kind, 3),
            choice(own, self.foreign, self.list_foreign, 2),
            *(self.offer(one) for one in cards),
            *([] if cards else [Text(_("none"), colour="soft")]),
        ]

    def offer(self, one: ArmyCandidate) -> TouchButton:
        """The button of a card, with the reason if it cannot be added."""
        cost = "–" if one.cost is None else str(one.cost)
        star = "★ " if one.leads else ""
        barred = one.refusal if self.draft.checks_armies or one.kind == "attachment" else None
        under = noted(one.note) if barred is None else _(unnumbered(barred.say))
        act = partial(self.take, one)
        if barred is not None:
            act = partial(self.app.toast, _(barred.say), barred.why)
        return TouchButton(
            f"{star}{_(one.label)} · {cost}",
            act,
            "plain" if barred is None else "quiet",
            under,
            ready=barred is None,
            align="left",
            tint=THEME.colour("good") if barred is None else None,
            name=f"take:{one.id}" if barred is None else f"barred:{one.id}",
        )

    def start(self, faction: str) -> None:
        """Start an empty army of a faction."""
        draft = self.draft
        if draft.builder is not None:
            army = draft.builder.new_army(draft.game, faction, draft.points)
            self.keep(draft.builder.in_season(army, draft.season))

    def take_ready(self, listed: str) -> None:
        """Take a ready army and go on to the next player who has none."""
        self.read(listed)
        waiting = [seat.side for seat in self.draft.seats if seat.army is None]
        if waiting:
            self.turn_to(waiting[0])

    def lacks_army(self, seat: Seat) -> bool:
        """Whether a player has no army, or one of a larger game."""
        builder = self.draft.builder
        if seat.army is None or builder is None:
            return seat.army is None
        return (builder.army_cost(seat.army) or 0) > self.draft.points

    def take_all(self) -> None:
        """Give every player without an army, or with one that is too large for the game, a ready
        one, as different as there are."""
        draft, ours = self.draft, self.side
        listed = draft.builder.ready_armies(draft.game, draft.points) if draft.builder else ()
        for number, seat in enumerate(draft.seats):
            if self.lacks_army(seat) and listed:
                self.side = seat.side
                self.read(listed[number % len(listed)][1])
        self.turn_to(ours)

    def list_kind(self, kind: str) -> None:
        """List another kind of card."""
        self.kind = kind
        self.card_rows.scroll_y = 1
        self.build()

    def list_foreign(self, foreign: bool) -> None:
        """List the faction's own cards, or the neutral ones."""
        self.foreign = foreign
        self.card_rows.scroll_y = 1
        self.build()

    def take(self, one: ArmyCandidate) -> None:
        """Add a card; for an attachment ask which unit it joins, if there are several."""
        army, builder = self.army, self.draft.builder
        if army is None or builder is None:
            return
        if len(one.places) > 1:
            units = [line for line in builder.enlisted(army) if line.kind == "unit"]
            joined = [
                TouchButton(
                    _(line.label),
                    partial(self.join, one, line.place),
                    "plain",
                    noted(line.note),
                    align="left",
                    name=f"join:{line.place}",
                )
                for line in units
                if line.place in one.places
            ]
            self.app.open_sheet(_("{name} joins …", name=_(one.label)), joined)
            return
        self.join(one, one.places[0] if one.places else None)

    def join(self, one: ArmyCandidate, place: int | None) -> None:
        """Add the card to the army."""
        army, builder = self.army, self.draft.builder
        self.app.close_sheet()
        if army is not None and builder is not None:
            self.keep(builder.recruit(army, one.id, place))

    # -- pasted lists and files --------------------------------------------------------------

    def paste(self, listed: str = "") -> None:
        """A field for a list: that one, or what was copied if it looks like a list."""
        copied = "" if listed else clipboard_text()
        listed = copied if "\n" in copied.strip() or ";" in copied else listed
        forms = Text(
            _(
                "A text export (“Faction: …”), ids (“stark;10201,20201”), or the content of an "
                "army file."
            ),
            colour="soft",
        )
        seat = self.draft.seat(self.side)
        hint = _("army list of {side}", side=seat.name or _(self.side))
        paste_list(self.app, listed, hint, self.read, [forms])

    def files(self) -> None:
        """Open a file picker."""
        pick_list(self.app, ENDINGS, self.read_file)

    def read_file(self, path: Path) -> None:
        """Read a list from a file."""
        read_list(self.app, path, self.read)

    def read(self, text: str) -> None:
        """Replace the army by a list; lines that are not certain are asked about first."""
        reader: ArmyReader = find_army_reader(self.draft.game)
        builder = self.draft.builder
        try:
            army = reader.read_army(self.draft.game, text, self.draft.points)
        except CompanionError as error:
            self.app.toast(str(error))
            return
        if army.game != self.draft.game:
            self.app.toast(_("The list is for {game}.", game=army.game))
            return
        if builder is None:
            return
        self.app.close_sheet()
        unread = reader.army_unread(army) if isinstance(reader, DeckReader) else ()
        lines = [one for one in unread if isinstance(one, UncertainLine)]
        if lines:
            ask_lines(self.app, text, lines, self.read, self.paste)
            return
        self.notes[self.side] = [_(note) for note in reader.army_notes(army, text)]
        army = builder.in_season(army, self.draft.season, named=False)
        self.keep(builder.resized(army, self.draft.points))

    def missing(self) -> str:
        """Every side needs an army, and a legal one if armies are checked."""
        if not self.draft.mustered:
            return _("First give every side an army with a unit.")
        builder = self.draft.builder
        for seat in self.draft.seats if builder is not None else ():
            for one in builder.army_unknowns(seat.army) if builder and seat.army else ():
                if (
                    self.draft.checks_armies or one.what == "wounds"
                ):  # without them it cannot be played
                    self.turn_to(seat.side)
                    return f"{self.draft.called(seat)}: {_(one.question)}"
        if not self.draft.checks_armies:
            return ""
        for seat in self.draft.seats:
            for _why, say in self.problems(seat):
                return f"{self.mark(seat)} {self.draft.called(seat)}: {say}"
        return ""


def noted(note: str) -> str:
    """A card's note, with its words translated."""
    return " · ".join(_(part) for part in note.split(" · "))
