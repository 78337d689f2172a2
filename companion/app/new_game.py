"""A new game in three steps: what is played, who plays what, and off it goes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kivy.uix.widget import Widget

from companion import games
from companion.app.kit import Card, Press, Text, choice, field, grid, heading
from companion.app.page import Page
from companion.app.snapshot import Snapshot
from companion.app.theme import SKIN
from companion.app.words import _
from companion.session.play import games_to_play

if TYPE_CHECKING:
    from companion.app.app import CompanionApp

SIZES = (30, 40, 50, 60)
SIDES = ("blue", "red")


class NewGameScreen(Page):
    """What was chosen so far is kept while going back and forth."""

    def __init__(self, app: CompanionApp) -> None:
        super().__init__(_("New game"), self.step_back)
        self.app = app
        self.step = 0
        self.game = games_to_play()[0]
        self.mode = ""
        self.points = 40
        self.lists = dict.fromkeys(SIDES, "")
        self.checked = True
        self._told = app.desk.snapshot.told.number
        self.problem = ""
        self.build()

    def step_back(self) -> None:
        """One step back, or home."""
        if self.step:
            self.step -= 1
            self.build()
        else:
            self.app.back()

    def build(self) -> None:
        """The step that is open."""
        steps = (_("1 What is played"), _("2 Armies"), _("3 Begin"))
        marks = [
            Text(text, "body", "accent" if number == self.step else "faint", bold=True)
            for number, text in enumerate(steps)
        ]
        widgets: list[Widget] = [grid(marks, 3)]
        widgets += (self.what, self.armies, self.begin)[self.step]()
        if self.step < 2:
            widgets.append(Press(_("Next"), self.forward, "primary", name="next"))
        self.fill(widgets)
        self.rows.scroll_y = 1

    def forward(self) -> None:
        """The next step."""
        self.step += 1
        self.problem = ""
        self.build()

    def what(self) -> list[Widget]:
        """Edition, mode, size."""
        modes = games.find(self.game).modes(self.game)
        if self.mode not in [key for key, _ in modes]:
            self.mode = modes[0][0] if modes else ""
        editions = [(name.rpartition("-")[2], name) for name in games_to_play()]
        return [
            self.card(_("Edition"), choice(editions, self.game, lambda v: self.put("game", v))),
            self.card(
                _("Mode"),
                choice(
                    [(_(name), key) for key, name in modes],
                    self.mode,
                    lambda v: self.put("mode", v),
                    2,
                ),
            ),
            self.card(
                _("Size in points"),
                choice([(str(n), n) for n in SIZES], self.points, lambda v: self.put("points", v)),
            ),
        ]

    def armies(self) -> list[Widget]:
        """A list per side, pasted as players have it."""
        found: list[Widget] = [
            Text(
                _(
                    "Paste each army list: a text export (“Faction: …”), ids "
                    "(“stark;10201,20201”), or an army file."
                ),
                colour="soft",
            )
        ]
        for side in SIDES:
            entry = field(self.lists[side], _("army list of {side}", side=_(side)), 5)
            entry.bind(text=lambda _, text, side=side: self.lists.__setitem__(side, text))
            found.append(self.card(f"{SKIN.mark(side)} {_(side)}", entry))
        found.append(
            self.card(
                _("Check the armies against the rules"),
                choice(
                    [(_("yes"), True), (_("no"), False)],
                    self.checked,
                    lambda v: self.put("checked", v),
                ),
            )
        )
        return found

    def begin(self) -> list[Widget]:
        """A last look."""
        names = dict(games.find(self.game).modes(self.game))
        lines = [
            f"{self.game.rpartition('-')[2]} · {_(names.get(self.mode, self.mode))} · "
            f"{self.points} {_('points')}",
            *(
                f"{SKIN.mark(side)} {_(side)}: "
                + (self.lists[side].strip().splitlines() or [_("no list yet")])[0][:60]
                for side in SIDES
            ),
        ]
        card = Card()
        for line in lines:
            card.add_widget(Text(line, "large"))
        found: list[Widget] = [card]
        if self.problem:
            wrong = Card(rim="bad")
            wrong.add_widget(Text(self.problem, colour="bad"))
            found.append(wrong)
        found.append(Press(_("Begin the game"), self.start, "primary", name="begin", size="large"))
        return found

    def card(self, title: str, control: Widget) -> Card:
        """A titled choice."""
        card = Card()
        card.add_widget(heading(title))
        card.add_widget(control)
        return card

    def put(self, name: str, value: Any) -> None:
        """Choose."""
        setattr(self, name, value)
        self.build()

    def start(self) -> None:
        """Set the game up; what is wrong comes back as a sentence."""
        armies = [{"side": side, "list": text} for side, text in self.lists.items()]
        self.app.desk.begin(
            {
                "do": "set-up",
                "game": self.game,
                "mode": self.mode,
                "points": self.points,
                "armies": armies,
                "unchecked": not self.checked,
                "readings": list(self.app.desk.preferences.readings),
            }
        )

    def show(self, snapshot: Snapshot) -> None:
        """Begun, or refused."""
        if snapshot.playing and snapshot.path != self.app.left:
            self.app.go("table")
        elif snapshot.told.number != self._told:
            self._told = snapshot.told.number
            self.problem = f"{snapshot.told.text} ({snapshot.told.why})"
            self.build()
