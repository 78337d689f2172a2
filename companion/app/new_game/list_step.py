"""A list for each seat: pasted, read from a file, taken ready-made, or picked line by line."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from kivy.clock import Clock
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.context import AppContext
from companion.app.new_game.draft_rows import draft_rows
from companion.app.new_game.wizard_step import FormStep, NewGameWizard
from companion.app.render.theme import THEME
from companion.app.turn.option_row import OptionRow
from companion.app.widgets.controls import CardBox, Rows, Text, TouchButton, heading
from companion.app.widgets.file_picker import FilePicker
from companion.app.widgets.layouts import TextEntry, choice, clipboard_text, grid, row
from companion.engine.app_words import _
from companion.engine.files.backup_zip import LISTS
from companion.engine.files.draft import Seat
from companion.games.api.army_building import UncertainLine
from companion.games.api.new_game import SeatList, SetupLine
from companion.games.shared.own_files import file_stem
from companion.session.game_lookup import find_screen
from companion.text.translation import translate
from models import CompanionError, atomic_write
from models.field import decode_list, read_bytes

"""Where lists are kept in the app's folder, of whatever game."""

Read = Callable[[str], object]


def paste_list(
    app: AppContext, text: str, hint: str, read: Read, above: Sequence[Widget] = ()
) -> None:
    """Open a sheet with a field for a list, which `read` gets."""
    entry = TextEntry(text, hint, 9)
    entry.name = "list-text"

    def paste() -> None:
        if copied := clipboard_text():
            entry.text = copied
        else:
            app.toast(_("Nothing was copied that could be pasted."))

    def use_it() -> None:
        if entry.text.strip():
            read(entry.text)
        else:
            app.toast(_("The list is empty."))

    use = TouchButton(_("Read the list"), use_it, "primary", name="read-list")
    copied = TouchButton(_("Paste"), paste, name="paste")
    app.open_sheet(_("Paste a list"), [*above, entry, row(copied, use)])


def pick_list(app: AppContext, endings: tuple[str, ...], read: Callable[[Path], object]) -> None:
    """Open a file picker in the folder of lists."""
    folder = app.service.folder / LISTS
    start = folder if os.path.isdir(folder) else Path.home()
    app.open_sheet(_("From a file"), [FilePicker(start, endings, read)])


def read_list(app: AppContext, path: Path, read: Read) -> None:
    """Give the text of a file to `read`; what cannot be read is named in a toast."""
    try:
        read(decode_list(read_bytes(path), path.name))
    except CompanionError as error:
        app.toast(str(error))


def ask_lines(
    app: AppContext, text: str, lines: Sequence[UncertainLine], read: Read, change: Read
) -> None:
    """Open a sheet with every line that was not read, each with the cards that it may mean."""
    found: list[Widget] = []
    for number, line in enumerate(lines):
        found.append(Text(_(str(line)), "body", bold=True))
        presses = [
            TouchButton(_(name), partial(read, line.mended(text, put)), name=f"meant:{number}:{n}")
            for n, (name, put) in enumerate(line.puts)
        ]
        leave = partial(read, line.mended(text, ""))
        presses.append(TouchButton(_("Leave it out"), leave, "quiet", name=f"leave:{number}"))
        found.append(grid(presses, 2))
    again = partial(change, text)
    found.append(TouchButton(_("Change the text"), again, "quiet", name="change-list"))
    app.open_sheet(_("Lines that were not read"), found)


ENDINGS = (".txt", ".toml", ".list", ".json", ".o8d")
MOST_TEXT = 20_000
MOST_SEARCH = 80


