"""The last step: a summary of all choices, and the button that starts the game."""

from __future__ import annotations

from kivy.uix.widget import Widget

from companion import games
from companion.app.new_game.wizard_step import FieldStep
from companion.app.render.theme import THEME
from companion.app.widgets.controls import CardBox, Text, TouchButton
from companion.engine.app_words import LANGUAGES, _, ruler


class BeginStep(FieldStep):
    """The table, and beside it a summary, warnings and the start button."""

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
            units = 0 if army is None else len(army.units)
            told = _("{units} units, {spent} points", units=units, spent=spent)
            faction = ""
            if army is not None and draft.builder is not None:
                faction = dict(draft.builder.factions(draft.game)).get(army.faction, army.faction)
            name = " · ".join(part for part in (seat.name or _(seat.side), _(faction)) if part)
            told = " · ".join(part for part in (told, LANGUAGES.get(seat.language, "")) if part)
            card.add_widget(
                Text(f"{THEME.mark(seat.side)} {name}", "large", THEME.side(seat.side), bold=True)
            )
            card.add_widget(Text(told, colour="soft"))
        first = draft.first
        who = (
            _("first player: {side}", side=draft.seat(first).name or _(first))
            if first
            else _("the game leads through the roll-offs")
        )
        card.add_widget(Text(who, colour="soft"))
        found: list[Widget] = [card]
        found += self.warnings()
        if self.wizard.problem:
            wrong = CardBox(rim="bad")
            wrong.add_widget(Text(self.wizard.problem, colour="bad"))
            found.append(wrong)
        begin = TouchButton(
            _("Begin the game"), self.wizard.start, "primary", name="begin", size="large"
        )
        self.rows.fill([*self.views(), *found, begin])

    def warnings(self) -> list[Widget]:
        """The rules that the table breaks; the players decide whether to start anyway."""
        staged = self.staged
        if staged is None or not self.draft.first:
            return []
        wrong = [
            (self.called(name) if name else _("Table"), tuple(answer["why"]))
            for answers in staged.placed.values()
            for name, answer in answers.items()
            if answer["answer"] == "no"
        ]
        if not wrong:
            return []
        card = CardBox(rim="warn")
        card.add_widget(Text(_("The rules object to:"), "body", "warn", bold=True))
        names = " · ".join(name for name, _rules in wrong)
        card.add_widget(Text(names, "body", "soft"))
        rules = dict.fromkeys(rule for _name, some in wrong for rule in some)
        card.add_widget(self.why(names, tuple(rules)))
        return [card]
