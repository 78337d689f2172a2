"""What a game shows now: the records of its screen for the newest step, and the same as JSON."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import lru_cache
from itertools import islice, takewhile
from typing import Any, TypeVar

from companion import games
from companion.games.api.card_table import CardTable
from companion.games.api.game_screen import GameScreen
from companion.games.api.new_game import SeatView
from companion.games.api.play import Event, Play, Refusal
from companion.games.api.prompt import ActionOffer, Prompt
from companion.games.api.screen_views import GuideStep, Outcome, Page, PieceView, ScoreView
from companion.session.fold import History, Position, Undone
from companion.session.game_lookup import find_rival, find_screen
from companion.text.translation import unnumbered
from models import CompanionError, UnknownName
from models.field import shown
from models.message import LazyMessage, Name, joined, say

Record = TypeVar("Record")

TABLE = "table"
"""The event of new positions, which the app sends by itself."""
OUTCOME = "outcome"
"""Where a position keeps its result: a log tells the same steps again and again."""
LOG_STEPS = 40
LOOK_BACK = 8
"""How many steps with nothing to say may follow a result that is still shown."""


@dataclass(frozen=True, slots=True, eq=False)
class GameView:
    """The records that everybody may see."""

    seats: tuple[SeatView, ...] = ()
    active: tuple[str, ...] = ()
    headline: str = ""
    prompts: tuple[Prompt, ...] = ()
    pieces: tuple[PieceView, ...] = ()
    score: ScoreView | None = None
    pages: tuple[Page, ...] = ()
    outcome: Outcome | None = None
    tabled: bool = True
    """Whether the game is played on a table or a board."""
    secrets: tuple[tuple[str, str], ...] = ()
    """Pages on which a seat sees more than the others: the page's id and the seat's."""
    decided: int = 0
    """The newest step that is more than new positions."""
    names: Mapping[str, str] = field(default_factory=dict)
    """What players call the things that are no pieces, by id."""
    undo: str = ""
    """What Undo takes back, in the game's own words, and the kind of step in a word or two."""
    due: tuple[ActionOffer, ...] = ()
    """Moves that are decided and not yet carried out on the table."""
    turn: str = ""
    """The seat whose turn it is, whoever decides or rolls now."""
    cards: CardTable | None = None
    """In a game of cards: what lies on the table."""
    guide: GuideStep | None = None
    """What to tap now, in a guided turn."""
    undoable: bool = True
    """Whether players have done something since the game was set up."""
    rivals: tuple[str, ...] = ()
    """The seats that the app plays: anybody carries out what they do."""
    rival: str = ""
    """The rival whose move is shown instead of what its seat may do."""
    coach: bool = False
    """Whether a coach may be asked in this game."""
    undo_short: str = ""
    """What kind of step Undo takes back, in a word or two; "" where the game has no name for it."""

    def alone(self, seat: str) -> bool:
        """Whether nobody else sits at the table: the app plays every other seat."""
        return bool(self.rivals) and {one.id for one in self.seats} == {*self.rivals, seat}


def screen_of(game: str) -> GameScreen | None:
    try:
        return find_screen(game)
    except UnknownName:
        return None


@lru_cache(maxsize=64)
def on_table(game: str) -> bool:
    """Whether a game is played on a table or a board."""
    screen = screen_of(game)
    return screen is not None and screen.space(game).kind != "none"


def public_view(screen: GameScreen, here: Position) -> GameView:
    """The records for everybody after the newest step."""
    state = here.state
    seats = each(screen, "seats", screen.seats(state), SeatView)
    pages = each(screen, "pages", screen.pages(state), Page)
    rival, newest = find_rival(here.game), newest_of(screen, undone_by(here))
    return GameView(
        seats,
        tuple(screen.active(state)),
        screen.headline(state),
        each(screen, "prompts", screen.prompts(state), Prompt),
        each(screen, "pieces", screen.pieces(state), PieceView),
        screen.score(state),
        pages,
        last_outcome(screen, here),
        on_table(here.game),
        tuple(secrets(screen, state, seats, pages)),
        decided(here),
        {here.game: screen.name(here.game), **screen.names(state)},
        "" if newest is None else newest.undo or newest.text,
        tuple(screen.due_moves(state)),
        screen.turn(state),
        screen.card_table(state),
        screen.guide(state),
        not here.whole.begins,
        here.rivals.ids,
        coach=here.rivals.coach and rival is not None and rival.advises(state),
        undo_short="" if newest is None else newest.undo_short,
    )