class ListStep(FormStep):
    """The list on one side, what may be added on the other; one under the other in portrait."""

    def __init__(self, wizard: NewGameWizard) -> None:
        super().__init__(wizard)
        sides = [one.side for one in self.draft.seats]
        empty = [side for side in sides if not self.texts.get(side)]
        left = self.draft.answers.get(self.left_at)
        self.side = left if left in sides else empty[0] if empty else sides[0]
        entered, self.app.entered_card = self.app.entered_card, ""
        self.entered = next((one for one in self.listed.picks if entered == one.about != ""), None)
        """What may be added since a card was entered: it is shown first."""
        self.group, self.lines = self.entered.group if self.entered else "", 0
        self.clear_widgets()
        self.own_rows, self.pick_rows = Rows(), Rows()
        self.spacing = THEME.gap()
        self.padding = (THEME.gap(), 0)
        self.pick_column = BoxLayout(orientation="vertical", spacing=THEME.gap("small"))
        self.search = TextEntry("", _("Search by name"))
        self.search.name = "search-list"
        self.search.bind(text=lambda _entry, text: self.look_for(text))
        if wizard.record.searches:
            self.pick_column.add_widget(self.search)
        self.pick_column.add_widget(self.pick_rows)
        for one in (self.own_rows, self.pick_column):
            self.add_widget(one)
        self.bind(size=self.arrange)
        self.arrange()

    def arrange(self, *_: Any) -> None:
        """Lay out for landscape or portrait."""
        self.orientation = "vertical" if self.height > self.width else "horizontal"

    @property
    def left_at(self) -> str:
        """The answer that remembers whose list was open when its card was entered."""
        return f"{self.wizard.record.id}-open"

    def enter_card(self, kind: str, card: str) -> None:
        """Enter a card, then come back to the same player."""
        self.answered(self.left_at, self.side)
        self.app.enter_card(self.draft.game, kind, card)

    @property
    def texts(self) -> dict[str, str]:
        """The lists so far, by seat."""
        found = self.draft.answers.get(self.wizard.record.id)
        return dict(found) if isinstance(found, dict) else {}

    @property
    def listed(self) -> SeatList:
        """What the game says about the list of the open seat."""
        lists = self.wizard.record.lists
        return next((one for one in lists if one.seat == self.side), SeatList(self.side))

    @property
    def written(self) -> str:
        """The list of the open seat line by line."""
        return self.listed.text or self.texts.get(self.side, "")

    def build(self) -> None:
        """Fill both columns."""
        self.own_rows.fill(list(self.own()))
        self.pick_rows.fill(list(self.offered()))
        if self.entered is not None:
            name, self.entered = named_pick(self.entered), None
            Clock.schedule_once(partial(self.find_pick, name), 0)

    def find_pick(self, name: str, *_: Any) -> None:
        """Scroll to a line that may be added."""
        found = (one for one in self.pick_rows.walk() if getattr(one, "name", "") == name)
        for one in found:
            self.pick_rows.scroll_to(one, animate=False)

    def own(self) -> Iterator[Widget]:
        """The seats, the open one's list, and what it breaks."""
        listed, text = self.listed, self.texts.get(self.side, "")
        seats = [
            (self.tab(number, seat), seat.side) for number, seat in enumerate(self.draft.seats)
        ]
        yield choice(seats, self.side, self.turn_to, 3)
        yield row(
            TouchButton(_("Paste a list"), self.paste, name="paste-list"),
            TouchButton(_("From a file"), self.files, name="list-file"),
        )
        if text:
            yield row(
                TouchButton(_("Keep as a file"), self.save_file, "quiet", name="write-list"),
                TouchButton(_("Begin this list anew"), self.clear, "quiet", name="clear-list"),
            )
        if self.wizard.record.text:
            yield Text(_(self.wizard.record.text), colour="soft")
        if listed.total:
            yield Text(_(listed.total), "title", "text", bold=True)
        problems = self.problems(self.side)
        yield from problems
        if text and not problems:
            good = CardBox(rim="good")
            good.add_widget(Text(f"✓ {_('The list keeps every rule.')}", "body", "good", bold=True))
            yield good
        if listed.ready and not text:
            yield heading(_("READY LISTS"))
            yield grid(
                [
                    TouchButton(_(name), partial(self.keep, ready), name=f"ready:{number}")
                    for number, (name, ready) in enumerate(listed.ready)
                ],
                2,
            )
        for number, one in enumerate(listed.lines):
            yield self.line(number, one)
        if text and not listed.lines:
            yield Text(text, "body", "soft")

    def tab(self, number: int, seat: Seat) -> str:
        """A player, with a sign once the list is complete."""
        stops = [one for one in self.wizard.record.problems if one.stops and one.seat == seat.side]
        sign = THEME.mark_of(seat.colour or number + 1)
        return f"{sign} {self.draft.called(seat)}{'' if stops else ' ✓'}"

    def line(self, number: int, one: SetupLine) -> Widget:
        """A line of the list, with buttons to remove one copy or all of it."""
        box = BoxLayout(size_hint_y=None, spacing=THEME.gap("small"))
        card = CardBox(pad="small")
        edge = f" · {_(one.edge)}" if one.edge else ""
        card.add_widget(Text(f"{_(one.text)}{edge}", "body", bold=True))
        if one.detail:
            card.add_widget(Text(_(one.detail), "small", "soft"))
        away = TouchButton("✕", partial(self.remove, one), "quiet", name=f"dismiss:{number}")
        fewer = TouchButton("−", partial(self.rewrite, one), "quiet", name=f"fewer:{number}")
        box.add_widget(card)
        for press in (fewer, away) if one.fewer else (away,):
            press.size_hint_x, press.width, press.size_hint_y = None, THEME.target, 1
            box.add_widget(press)
        card.bind(height=lambda _, high: setattr(box, "height", max(high, THEME.target)))
        return box

    def offered(self) -> Iterator[Widget]:
        """What may be added, group by group."""
        listed = self.listed
        groups = list(dict.fromkeys(one.group for one in listed.picks))
        if not groups:
            return
        group = self.group if self.group in groups else groups[0]
        yield heading(_("ADD · TAP ONE"))
        screen = find_screen(self.draft.game)
        forms = screen.card_forms(self.draft.game)
        for form in forms.forms()[:1] if forms is not None else ():
            yield TouchButton(
                f"+ {_(form.title)}",
                partial(self.enter_card, form.kind, ""),
                "quiet",
                name=f"new:{form.kind}",
            )
            folder = self.app.service.folder
            yield from draft_rows(folder, self.draft.game, form.kind, self.enter_card)
        if len(groups) > 1:
            yield choice([(_(one), one) for one in groups], group, self.list_group, 2)
        lines = -(-len(groups) // 2) if len(groups) > 1 else 0
        self.lines = max(self.lines, lines)
        # The rows below stay under the finger when there are fewer groups than before.
        fewer = (self.lines - lines) * (THEME.target + THEME.gap("small"))
        yield Widget(size_hint_y=None, height=fewer)
        for one in (one for one in listed.picks if one.group == group):
            yield self.pick(one)

    def pick(self, one: SetupLine) -> OptionRow:
        """A line that may be added, or the reason why not."""
        detail = _(one.reason or one.detail)
        act = partial(self.add, one)
        if one.reason:
            act = partial(self.app.toast, _(one.reason), one.rule)
        if one.card is not None:
            act = partial(self.enter_card, *one.card)
        return OptionRow(
            _(one.text),
            act,
            detail,
            _(one.edge),
            look="quiet" if one.reason else "plain",
            ready=not one.reason or one.card is not None,
            name=named_pick(one),
        )

    # -- changing ---------------------------------------------------------------------------

    def turn_to(self, side: str) -> None:
        """Switch to another player's list."""
        self.side, self.group, self.lines = side, "", 0
        if self.left_at in self.draft.answers:
            self.answered(self.left_at, side)
        self.search.text = ""
        self.own_rows.scroll_y = self.pick_rows.scroll_y = 1
        self.build()

    def look_for(self, text: str) -> None:
        """Offer what has this text in its name."""
        key = f"{self.wizard.record.id}-search"
        self.pick_rows.scroll_y = 1
        self.answered(key, {self.side: text[:MOST_SEARCH]} if text.strip() else {})

    def list_group(self, group: str) -> None:
        """List another group."""
        self.group = group
        self.build()

    def keep(self, text: str) -> None:
        """Keep the list of the open seat."""
        self.answered(self.wizard.record.id, {**self.texts, self.side: text[:MOST_TEXT]})

    def add(self, one: SetupLine) -> None:
        """Add a line at the end, or in the place of the one that it replaces."""
        text = self.written.rstrip("\n")
        lines = [line.strip() for line in text.splitlines()]
        if one.replaces and one.replaces in lines:  # an empty line is no line to replace
            lines[lines.index(one.replaces)] = one.line
            self.keep("\n".join(lines))
            return
        self.keep(f"{text}\n{one.line}" if text else one.line)

    def remove(self, one: SetupLine) -> None:
        self.rewrite(replace(one, fewer=""))

    def rewrite(self, one: SetupLine) -> None:
        """Write a line with one copy fewer, or remove it if it has none."""
        lines = self.written.splitlines()
        found = next((n for n, line in enumerate(lines) if line.strip() == one.line), None)
        if found is not None:
            lines[found : found + 1] = [one.fewer] if one.fewer else []
        self.keep("\n".join(lines))

    def clear(self) -> None:
        """Begin the list anew."""
        self.keep("")

    # -- pasted lists and files --------------------------------------------------------------

    def paste(self) -> None:
        """A field for a list."""
        copied = clipboard_text()
        text = copied if "\n" in copied.strip() else ""
        paste_list(self.app, text, _("the list"), self.read)

    def read(self, text: str) -> None:
        """Take the text as the list of the open seat."""
        self.app.close_sheet()
        self.keep(text.strip())

    def save_file(self) -> None:
        """Write the list of the open seat to a file that can be opened again or given away."""
        name = file_stem(self.draft.called(self.draft.seat(self.side)) or self.side)
        target = self.app.service.folder / LISTS / f"{self.draft.game}-{name}.txt"
        try:
            atomic_write.make_folder(target.parent)
            atomic_write.write_text(target, self.texts.get(self.side, "") + "\n")
        except CompanionError as error:
            self.app.toast(translate(str(error)))
            return
        self.app.toast(_("Written: {file}", file=target), refused=False)

    def files(self) -> None:
        """Open a file picker."""
        pick_list(self.app, ENDINGS, self.read_file)

    def read_file(self, path: Path) -> None:
        read_list(self.app, path, self.read)

    def missing(self) -> str:
        """The first thing that a list lacks; its player's list is opened."""
        stops = [one for one in self.wizard.record.problems if one.stops]
        if not stops:
            return ""
        if stops[0].seat and stops[0].seat != self.side:
            self.turn_to(stops[0].seat)
        return self.whose(stops[0]) + _(stops[0].text)


def named_pick(one: SetupLine) -> str:
    """The name of the row of a line that may be added."""
    return f"{'enter' if one.card else 'barred' if one.reason else 'add'}:{one.line}"
