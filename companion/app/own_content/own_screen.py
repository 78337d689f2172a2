"""The players' own cards and boards: a list by game, a form for a card, an editor for a board."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from functools import partial
from pathlib import Path
from typing import Any

from kivy.uix.widget import Widget

from companion import games
from companion.app.context import AppContext
from companion.app.own_content.board_pane import BoardPane
from companion.app.own_content.card_panel import CardPanel, FormBeside
from companion.app.own_content.editors import FormEditor, upper_edge
from companion.app.own_content.form_cells import Values
from companion.app.own_content.photo_entry import PhotoEntry
from companion.app.render.theme import bare
from companion.app.widgets.controls import CardBox, Text, TouchButton, heading
from companion.app.widgets.file_picker import FileCard, FilePicker
from companion.app.widgets.layouts import TextEntry, choice, row
from companion.app.widgets.page import ScreenPage
from companion.engine.app_words import APP_LANGUAGE, _
from companion.engine.files.backup_zip import SHARED
from companion.engine.files.card_drafts import (
    CardDraft,
    draft_line,
    draft_of,
    drafts_of,
    drop_draft,
    drop_drafts,
    keep_draft,
)
from companion.games.api.board_editor import BoardEditor, BoardPlan
from companion.games.api.card_form import CardForm, CardForms, FormCard, FormProblem
from companion.games.api.card_summary import card_lines
from companion.games.api.game_screen import GameScreen
from companion.games.shared.own_files import file_stem
from companion.session.game_lookup import every_screen, game_title
from companion.text.translation import catalogue
from models import CompanionError, atomic_write
from models.board import Board
from models.field import decode, read_bytes
from models.message import file_problem

ENDINGS = (".toml",)
MOST_NAMES = 8
"""So many names are shown of what was imported."""
"""The folder of what is to be given to other players, beside the games."""
MOST_LISTED = 60
"""More cards of a kind than these are searched by name."""
BOARD_SHARE = 0.56
"""The height of a board being edited, as a share of the screen's."""


