"""The last step: a summary of all choices, and the button that starts the game."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from kivy.uix.widget import Widget

from companion import games
from companion.app.new_game.deploy_step import SeenFieldStep
from companion.app.new_game.game_step import CARDS, CLOCKS
from companion.app.new_game.wizard_step import FormStep
from companion.app.render.theme import FONTS, THEME
from companion.app.widgets.controls import CardBox, Text, TouchButton
from companion.app.widgets.layouts import choice
from companion.engine.app_words import LANGUAGES, _, ruler
from companion.engine.files.draft_editor import misplaced, place_verdict
from companion.games.api.army_building import ArmyBuilder, ArmyList
from companion.games.api.new_game import NewGameStep
from companion.games.api.prompt import Entry
from companion.session.game_lookup import find_screen
from companion.text.translation import capital
from models.message import say

CORRECTED = {"units": "place", "terrain": "terrain"}
"""In which step each kind of thing on the table is moved; any other is a token."""
BOTH_AGREE = say("Both agree: {action}")
LIE_ON_ONE_ANOTHER = say("{unit} and {other} lie on one another: move one of them.")


class BeginStep(SeenFieldStep):
    """The table, and beside it a summary, warnings and the start button."""

    def first_player(self) -> str:
        """Who goes first: of a team all its players (TMG-TEAM-5)."""
        side = self.draft.side_of(self.draft.first)
        team = [one for one in self.draft.seats if self.draft.plays_for(one) == side]
        return " & ".join(capital(self.draft.called(one)) for one in team)

    def build(self) -> None:
        """Show the summary."""
        draft = self.draft
        names = dict(games.find(draft.game).modes(draft.game))
        clock = _("{n} min", n=draft.minutes) if draft.minutes else _("no clock")
        size = " × ".join(map(ruler().short, (draft.width, draft.depth)))
        card = CardBox()
        card.add_widget(Text(_(names.get(draft.mode, draft.mode)), "large", bold=True))
        facts = (draft.game.rpartition("-")[2], f"{draft.points} {_('points')}", size, clock)
        card.add_widget(Text(" · ".join(facts), colour="soft"))
        for seat in draft.seats:
            army = seat.army
            spent = 0 if army is None or draft.builder is None else draft.builder.army_cost(army)
            units = 0 if army is None else fielded(draft.builder, army)
            told = (
                _("{units} units, points not known", units=units)
                if spent is None
                else _(
                    "{units} units, {spent} of {points} points",
                    units=units,
                    spent=spent,
                    points=draft.points,
                )
            )
            faction = ""
            if army is not None and draft.builder is not None:
                faction = dict(draft.builder.factions(draft.game)).get(army.faction, army.faction)
            who = capital(draft.called(seat))
            name = " · ".join(part for part in (who, _(faction)) if part)
            told = " · ".join(part for part in (told, LANGUAGES.get(seat.language, "")) if part)
            side = draft.plays_for(seat)
            card.add_widget(
                Text(f"{THEME.mark(side)} {name}", "large", THEME.side(side), bold=True)
            )
            card.add_widget(Text(told, colour="soft"))
        first = draft.first
        who = (
            _("first player: {side}", side=self.first_player())
            if first
            else _("the game leads through the roll-offs")
        )
        card.add_widget(Text(who, colour="soft"))
        card.add_widget(Text(_(CARDS[draft.paper]), colour="soft"))
        card.add_widget(self.under_camera())
        for told in self.agreements():
            card.add_widget(told)
        for one in self.wizard.record.problems:
            if not one.stops:
                card.add_widget(Text(f"! {_(one.text)}", "body", "warn"))
        found: list[Widget] = [card]
        found += self.warnings()
        if self.wizard.problem:
            wrong = CardBox(rim="bad")
            wrong.add_widget(Text(self.wizard.problem, colour="bad"))
            found.append(wrong)
        lies = self.staged is not None and bool(draft.first) and self.staged.overlapping
        against = not lies and bool(self.objections())
        begin = TouchButton(
            _(BOTH_AGREE, action=say("Begin the game")) if against else _("Begin the game"),
            partial(self.wizard.start, _("Begin the game") if against else ""),
            "quiet" if lies else "plain" if against else "primary",
            name="begin",
            size="large",
            ready=not lies,
        )
        if lies or against:
            correct = TouchButton(_("Correct the table"), self.correct, "primary", name="correct")
            self.rows.fill([*self.views(), *found, begin, correct])
            return
        self.rows.fill([*self.views(), *found, begin])

    def objections(self) -> dict[str, list[str]]:
        """What the rules have against the table, if it is played on as it is."""
        if self.staged is None or not self.draft.first:
            return {}
        return self.staged.objections(games.find(self.draft.game).reason)

    def correct(self) -> None:
        """Go to the step where what the rules object to can be moved."""
        assert self.staged is not None
        kinds_placed = sorted(self.staged.placed, key=lambda kind: kind not in CORRECTED)
        wrong = (kind for kind in kinds_placed if misplaced(self.staged, kind))
        wanted = CORRECTED.get(next(wrong, "units"), "tokens")
        kinds: list[str] = [one.kind for one in self.wizard.steps]
        self.wizard.open(kinds.index(wanted))

    def warnings(self) -> list[Widget]:
        """The rules that the table breaks; the players decide whether to start anyway."""
        staged, wrong = self.staged, self.objections()
        if staged is None or not wrong:
            return []
        card = CardBox(rim="warn")
        card.add_widget(Text(_("The rules object to:"), "body", "warn", bold=True))
        for words, things in wrong.items():
            names = ", ".join(self.called(name) if name else _("Table") for name in things)
            told = f"{names}: {_(words) or _('not allowed here')}"
            rules = dict.fromkeys(rule for name in things for rule in self.rules_against(name))
            card.add_widget(Text(told, "body", "soft"))
            card.add_widget(self.why(told, tuple(rules)))
        found: list[Widget] = [card]
        if (pair := staged.overlapping) is not None:
            one, other = map(self.called, pair)
            lie = CardBox(rim="bad")
            told = _(LIE_ON_ONE_ANOTHER, unit=one, other=other)
            lie.add_widget(Text(told, colour="bad"))
            found.append(lie)
        return found

    def rules_against(self, thing: str) -> Iterator[str]:
        """The rules that a thing on the table breaks."""
        for kind in self.staged.placed if self.staged is not None else ():
            yield from place_verdict(self.staged, kind, thing).rules


class ReadyStep(FormStep):
    """Who plays with what, what is still wrong, the clock, and the button that begins."""

    def build(self) -> None:
        """Show the summary."""
        draft, record = self.draft, self.wizard.record
        card = CardBox()
        name = Text(_(find_screen(draft.game).name(draft.game)), "title", bold=True)
        name.font_name = FONTS["title"]
        card.add_widget(name)
        for step in self.wizard.steps:
            for entry in step.entries:
                told = f"{_(entry.text)} · {self.chosen(step, entry)}"
                card.add_widget(Text(told, colour="soft"))
        card.add_widget(self.under_camera())
        for agreement in self.agreements():
            card.add_widget(agreement)
        for number, seat in enumerate(draft.seats):
            colour = seat.colour or number + 1
            sign = THEME.mark_of(colour)
            parts = [f"{sign} {self.draft.called(seat)}", *self.totals(seat.side)]
            parts += [LANGUAGES[seat.language]] if seat.language in LANGUAGES else []
            line = Text(" · ".join(parts), "large", f"side-{colour - 1}", bold=True)
            card.add_widget(line)
        clocks = [(_("no clock") if not n else _("{n} min", n=n), n) for n in CLOCKS]
        clock = choice(clocks, draft.minutes, lambda n: self.change_draft(minutes=n), 5)
        widgets: list[Widget] = [*self.games(), card, self.card(_("Clock for each side"), clock)]
        if self.wizard.problem:
            wrong = CardBox(rim="bad")
            wrong.add_widget(Text(self.wizard.problem, colour="bad"))
            widgets.append(wrong)
        stops = any(one.stops for one in record.problems)
        begin = TouchButton(
            _("Begin the game"),
            self.wizard.start,
            "quiet" if stops else "primary",
            name="begin",
            size="large",
            ready=not stops,
        )
        self.rows.fill([*widgets, *self.problems(), begin])

    def totals(self, seat: str) -> list[str]:
        """What a player's lists add up to."""
        lists = (one for step in self.wizard.steps for one in step.lists)
        return [_(one.total) for one in lists if one.seat == seat and one.total]

    def chosen(self, step: NewGameStep, entry: Entry) -> str:
        """The value of an entry in words."""
        given = self.draft.answers.get(step.id)
        value = given.get(entry.field, entry.value) if isinstance(given, dict) else entry.value
        return _(next((text for key, text in entry.options if key == value), str(value or "–")))


def fielded(builder: ArmyBuilder | None, army: ArmyList) -> int:
    """How many units an army brings, those beside the table too, as the game counts them."""
    if builder is None:
        return len(army.units)
    return sum(one.kind != "attachment" for one in builder.enlisted(army))