def recoloured(view: GameView, colours: Mapping[str, int]) -> GameView:
    """The records with the colours that the players chose for their seats."""
    if not colours:
        return view
    seats = (replace(one, colour=colours.get(one.id, one.colour), mark="") for one in view.seats)
    return replace(view, seats=tuple(seats))


def secrets(
    screen: GameScreen, state: Any, seats: tuple[SeatView, ...], pages: tuple[Page, ...]
) -> Iterator[tuple[str, str]]:
    """The pages that one seat sees differently from everybody."""
    public = {one.id: one for one in pages}
    for seat in seats if pages else ():
        for page in screen.pages(state, seat.id):
            if page != public.get(page.id):
                yield page.id, seat.id


def seat_view(screen: GameScreen, state: Any, view: GameView, seat: str | None) -> GameView:
    """The records with the prompts and pages of one seat; None: what everybody sees."""
    if seat is None:
        return view
    prompts = each(screen, "prompts", screen.prompts(state, seat), Prompt)
    pages = each(screen, "pages", screen.pages(state, seat), Page)
    return replace(view, prompts=prompts, pages=pages)


def each(screen: GameScreen, what: str, given: object, kind: type[Record]) -> tuple[Record, ...]:
    """What a screen gives, all of one kind; a game outside that gives something else is named."""
    listed = tuple(given) if isinstance(given, Iterable) else (given,)
    for one in listed:
        if not isinstance(one, kind):
            game = games.package_of(screen)
            wrong = f"{what} gives {shown(one)}, which is no {kind.__name__}"
            raise CompanionError(f"the game {game} does not work: {wrong}")
    return listed


def piece_offers(
    screen: GameScreen, here: Position, report: Any, piece: str | None
) -> tuple[ActionOffer, ...]:
    """What a piece may do, or the best of the active seats.

    A game outside that derives from one of ours may refuse what ours offers: it is asked again.
    """
    offers, play = tuple(screen.offers(here.state, report, piece)), here.play
    if play is None or type(play).__module__.startswith("companion."):
        return offers
    return tuple(allowed(play, here.state, offer) for offer in offers)


def allowed(play: Play[Any], state: Any, offer: ActionOffer) -> ActionOffer:
    """An offer, refused where the game refuses it; cells that it refuses are left out."""
    if not offer.possible:
        return offer
    cells = tuple(
        one for one in offer.cells if not isinstance(play.decide(state, one.commands[0]), Refusal)
    )
    first = (offer.commands or (offer.cells[0].commands if offer.cells else ()))[:1]
    found = play.decide(state, first[0]) if first and not cells else None
    if isinstance(found, Refusal):
        return replace(offer, verdict="no", rules=(found.why,), reason=found.say, value=0.0)
    return replace(offer, cells=cells)


def decided(here: Position) -> int:
    """The newest step of the players: no note, and no positions that a camera saw."""
    for position in here.down():
        events = game_events(position)
        if events and events[0].type != TABLE:
            return position.seq
    return 0


def last_outcome(screen: GameScreen, here: Position) -> Outcome | None:
    """The result of the newest step that has one; it stays until the next result."""
    seen: Outcome | None = None
    adds: list[str] = []
    for position in islice(here.down(), LOOK_BACK):
        if position.below is None or position.below.play is None or position.step is None:
            break
        found = outcome_of(screen, position)
        if found is not None and (found.placed or game_events(position)[0].type != TABLE):
            told = joined([one for one in (found.follows, *adds) if one], " ")
            return replace(found, follows=told) if adds else found
        seen = seen or found  # positions that a camera sees do not hide the result of a roll
        adds[:0] = [found.adds] if found is not None and found.adds else []
    return seen