class OwnContentScreen(ScreenPage):
    """One page that shows the list, a form or a board."""

    def __init__(self, app: AppContext) -> None:
        super().__init__(_("Cards and boards"), self.step_back)
        self.app = app
        self.known = [
            (name, screen)
            for screen in every_screen()
            for name in screen.games
            if screen.card_forms(name) or screen.board_editor(name)
        ]
        self.game = self.known[0][0] if self.known else ""
        self.screen: GameScreen | None = self.known[0][1] if self.known else None
        self.kind = ""
        self.values: Values = {}
        self.wanted = ""
        self.plan_id = ""
        self.kept_name = ""
        self.pane: BoardPane | None = None
        self.leaving: Callable[[], Any] | None = None
        """What leads back to the list; nothing while it is shown."""
        self.left_at: tuple[str, float] = ("", 0.0)
        """The first row that was in sight when the list was left, and its height."""
        self.draft = ""
        """The name of the draft that is open in the form."""
        self.before: Values = {}
        """The values when the form was opened: who only looks changes nothing."""
        self.so_far: Callable[[], Any] = lambda: None
        """Shows what the open card holds."""
        self.alone = False
        """Whether one card is entered for another screen, which is shown again afterwards."""
        wanted, app.wanted_card = app.wanted_card, None
        if wanted is None or not self.open_wanted(*wanted):
            self.show_list()

    def open_wanted(self, game: str, kind: str, card: str) -> bool:
        """Show the form of one card; whether it exists."""
        self.game, self.screen = next((one for one in self.known if one[0] == game), ("", None))
        if kind == "board" and self.editor is not None:
            self.alone = True
            plans = self.attempt(self.editor.board_plans) or ()
            known = next((one for one in plans if card and one.id == card), None)
            self.open_board(known or BoardPlan(card, _("New board")))
            return True
        forms = self.forms.forms() if self.forms is not None else ()
        form = next((one for one in forms if one.kind == kind), None)
        if form is None:
            return False
        self.alone = True
        known_drafts = self.attempt(lambda: drafts_of(self.app.service.folder, game)) or ()
        drafts = {one.id: one for one in known_drafts}
        if card in drafts:
            self.open_form(form, drafts[card].values, card)
        elif card:
            self.open_card(form, card)
        else:
            self.open_form(form, {})
        return True

    @property
    def forms(self) -> CardForms | None:
        """The forms of the chosen game."""
        return self.screen.card_forms(self.game) if self.screen is not None else None

    @property
    def editor(self) -> BoardEditor | None:
        """What edits boards of the chosen game."""
        return self.screen.board_editor(self.game) if self.screen is not None else None

    # -- words --------------------------------------------------------------------------------

    def translate(self, text: str) -> str:
        """A text of the chosen game in the language of the app."""
        package = games.package_of(self.screen)
        return catalogue(APP_LANGUAGE.language, game=package).translate(text)

    def attempt(self, work: Callable[[], Any]) -> Any:
        """Do something with files; what is wrong with them is said."""
        try:
            return work()
        except CompanionError as error:
            self.app.toast(self.translate(str(error)))
        except OSError as error:
            self.app.toast(str(file_problem(error)))
        return None

    def leave(self) -> None:
        """Keep an open card when the app shows another screen."""
        if self.leaving == self.close_form and self.touched and not self.keep_form():
            self.keep_draft()

    def step_back(self) -> None:
        """Back to the list, or to the screen before."""
        if self.leaving is None:
            self.app.back()
        else:
            self.leaving()

    # -- the list -----------------------------------------------------------------------------

    def show_list(self) -> None:
        """Every kind of card and the boards of the chosen game."""
        self.leaving, (row_name, top) = None, self.left_at
        self.beside(None)
        self.left_at = ("", 0.0)
        self.title.text = _("Cards and boards")
        if self.screen is None:
            self.fill([Text(_("No game has cards of the players' own."), colour="soft")])
            return
        widgets: list[Widget] = []
        if len(self.known) > 1:
            titles = [(game_title(screen, name), name) for name, screen in self.known]
            widgets.append(choice(titles, self.game, self.turn_to, 3))
        widgets.append(
            row(
                TouchButton(_("Import a file"), self.files, name="own-import"),
            )
        )
        found = self.attempt(self.listed)
        self.fill([*widgets, *(found or ())])
        if row_name:
            self.rows.hold(lambda: dict(self.named_rows()).get(row_name), top)

    def named_rows(self) -> Iterator[tuple[str, Widget]]:
        """The rows of the list by their names, from the top."""
        rows = (one for one in self.rows.walk() if isinstance(one, TouchButton))
        return ((one.name, one) for one in rows)

    def leave_list(self) -> None:
        """Remember where the list is: it is there again after what is opened now."""
        if self.leaving is None:
            seen = (pair for pair in self.named_rows() if self.rows.sees(pair[1]))
            name, widget = next(seen, ("", None))
            self.left_at = name, upper_edge(widget) if widget is not None else 0.0

    def turn_to(self, game: str) -> None:
        """Show another game."""
        self.game, self.screen = next(one for one in self.known if one[0] == game)
        self.wanted = ""
        self.show_list()

    def listed(self) -> Sequence[Widget]:
        """The cards of each kind, and the boards."""
        found: list[Widget] = []
        if (forms := self.forms) is not None:
            cards = {one.kind: forms.form_cards(one.kind) for one in forms.forms()}
            drafts = self.attempt(lambda: drafts_of(self.app.service.folder, self.game)) or ()
            if any(len(one) > MOST_LISTED for one in cards.values()):
                found.append(self.search())
            for form in forms.forms():
                found.append(heading(self.translate(form.title).upper()))
                found.append(
                    TouchButton(
                        f"+ {self.translate(form.title)}",
                        partial(self.open_form, form, {}),
                        "plain" if any(is_primary(one) for one in found) else "primary",
                        name=f"new:{form.kind}",
                    )
                )
                found += [self.draft_row(form, one) for one in drafts if one.kind == form.kind]
                begun = {one.card for one in drafts if one.kind == form.kind}
                whole = [one for one in cards[form.kind] if one.id not in begun]
                found += [self.card(form, one) for one in self.named(whole)]
        if self.editor is not None:
            found.append(heading(_("BOARDS")))
            new = BoardPlan("", _("New board"))
            found.append(
                TouchButton(f"+ {new.name}", partial(self.open_board, new), name="new:board")
            )
            found += [self.plan(one) for one in self.editor.board_plans()]
        return found

    def named(self, cards: Sequence[FormCard]) -> Sequence[FormCard]:
        """All cards; of very many those that are searched for, and the players' own."""
        if len(cards) <= MOST_LISTED:
            return cards
        wanted = self.wanted.casefold().split()
        found = [
            one
            for one in cards
            if (wanted and all(part in one.name.casefold() for part in wanted))
            or (not wanted and one.own)
        ]
        return found[:MOST_LISTED]

    def search(self) -> Widget:
        """A field for the name of a card, for games with very many."""
        entry = TextEntry(self.wanted, _("Search by name"))
        entry.name = "own-search-text"

        def look() -> None:
            self.wanted = entry.text.strip()
            self.show_list()

        return row(entry, TouchButton(_("Search"), look, name="own-search"))

    def card(self, form: CardForm, one: FormCard) -> Widget:
        """The row of a card, with what is missing."""
        missing = [self.translate(text) for text in one.missing]
        under = _("missing: {values}", values=", ".join(missing)) if missing else one.detail
        told = (self.translate(one.group), self.translate(under), _("your own") if one.own else "")
        parts = dict.fromkeys(told)
        values = partial(self.open_card, form, one.id)
        return TouchButton(
            self.translate(one.name),
            values,
            "plain" if one.own else "quiet",
            " · ".join(part for part in parts if part),
            align="left",
            name=f"{form.kind}:{one.id}",
        )

    def draft_row(self, form: CardForm, one: CardDraft) -> Widget:
        """The row of a card that lacks something, or has a wrong value."""
        assert self.forms is not None
        return TouchButton(
            str(one.values.get("name") or "") or _("without a name"),
            partial(self.open_form, form, one.values, one.id),
            "plain",
            draft_line(self.forms, one, self.translate),
            align="left",
            name=f"draft:{one.id}",
        )

    def plan(self, one: BoardPlan) -> Widget:
        """The row of a board."""
        under = " · ".join(
            part for part in (self.translate(one.detail), _("your own") if one.own else "") if part
        )
        return TouchButton(
            self.translate(one.name),
            partial(self.open_board, one),
            "plain" if one.own else "quiet",
            under,
            align="left",
            name=f"board:{one.id}",
        )

    def files(self) -> None:
        """Choose a file to import."""
        self.app.open_sheet(
            _("Import a file"), [FilePicker(self.app.service.folder, ENDINGS, self.take)]
        )

    def take(self, path: Path) -> None:
        """Keep what a file holds."""
        self.app.close_sheet()

        def work() -> None:
            text = decode(read_bytes(path), path.name)
            if self.forms is not None:
                imported = self.forms.import_forms(text, path.name)
                message = _("Kept: {names}", names=self.joined(imported.names))
                if imported.replaced:
                    replaced = _("Replaces: {names}", names=self.joined(imported.replaced))
                    message = f"{message} · {replaced}"
                self.app.toast(message, refused=False)

        self.attempt(work)
        self.show_list()

    def joined(self, names: Sequence[str]) -> str:
        """Names of cards in one line."""
        shown = [self.translate(name) for name in names[:MOST_NAMES]]
        more = len(names) - len(shown)
        return ", ".join([*shown, *([f"+ {more}"] if more > 0 else [])])

    def share(self, stem: str, text: Callable[[], str]) -> None:
        """Write a file that can be given to others."""

        def work() -> None:
            target = self.app.service.folder / SHARED / f"{file_stem(stem)}.toml"
            atomic_write.make_folder(target.parent)
            atomic_write.write_text(target, text())
            self.app.open_sheet(_("Share"), [FileCard((target,), self.app.toast)])

        self.attempt(work)

    # -- a card -------------------------------------------------------------------------------

    def open_card(self, form: CardForm, card: str) -> None:
        """Show a card as it was left, also half changed."""
        forms = self.forms
        assert forms is not None
        folder = self.app.service.folder
        begun = self.attempt(lambda: draft_of(folder, self.game, form.kind, card))
        if begun is not None:
            self.open_form(form, begun.values, begun.id)
            return
        values = self.attempt(lambda: dict(forms.form_values(form.kind, card)))
        if values is not None:
            self.open_form(form, values)

    def open_form(self, form: CardForm, values: Values, draft: str = "") -> None:
        """Show a form; it is kept whenever nothing is wrong with it, else as a draft."""
        self.kind, self.values, self.draft = form.kind, values, draft
        self.leave_list()
        self.leaving = self.close_form
        known = [values["name"]] if values.get("id") and values.get("name") else []
        self.title.text = " · ".join(map(self.translate, (form.title, *known)))
        self.note = Text(self.empty_words(), "small", "soft")
        photo = partial(PhotoEntry, self.app)
        editor = FormEditor(
            form.fields, values, self.translate, self.form_changed, self.problems, photo
        )
        self.before = {} if draft else deepcopy(values)
        card = values.get("id")
        own = {one.id for one in self.forms.form_cards(form.kind) if one.own} if self.forms else ()
        buttons = [TouchButton(_("Done"), self.close_form, "primary", name="form-done")]
        if card:
            share = partial(self.share, str(card), partial(self.exported, str(card)))
            buttons.append(TouchButton(_("Share"), share, name="form-share"))
        if card in own or draft:
            delete = partial(self.ask_delete, form, str(card or ""), str(values.get("name") or ""))
            buttons.append(TouchButton(_("Delete"), delete, "quiet", name="form-delete"))
        panel = CardPanel(self.note, buttons)
        self.so_far = lambda: panel.show(card_lines(form, values, self.translate))
        self.so_far()
        self.fill([editor])
        self.beside(panel)
        self.rows.scroll_y = 1

    def beside(self, panel: CardPanel | None) -> None:
        """Show a panel beside the column, or the column alone."""
        rows = self.rows
        if rows.parent is not None:
            rows.parent.remove_widget(rows)
        self.middle.clear_widgets()
        rows.size_hint = (None, 1)
        self.middle.add_widget(rows if panel is None else FormBeside(rows, panel))
        self._place()

    def empty_words(self) -> str:
        """What becomes of empty values."""
        if any(one.empty for one in self.problems()):
            return _("“needed” is to be entered; other empty values are asked for in the game.")
        return _("Empty values are asked for when they are needed.")

    def problems(self) -> Sequence[FormProblem]:
        """What is wrong with the values, or still to be asked."""
        assert self.forms is not None
        return self.forms.form_problems(self.kind, self.values)

    def exported(self, card: str) -> str:
        """A card as the text of a file."""
        assert self.forms is not None
        return self.forms.export_forms(self.kind, [card])

    def form_changed(self, typed: bool) -> None:
        """Keep the change; the id of a new card comes from its whole name."""
        self.so_far()
        if (not typed or self.values.get("id")) and self.touched and not self.keep_form():
            self.keep_draft()

    def keep_form(self) -> bool:
        """Keep the card, if nothing stops it; whether it was kept."""
        assert self.forms is not None
        stops = [one for one in self.problems() if one.stops]
        if stops:
            marked = _("A draft: what is marked is not right yet.")
            self.note.set_text(f"✕ {marked if stops[0].field else self.told(stops[0])}")
            return False
        forms = self.forms
        name = self.attempt(lambda: forms.save_form(self.kind, self.values))
        if name is None:
            return False
        self.values["id"] = name
        kept = CardDraft(self.game, self.kind, self.values, self.draft)
        self.attempt(lambda: drop_drafts(self.app.service.folder, kept))
        self.draft = ""
        self.note.set_text("✓ " + _("Kept on this device."))
        return True

    def told(self, problem: FormProblem) -> str:
        """What is wrong, in the players' language."""
        return self.translate(problem.text)

    @property
    def touched(self) -> bool:
        """Whether anything was entered."""
        entered = any(value for key, value in self.values.items() if key != "id")
        return entered and self.values != self.before

    def close_form(self) -> None:
        """Keep the card and go back to the list; one that lacks something is kept as a draft."""
        if self.touched and not self.keep_form():
            if not self.keep_draft():
                return  # nothing could be written: the form stays open, and says why
            stops = next((one for one in self.problems() if one.stops), None)
            why = self.told(stops) if stops is not None else bare(self.note.text).removeprefix("✕ ")
            self.app.toast(_("Kept as a draft: {why}", why=why), refused=False)
        self.close_card()

    def keep_draft(self) -> bool:
        """Keep what was entered so far; whether that could be written."""
        folder = self.app.service.folder
        draft = CardDraft(self.game, self.kind, self.values, self.draft)
        kept = self.attempt(lambda: keep_draft(folder, draft))
        self.draft = kept.id if kept is not None else self.draft
        return kept is not None

    def close_card(self) -> None:
        """Back to the list, or to the screen that asked for this card."""
        if self.alone:
            self.app.entered_card = self.plan_id or str(self.values.get("id") or "")
            self.app.service.redraw()  # a running game may show it
            self.app.back()
        else:
            self.show_list()

    def ask_delete(self, form: CardForm, card: str, name: str) -> None:
        """Ask before a card is deleted for good."""

        def sure() -> None:
            self.app.close_sheet()
            self.delete_form(card)

        self.app.open_sheet(
            _("Delete “{name}” for good?", name=self.translate(name) or self.translate(form.title)),
            [
                TouchButton(_("Delete"), sure, name="delete-sure"),
                TouchButton(_("Keep it"), self.app.close_sheet, "primary", name="delete-not"),
            ],
        )

    def delete_form(self, card: str) -> None:
        """Delete a card of the players' own or a draft; a shipped one is as printed again."""
        forms = self.forms
        assert forms is not None
        if self.draft:
            self.attempt(lambda: drop_draft(self.app.service.folder, self.draft))
        elif card:
            self.attempt(lambda: forms.remove_form(self.kind, card))
        self.close_card()

    # -- a board ------------------------------------------------------------------------------

    def open_board(self, plan: BoardPlan) -> None:
        """Show a board to edit."""
        editor = self.editor
        assert editor is not None
        board = self.attempt(lambda: editor.plan_board(plan.id))
        if board is None:
            return
        self.leave_list()
        self.leaving = self.close_board
        self.title.text = self.translate(plan.name)
        self.plan_id = plan.id
        self.note = Text(_("Choose what to put down, then tap the board."), "small", "soft")
        self.board_name = TextEntry(self.translate(plan.name), _("Name"))
        self.board_name.name = "board-name"
        self.kept_name = self.board_name.text.strip()
        pane = BoardPane(
            self.game,
            board,
            editor.board_tools(plan.id),
            self.translate,
            self.keep_board,
            lambda text: self.app.toast(self.translate(text)),
        )
        pane.size_hint_y = None
        pane.height = self.app.root_layer.height * BOARD_SHARE
        self.pane = pane
        buttons = [
            TouchButton(_("Done"), self.close_board, "primary", name="board-done"),
            TouchButton(_("Undo"), pane.undo, name="board-undo"),
            TouchButton(_("Share"), self.share_board, name="board-share"),
            TouchButton(_("Delete"), self.ask_delete_board, "quiet", name="board-delete"),
        ]
        card = CardBox()
        card.add_widget(self.board_name)
        card.add_widget(self.note)
        self.fill([pane, card, row(*buttons)])
        self.rows.scroll_y = 1

    def keep_board(self, board: Board) -> None:
        """Keep the board after every tap, and say what keeps it from being played on."""
        editor = self.editor
        assert editor is not None
        name = self.board_name.text.strip() or _("New board")

        def work() -> None:
            self.plan_id = editor.save_plan(self.plan_id, name, board)
            self.kept_name = name
            problems = editor.plan_problems(self.plan_id, board)
            kept = "✓ " + _("Kept on this device.")
            self.note.set_text(f"? {self.translate(problems[0])}" if problems else kept)

        self.attempt(work)

    def close_board(self) -> None:
        """Leave the board; a name that was typed after the last tap on it is kept, too."""
        if self.pane is not None and self.board_name.text.strip() not in ("", self.kept_name):
            self.keep_board(self.pane.board)
        self.close_card()

    def share_board(self) -> None:
        """Write the board as a file."""
        editor, plan = self.editor, self.plan_id
        assert editor is not None
        self.share(plan.replace("/", "-"), lambda: editor.export_plan(plan))

    def ask_delete_board(self) -> None:
        """Ask before a board is deleted for good."""
        self.app.open_sheet(
            _("Delete “{name}” for good?", name=self.board_name.text),
            [
                TouchButton(_("Delete"), self.delete_board, name="delete-sure"),
                TouchButton(_("Keep it"), self.app.close_sheet, "primary", name="delete-not"),
            ],
        )

    def delete_board(self) -> None:
        """Delete a board of the players' own."""
        self.app.close_sheet()
        editor = self.editor
        assert editor is not None
        self.attempt(lambda: editor.remove_plan(self.plan_id))
        self.plan_id = ""
        self.close_card()


def is_primary(widget: Widget) -> bool:
    """Whether it is the button in the colour of the main action."""
    return isinstance(widget, TouchButton) and widget.look == "primary"
