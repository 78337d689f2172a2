"""What one screen is shown, in parts that are sent when they change, and what it may do.

Everything here runs on the thread of the game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from companion.engine.turn.client import Client
from companion.engine.turn.running_game import RunningGame
from companion.engine.turn.turn_records import record_json
from companion.games.api.play import Plain, Refusal
from companion.session.authors import consent_needed
from companion.session.game_view import GameView, log_lines, recoloured, spelled
from companion.text.translation import capital
from companion.web.lobby import PairedScreen
from companion.web.table_map import map_places
from models.message import say
from models.table import AnyTable

LOG_LINES = 20
SEPARATE = ("prompts", "offers", "refused", "pieces", "pages", "cards", "clock")
"""The parts of a view that are sent on their own."""
DRAWN = ("title", "count", "lines", "choices", "seat", "badge", "note")
"""What the pages draw of a box."""


def drawn(box: Mapping[str, Any]) -> dict[str, Any]:
    return {name: box[name] for name in DRAWN if name in box}


class TableVersions:
    """Numbers for the tables that were shown, so that a map is fetched once."""

    MOST = 8

    def __init__(self) -> None:
        self._tables: dict[int, AnyTable] = {}
        self._newest = 0

    def number(self, table: AnyTable) -> int:
        """The number of a table; equal tables that follow each other have the same."""
        known = self._tables.get(self._newest)
        if known is None or (known is not table and known != table):
            self._newest += 1
            self._tables[self._newest] = table
            self._tables.pop(self._newest - self.MOST, None)
        return self._newest

    def find(self, number: int) -> AnyTable | None:
        """A table that was shown lately."""
        return self._tables.get(number)


class SeatedViewer:
    """One paired screen that looks at the game: as a seat, or as somebody who only watches."""

    def __init__(
        self,
        game: RunningGame,
        screen: PairedScreen,
        tables: TableVersions,
        colours: Mapping[str, int],
    ) -> None:
        self.game, self.tables, self.colours = game, tables, colours
        self.seat = screen.seat
        self.is_for = screen.seat, screen.language
        self.client = Client(game, screen.seat or None, screen.language)

    # -- acting --------------------------------------------------------------------------------

    def act(self, intent: object) -> Refusal | None:
        """Do what an intent asks for; why not, if not."""
        refusal = self.forbidden(intent)
        if refusal is not None:
            return self.client.told(refusal)
        return self.client.carry_out(intent)

    def forbidden(self, intent: object) -> Refusal | None:
        """What a screen of its own may not do, though the shared one may."""
        given = intent if isinstance(intent, dict) else {}
        watches = not self.seat and set(given) != {"select"}
        return Refusal("SEATS", say("You only watch.")) if watches else None

    # -- looking -------------------------------------------------------------------------------

    def parts(self) -> dict[str, Any]:
        """Everything that the screen shows, by part."""
        view = record_json(self.client.view())
        if not self.seat:
            view = without_handles(view)
        public = recoloured(self.game.view(self.seat or None), self.colours)
        parts = {name: compact(view.pop(name)) for name in SEPARATE}
        for prompt in parts["prompts"]:
            prompt.pop("form", None)  # the first of its `forms`
        for section in (one for page in parts["pages"] for one in page.get("sections", ())):
            section["boxes"] = [drawn(box) for box in section.get("boxes", ())]
        table = self.game.table
        parts["map"] = self.map(table, parts) if table is not None else None
        parts["score"] = self.score(public)
        parts["log"] = list(self.log(public))
        for name in ("seats", "score", "log", "players"):
            view.pop(name)
        parts["view"] = compact(view) | self.head(public)
        return parts

    def head(self, view: GameView) -> dict[str, Any]:
        """The players, and what concerns this one."""
        words, session = self.client.words, self.game.session
        asks: Sequence[str] = ()
        again: Sequence[str] = ()
        if self.seat:
            asks = consent_needed(session.history, "undo", None, (self.seat,))
            again = consent_needed(session.history, "redo", None, (self.seat,))
        return {
            "title": words(view.names.get(self.game.here.game, "")),
            "seats": [
                {
                    "id": seat.id,
                    "name": words(seat.name),
                    "colour": seat.colour,
                    "mark": seat.mark,
                    "team": seat.team,
                }
                for seat in view.seats
            ],
            "me": self.seat,
            "undo_asks": list(asks),
            "redo_asks": list(again),
            "secrets": [page for page, seat in view.secrets if seat == self.seat],
        }

    def map(self, table: AnyTable, parts: Mapping[str, Any]) -> dict[str, Any]:
        """The number of the map's picture, and where its pieces and cells are tapped."""
        prompts, offers = parts["prompts"] or (), parts["offers"] or ()
        cells = {cell["cell"] for owner in (*prompts, *offers) for cell in owner.get("cells", ())}
        selected = self.client.selected
        answers = selected if selected is not None and selected in table else ""
        words, here = self.client.words, self.game.view(None).pieces
        names = {one.id: words(one.short or one.name) for one in here if one.id in table}
        return {
            "number": self.tables.number(table),
            "answers": answers,
            "names": names,
            **map_places(table, cells),
        }

    def score(self, view: GameView) -> Plain | None:
        """The points by seat with what wins the game."""
        score, words = view.score, self.client.words
        if score is None:
            return None
        seats = [
            compact(
                {
                    "seat": seat.seat,
                    "points": seat.points,
                    "goal": seat.goal,
                    "unit": words(seat.unit),
                    "detail": capital(words(seat.detail)),
                }
            )
            for seat in score.seats
        ]
        return {"seats": seats, "winner": score.winner, "how": words(score.how)}

    def log(self, view: GameView) -> Iterator[Plain]:
        """The newest sentences, the last one first, with the seats that signed them."""
        screen, here, words = self.game.screen, self.game.here, self.client.words
        lines = log_lines(screen, here) if screen is not None else iter(())
        before = ""
        for position, line in islice(lines, LOG_LINES):
            text = capital(words(line) or spelled(view, position.title, words))
            if text and text != before:
                by = list(position.step.by) if position.step is not None else []
                yield {"text": text, "by": by} if by else {"text": text}
            before = text


def without_handles(value: Any) -> Any:
    """A view without anything that could be tapped."""
    if isinstance(value, dict):
        return {key: without_handles(one) for key, one in value.items() if key != "tap"}
    return [without_handles(one) for one in value] if isinstance(value, list) else value


def compact(value: Any) -> Any:
    """A record without what is empty: a page takes that for granted. Options to choose stay."""
    if isinstance(value, dict):
        return {
            key: one if key == "options" else compact(one)
            for key, one in value.items()
            if one is not None and one is not False and one not in ("", [], {})
        }
    return [compact(one) for one in value] if isinstance(value, list) else value