def outcome_of(screen: GameScreen, position: Position) -> Outcome | None:
    """The result of one step; None for a note, the clock, and what needs no sentence."""
    if OUTCOME not in position.memo:
        position.memo[OUTCOME] = _outcome(screen, position)
    found: Outcome | None = position.memo[OUTCOME]
    return found


def _outcome(screen: GameScreen, position: Position) -> Outcome | None:
    below, events = position.below, game_events(position)
    if below is None or below.play is None or not events:
        return None
    return screen.outcome(below.state, events, position.state)


def game_events(position: Position) -> tuple[Event, ...]:
    """The events of a step that are the game's own."""
    every = position.step.events() if position.step is not None else ()
    return tuple(one for one in every if not one.type.startswith("session."))


def undone_by(position: Position) -> Sequence[Position]:
    """The steps that are taken back together, the first one first."""
    steps = [position]
    while steps[-1] is not position.whole and steps[-1].below is not None:
        steps.append(steps[-1].below)
    return steps[::-1]


def newest_of(screen: GameScreen, steps: Sequence[Position]) -> Outcome | None:
    """The outcome of steps that are one for players: of the last thing that somebody did there,
    more than letting the game go on."""
    done = (one for one in reversed(steps) if told_alone(screen, one))
    results = [found for one in done if (found := outcome_of(screen, one)) is not None]
    return next((one for one in results if not one.passes), results[-1] if results else None)


def called(screen: GameScreen, steps: Sequence[Position]) -> str:
    """What players call such steps."""
    found = newest_of(screen, steps)
    return "" if found is None else found.undo or found.text


def log_lines(screen: GameScreen, here: Position) -> Iterator[tuple[Position, str]]:
    """The newest sentences with their steps, the last one first; "" where the screen has none."""
    newer: tuple[int | str, ...] = ()
    for position in islice((one for one in here.down() if told_alone(screen, one)), LOG_STEPS):
        found = outcome_of(screen, position)
        same = found is not None and found.so_far and found.dice == newer
        newer = found.dice if found is not None else ()
        if same:
            continue
        if position.below is None or position.below.play is None:
            yield position, screen.name(position.game)  # the game was set up
        elif found is None:
            yield position, ""
        else:
            first, *rest = found.lines or (found.told,)
            numbers = all(isinstance(one, int) for one in found.dice)
            if found.dice and (numbers or not found.lines):  # symbols stand in the sentences
                dice = " ".join(str(say(str(one))) for one in found.dice)
                first = say("{line} [{dice}]", line=first, dice=dice)
            for line in reversed((first, *rest)):
                yield position, line


def told_alone(screen: GameScreen, position: Position) -> bool:
    """Whether a step has sentences of its own: not where pieces go because of another, nor what
    opens a game."""
    if not position.joined:
        return True
    events = game_events(position)
    told = bool(events) and events[0].type != TABLE and not position.whole.begins
    return told and outcome_of(screen, position) is not None


WORD = re.compile(r"[A-Za-z]+[0-9]*")


def spelled(
    view: GameView | None, text: str, translate: Callable[[str], str], short: bool = False
) -> str:
    """A text of the log in a language, with names of pieces, players and terrain for their ids."""
    if view is None:
        return translate(text)
    words = {piece.id: (piece.short if short else "") or piece.name for piece in view.pieces}
    words |= {seat.id: seat.name for seat in view.seats}
    return translate(with_names(unnumbered(text), {**view.names, **words}, translate))


def with_names(text: str, words: Mapping[str, str], translate: Callable[[str], str]) -> str:
    """A message with names in place of ids, which can still be translated and agrees with them."""
    if text in words:
        return Name.of(words[text])
    if not isinstance(text, LazyMessage):
        told = WORD.sub(lambda one: translate(words[one[0]]) if one[0] in words else one[0], text)
        return Name(told) if told != text else text
    values = {
        key: with_names(value, words, translate) if isinstance(value, str) else value
        for key, value in text.values.items()
    }
    return say(text.one, text.many, **values) if values else text


