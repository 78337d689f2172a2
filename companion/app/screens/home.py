"""The first screen: go on playing, new game, practice, past games, set-up."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from kivy.core.text import Label as CoreLabel
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.camera_setup.setup_step import step_title
from companion.app.context import AppContext
from companion.app.render.home_pictures import HeroPicture, MiniTable
from companion.app.render.theme import FONTS, THEME, middle
from companion.app.screens.settings_sections import broken_games
from companion.app.widgets.controls import LOOKS, CardBox, Rows, Text, TouchButton, heading
from companion.app.widgets.icon import IconView, SeatSign
from companion.app.widgets.layouts import grid
from companion.engine.app_words import _
from companion.engine.files.draft import Draft, drafted_games
from companion.engine.files.game_library import SavedGame
from companion.engine.snapshot import CameraView, Snapshot
from companion.session.game_lookup import every_screen, game_title
from companion.text.translation import translate
from models import CompanionError
from models.message import say

WELCOME = Path(__file__).parents[1] / "data" / "welcome.jpg"
"""The practice table as the app shows it."""
ICON_DP = 30
TILE_ICON_DP = 40
MOST_TILES, TILE_DP = 4, 180
SPACES = {
    "open": ("flag", say("trays")),
    "square": ("grid", say("squares")),
    "hex": ("hex", say("hexes")),
    "none": ("cards", say("cards")),
}
"""Icon and word of what a game is played on."""
PICTURE_DP = 64
FEW = 2
"""With fewer past games than this the screen also shows the first steps."""
LARGE = 1.3
"""Larger text than this needs a whole line for every button."""
SMALL_DP = 700
"""A narrower screen shows its buttons one under the other."""


class IconRow(TouchButton):
    """A button with an icon at its left."""

    def __init__(self, icon: str, text: str, act: Any, look: str = "plain", **more: Any) -> None:
        super().__init__(text, act, look, align="left", **more)
        self.icon = IconView(icon, ICON_DP, LOOKS[look][1])
        self.add_widget(self.icon)
        self.padding = (dp(ICON_DP + 30), THEME.gap("small"), THEME.gap(), THEME.gap("small"))

    def _place(self, *args: Any) -> None:
        super()._place(*args)
        if hasattr(self, "icon"):
            self.icon.pos = (self.x + dp(16), middle(self)[1] - self.icon.height / 2)


class Tile(TouchButton):
    """A large button: an icon, a title and a line."""

    def __init__(self, icon: str, text: str, act: Any, look: str, under: str, name: str) -> None:
        super().__init__(text, act, look, under, size="large", align="left", name=name)
        self.label.font_name, self.label.bold = FONTS["title"], True
        self.icon = IconView(icon, TILE_ICON_DP, LOOKS[look][1])
        self.add_widget(self.icon)
        gap = THEME.gap("wide")
        self.padding = (gap, dp(TILE_ICON_DP) + 2 * gap, gap, gap)

    def _place(self, *args: Any) -> None:
        super()._place(*args)
        if hasattr(self, "icon"):
            gap = THEME.gap("wide")
            self.icon.pos = (self.x + gap, self.y + self.height - gap - self.icon.height)


def places(saved: SavedGame) -> list[int]:
    """The numbers of the players' colours and shapes, from 0, as in the game itself."""
    if saved.colours:
        return [one - 1 for one in saved.colours]
    return [THEME.place(side) for side, _points in saved.score]


class PastRow(TouchButton):
    """A saved game: the signs of its players at the right."""

    def __init__(self, saved: SavedGame, text: str, under: str, act: Any) -> None:
        super().__init__(
            text, act, "quiet", under, align="left", size="large", name=f"game:{saved.path.stem}"
        )
        self.signs = [SeatSign(place, 28) for place in places(saved)[:6]]
        self.picture = MiniTable(saved.table, PICTURE_DP) if saved.table is not None else None
        for one in (*self.signs, *([self.picture] if self.picture is not None else [])):
            self.add_widget(one)
        right = THEME.gap() + len(self.signs) * dp(34)
        left = THEME.gap() if self.picture is None else dp(PICTURE_DP) + 2 * THEME.gap()
        self.padding = (left, THEME.gap("small"), right, THEME.gap("small"))

    def _place(self, *args: Any) -> None:
        super()._place(*args)
        for number, one in enumerate(reversed(getattr(self, "signs", ()))):
            right = self.x + self.width - dp(40)
            one.pos = (right - number * dp(34), middle(self)[1] - one.height / 2)
        picture = getattr(self, "picture", None)
        if picture is not None:
            left = self.x + THEME.gap() + (dp(PICTURE_DP) - picture.width) / 2
            picture.pos = (left, middle(self)[1] - picture.height / 2)