def told_step(position: Position, translate: Callable[[str], str]) -> str:
    """A step as players would tell it, with their names."""
    screen = screen_of(position.game) if position.play is not None else None
    if screen is None:
        return translate(position.title)
    if position.begins:
        return translate(screen.name(position.game))
    found, state = outcome_of(screen, position), position.state
    if found is not None:
        return translate(found.text)
    seats, pieces = tuple(screen.seats(state)), tuple(screen.pieces(state))
    view = GameView(seats, pieces=pieces, names=screen.names(state))
    return spelled(view, position.title, translate)


# -- as JSON ---------------------------------------------------------------------------------------


def screen_to_json(history: History, seat: str | None, piece: str | None) -> dict[str, Any]:
    """Everything that a screen shows, as visible to one seat; texts stay lazy messages.

    With a piece, its offers; without one, the best of the active seats.
    """
    here = history.now
    screen = find_screen(here.game)
    view = seat_view(screen, here.state, public_view(screen, here), seat)
    shown = {
        "game": here.game,
        "name": view.names[here.game],
        "space": screen.space(here.game),
        "headline": view.headline,
        "seats": view.seats,
        "active": view.active,
        "outcome": view.outcome,
        "prompts": view.prompts,
        "offers": piece_offers(screen, here, report_of(here), piece),
        "pieces": view.pieces,
        "score": view.score,
        "pages": view.pages,
        "cards": view.cards,
    }
    return {name: record_to_json(value) for name, value in shown.items()} | {
        "names": {key: lazy(name) for key, name in view.names.items()},
        "undo": lazy(view.undo or unnumbered(here.whole.title)),
        "redo": lazy(redo_text(screen, history.undone)),
        "log": [lazy(line or unnumbered(one.title)) for one, line in log_lines(screen, here)],
        **({"due": record_to_json(view.due)} if view.due else {}),
        **({"clock": history.clock.to_json(history.at_ms)} if history.clock.used else {}),
    }


def redo_text(screen: GameScreen, undone: Undone | None) -> str:
    """What can be done again, with all that belongs to it; "" for nothing."""
    if undone is None:
        return ""
    first, *rest = undone.down()
    steps = (first, *takewhile(lambda one: one.joined, rest))
    return called(screen, steps) or unnumbered(first.title)


def settings_of(here: Position) -> Any:
    """The readings that the game was set up with, as its settings; None without rules for it."""
    if here.play is None:
        return None
    moment = here.play.moment(here.state)
    try:
        rules = games.find(moment.table.game if moment.table is not None else here.game)
    except UnknownName:
        return None
    return rules.settings(moment.readings)


def report_of(here: Position) -> Any:
    """The report on the newest table, by the readings of the game; None without a table or without
    rules for it."""
    table = here.play.moment(here.state).table if here.play is not None else None
    if table is None:
        return None
    try:
        rules = games.find(table.game)
    except UnknownName:
        return None
    return rules.report(table, settings_of(here))


TEXTS = frozenset(
    "badge detail expected follows headline help how lines name note odds reason short tag tallies"
    " text title undo unit".split()
)
"""The fields of a screen's records that players read."""


def lazy(value: Any) -> Any:
    """A text that is translated when its viewer is known, a name among them."""
    if isinstance(value, list | tuple):
        return [lazy(one) for one in value]
    return say(value) if value and type(value) is str else value


def record_to_json(record: Any) -> Any:
    """A record as JSON: what is empty or at its default is left out."""
    if is_dataclass(record) and not isinstance(record, type):
        found = {one.name: getattr(record, one.name) for one in fields(record)}
        return {
            name: field_to_json(name, value)
            for name, value in found.items()
            if value not in ("", (), None) and value is not False
        }
    if isinstance(record, list | tuple):
        return [record_to_json(one) for one in record]
    if isinstance(record, dict):
        return {str(key): record_to_json(value) for key, value in record.items()}
    return record


def field_to_json(name: str, value: Any) -> Any:
    """A field of a record: texts by their names, and of options the second of each pair."""
    if name == "options":
        return [[record_to_json(one), lazy(text)] for one, text in value]
    texts = isinstance(value, str) or (isinstance(value, tuple) and isinstance(value[0], str))
    return lazy(value) if name in TEXTS and texts else record_to_json(value)