class HomeScreen(BoxLayout):
    """The table as a picture, and beside it what can be done; one above the other in portrait."""

    def __init__(self, app: AppContext) -> None:
        super().__init__()
        self.app = app
        self.games: Sequence[SavedGame] = ()
        self.problem = ""
        """Why the saved games cannot be listed."""
        try:
            self.games = app.service.saved()
        except CompanionError as error:
            self.problem = translate(str(error))
        self.alone = False
        """Whether the app plays the other side of what is begun here."""
        self.hero = HeroPicture(
            WELCOME, _("Table Companion"), _("Sees the table, knows the rules, keeps the score.")
        )
        self.rows = Rows()
        self.foot = BoxLayout(size_hint_y=None, spacing=THEME.gap("small"))
        self.bind(size=self.arrange)
        self.arrange()

    def arrange(self, *_: Any) -> None:
        """Lay out for landscape or portrait."""
        tall = self.height > self.width
        self.orientation = "vertical" if tall else "horizontal"
        self.clear_widgets()
        self.hero.size_hint = (1, 0.36) if tall else (0.43, 1)
        self.add_widget(self.hero)
        column = BoxLayout(
            orientation="vertical",
            size_hint=(1, 0.64) if tall else (0.57, 1),
            padding=THEME.gap("wide"),
            spacing=THEME.gap("small"),
        )
        for one in (self.rows, self.foot):
            if one.parent is not None:
                one.parent.remove_widget(one)
        self.fill_foot()
        # Pinned at the foot, unless large letters leave no room for anything else.
        pinned = THEME.text <= LARGE or tall
        column.add_widget(self.rows)
        self.rows.fill([*self.doors(), *([] if pinned else [self.foot])])
        if pinned:
            column.add_widget(self.foot)
        self.add_widget(column)

    def doors(self) -> list[Widget]:
        """Everything above the lowest row."""
        last = next((one for one in self.games if not one.winner and not one.broken), None)
        found: list[Widget] = []
        if last is not None:
            found.append(self.resume_card(last))
        table = self.app.service.controller.practice_file
        usual = Draft.fresh().game
        named = next((game_title(one, usual) for one in every_screen() if usual in one.games), "")
        quick = f"{named}: {_('no camera, no tags: your first attack in 4 taps')}"
        practice = IconRow(
            "eye",
            _("Practice table"),
            self.practise,
            "plain" if last is not None else "primary",
            under=_("on the table {file}", file=table.name) if table is not None else quick,
            size="large",
            name="practice",
        )
        share = 1.0 if self.height > self.width else 0.57
        roomy = self.width * share >= dp(MOST_TILES * TILE_DP * THEME.text)
        games = [heading(_("NEW GAME")), grid(self.tiles(), MOST_TILES if roomy else 2)]
        found += [*games, practice] if last is not None else [practice, *games]
        found.append(self.alone_row())
        if practised := self.practice_games():
            narrow = self.width < dp(SMALL_DP) or THEME.text > LARGE
            found.append(grid(practised, 1 if narrow else 2))
        found += broken_games()
        if self.problem:
            found.append(Text(self.problem, "small", "warn"))
        if not self.games:
            return [*found, *self.first_steps()]
        rest = [saved for saved in self.games if saved is not last]
        if rest:
            found.append(heading(_("PAST GAMES")))
        found += [self.game(saved) for saved in rest]
        if len(rest) < FEW:
            found += self.first_steps()
        return found

    def alone_row(self) -> Widget:
        """Whether somebody plays alone: one tap, and the app takes the other side."""
        text = _("I play alone") if self.alone else _("Alone? Play the app")
        under = _("for the next game the app plays the other side; tap to change")
        if not self.alone:
            under = _("for the next game, practice or your own")
        look = "ink" if self.alone else "plain"
        return IconRow("rival", text, self.turn_alone, look, under=under, name="alone")

    def turn_alone(self) -> None:
        """Play alone, or not."""
        self.alone = not self.alone
        self.arrange()

    def practise(self, game: str = "") -> None:
        """Begin a practice game, against the app if the player is alone."""
        self.app.start_practice(game, self.alone)

    def practice_games(self) -> list[Widget]:
        """A button for every other game that has a practice game."""
        found: list[Widget] = []
        usual = Draft.fresh().game
        for screen in every_screen():
            for game in screen.games:
                if game != usual and screen.practice(game):
                    text = _("Practise {game}", game=game_title(screen, game))
                    act = partial(self.practise, game)
                    found.append(IconRow("eye", text, act, "quiet", name=f"practice:{game}"))
        return found

    def tiles(self) -> list[Widget]:
        """One button for each game; the one with armies first."""
        tiles: list[tuple[bool, Widget]] = []
        usual = Draft.fresh().game
        for screen in every_screen():
            known = [game for game in screen.games if game in drafted_games()]
            if not known:
                continue
            game = max(known)
            title = game_title(screen, game).partition(",")[0].partition(":")[0]
            seats = screen.seat_range(game)
            many = seats.least if seats.least == seats.most else f"{seats.least}–{seats.most}"
            kind = screen.space(game).kind
            tile = Tile(
                SPACES[kind][0],
                title,
                partial(self.begin, screen.games, game),
                "plain",
                f"{_(SPACES[kind][1])} · {many}",
                "new" if game == usual else f"new:{game}",
            )
            tiles.append((game != usual, tile))
        return [tile for _other, tile in sorted(tiles, key=lambda one: one[0])]

    def begin(self, editions: tuple[str, ...], game: str) -> None:
        """Open the new-game wizard; a draft of another game is put aside for a fresh one."""
        drafting = self.app.service.drafting
        if drafting.draft.game not in editions:
            drafting.plan(Draft.fresh(game))
        if self.alone:
            drafting.plan(drafting.draft.alone())
        self.app.go("new")

    def resume_card(self, saved: SavedGame) -> Widget:
        """The game that was not finished, with its score and the primary button."""
        card = CardBox(rim="line")
        head = BoxLayout(size_hint_y=None, height=max(dp(54), THEME.size("title") * 1.5))
        head.spacing = THEME.gap("small")
        names = self.names(saved)
        named = len(saved.score) == 2 and self.names_fit(names)
        colours = places(saved)
        for number, (_side, points) in enumerate(saved.score[:6]):
            sign = SeatSign(colours[number], 40)
            sign.pos_hint = {"center_y": 0.5}
            parts: list[Widget] = [sign, self.label(str(points), FONTS["text"])]
            if named:
                parts.insert(1, self.label(names[number], FONTS["title"]))
            if number == 1 and len(saved.score) == 2:
                head.add_widget(self.label(":", FONTS["text"]))
                parts.reverse()
            for one in parts:
                head.add_widget(one)
        head.add_widget(Widget())
        if saved.table is not None:
            head.add_widget(MiniTable(saved.table, 52))
        if saved.score:
            card.add_widget(head)
        when = time.strftime("%H:%M", time.localtime(saved.changed_s))
        title = f"{saved.title} · {_('Set-up')}"
        if saved.round:
            title = _("{title} · round {round}", title=saved.title, round=saved.round)
        card.add_widget(Text(f"{title} · {when}", "body", "soft"))
        card.add_widget(
            IconRow(
                "play",
                _("Go on playing"),
                lambda: self.app.resume(saved),
                "primary",
                size="large",
                name="resume",
            )
        )
        phones = partial(self.with_phones, partial(self.app.resume, saved))
        card.add_widget(IconRow("people", _("Go on with phones"), phones, "quiet", name="phones"))
        more = _("Report, replay, export, delete")
        page = partial(self.app.past, saved)
        card.add_widget(TouchButton(more, page, "quiet", name=f"game:{saved.path.stem}"))
        return card

    def with_phones(self, begin: Callable[[], Any]) -> None:
        """Open a game, and show how phones join it."""
        begin()
        self.app.go("phones")

    @staticmethod
    def names(saved: SavedGame) -> list[str]:
        """The players' names in the order of the score; without them the sides'."""
        if len(saved.players) == len(saved.score):
            return [title_case(name) for name in saved.players]
        return [title_case(_(side)) for side, _points in saved.score]

    def names_fit(self, names: list[str]) -> bool:
        """Whether the players' names have room beside their points."""
        room = self.width * (1.0 if self.height > self.width else 0.57) - dp(300)
        words = (self.label(name, FONTS["title"]).width for name in names)
        return sum(words) < room

    @staticmethod
    def label(text: str, font: str) -> Text:
        """A word as wide as it is."""
        word = Text(text, "title", bold=True, grow=False, size_hint_x=None)
        word.font_name = font

        # The word itself is already smaller where its first width cannot hold it.
        free = CoreLabel(text=text, font_size=THEME.size("title"), font_name=font, bold=True)
        word.width = free.get_extents(text)[0] + dp(10)
        return word

    def first_steps(self) -> list[Widget]:
        """The way to one's own table, each step a button."""
        app = self.app
        profile = app.camera_profile
        set_up = _("Lens, table and trays: about twenty minutes, once.")
        if profile is not None and profile.sees:
            onward = profile.next_step
            set_up = _("Go on: {step}", step=step_title(onward)) if onward else _("Ready.")
        steps = [
            (
                "print",
                _("Print your tags"),
                partial(app.go, "print"),
                _("A sheet of paper, a stand for each tray, marks at the table’s edge."),
                "step-print",
            ),
            (
                "camera",
                _("Set up the camera"),
                partial(app.go, "camera"),
                set_up,
                "step-camera",
            ),
            (
                "people",
                _("Try it with phones"),
                partial(self.with_phones, app.start_practice),
                _("The practice game, with a seat on each phone."),
                "step-phones",
            ),
        ]
        rows: list[Widget] = [
            IconRow(icon, text, act, "quiet", under=under, name=name)
            for icon, text, act, under, name in steps
        ]
        return [heading(_("YOUR OWN TABLE")), *rows]

    def fill_foot(self) -> None:
        """The lowest row: camera, tags, settings."""
        app = self.app
        small = [
            ("camera", _("Camera"), "camera", "camera-setup"),
            ("print", _("Print tags"), "print", "print"),
            ("cards", _("Own cards"), "own", "own-content"),
            ("gear", _("Settings"), "settings", "settings"),
        ]
        self.foot.clear_widgets()
        buttons: list[Widget] = [
            IconRow(icon, text, partial(app.go, place), "quiet", name=name)
            for icon, text, place, name in small
        ]
        narrow = self.width < dp(SMALL_DP) or THEME.text > LARGE
        column = grid(buttons, 1 if narrow else 2)
        self.foot.add_widget(column)
        self.foot.height = column.height
        column.bind(height=self.foot.setter("height"))

    def game(self, saved: SavedGame) -> TouchButton:
        when = time.strftime(_("%Y-%m-%d, %H:%M"), time.localtime(saved.changed_s))
        score = " : ".join(str(points) for _side, points in saved.score)
        end = _("won by {side}", side=saved.won_by()) if saved.winner else _("not finished")
        if saved.winner == "draw":
            end = _("A draw")
        players = " – ".join(title_case(name) for name in saved.players)
        end = saved.broken or end
        title = f"{saved.title} · {_('practice')}" if saved.practice else saved.title
        under = " · ".join(part for part in (title, when, end) if part)
        first = f"{players}   {score}".strip() or title
        return PastRow(saved, first, under, lambda: self.app.past(saved))

    def show(self, snapshot: Snapshot) -> None:
        """Does nothing: this screen does not depend on the snapshot."""

    def look(self, live: CameraView) -> None:
        """Does nothing: this screen shows no camera."""


def title_case(name: str) -> str:
    """A name with a large first letter; players who gave none are called by their colour."""
    return name[:1].upper() + name[1:]
