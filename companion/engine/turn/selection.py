"""What a prompt, a selected piece and its offers mean for a finger: which pieces are selected
first, which offer the button carries out, and which card is the most urgent.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from companion.engine.moves.tray_move import asked_moves
from companion.engine.snapshot import AT_WILL, Snapshot
from companion.engine.turn.card_records import CardKind
from companion.games.api.play import Plain
from companion.games.api.prompt import ActionOffer, Choice, Prompt, PromptForm, TrayEnd
from companion.session.game_view import GameView
from models.board import Cell
from models.board_table import BoardTable
from models.table import AnyTable, Table

OfferKey = tuple[str, str, str]
"""What makes an offer the same in the next snapshot: its kind, its piece, its target."""
OPTIONAL = AT_WILL | {"turn"}
"""Moves that a unit may make: it is asked, and nothing is taken up for it."""
BEST = 3
"""How many offers the overview names."""


def offer_key(offer: ActionOffer) -> OfferKey:
    """What makes an offer the same in the next snapshot."""
    last = offer.commands[-1] if offer.commands else {}
    said = (
        f"{key}={value}"
        for key, value in last.items()
        if isinstance(value, str | float | bool)
        or (isinstance(value, list) and all(type(one) is int for one in value))  # what is paid
    )
    return offer.kind, offer.piece, ":".join((offer.target, offer.text, *said))


def akin(one: ActionOffer, other: ActionOffer | None) -> bool:
    """Whether an offer is another one, or one of its family."""
    if other is None or one.piece != other.piece:
        return False
    return offer_key(one) == offer_key(other) or bool(one.family and one.family == other.family)


def form_key(form: PromptForm) -> str:
    """What makes a form the same in the next snapshot: its command's words and its own."""
    words = [value for value in form.command.values() if isinstance(value, str)]
    return ":".join((*words, str(form.text)))


def choice_name(choice: Choice, number: int) -> str:
    """A stable name of a choice's button: the words of its last command."""
    if not choice.commands:
        return f"choice:{number}"
    return f"choice:{':'.join(values_in(choice.commands[-1]))}"


def values_in(value: object) -> Iterator[str]:
    """The values of a command, those of its lists and of each command in it among them."""
    if isinstance(value, str | bool | int):
        yield str(value)
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from values_in(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from values_in(one)


# -- prompts ------------------------------------------------------------------------------------


def asks_piece(prompt: Prompt) -> bool:
    """Whether the prompt is answered by choosing a piece, not only about some."""
    done = any(choice.look == "primary" for choice in prompt.choices)
    return bool(prompt.pieces) and not (prompt.dice or prompt.rolled or prompt.secret or done)


def selectable(snapshot: Snapshot, prompt: Prompt) -> list[str]:
    """The pieces that are selected first: those of the players asked, which then act.

    Any other piece with a choice of its own has a row that sends it.
    """
    if not asks_piece(prompt) or not snapshot.tabled:
        return []
    with_choice = {choice.piece for choice in prompt.choices}
    pieces = []
    for key in prompt.pieces:
        piece = snapshot.piece(key)
        own = piece is not None and piece.seat in prompt.seats and piece.state == "ready"
        if own or key not in with_choice:
            pieces.append(key)
    return pieces


def best_offers(snapshot: Snapshot) -> list[ActionOffer]:
    """The best offer of each piece, while none is selected."""
    best: dict[str, ActionOffer] = {}
    for offer in snapshot.offers if snapshot.chosen is None else ():
        if offer.verdict != "no" and offer.piece and offer.commands:
            best.setdefault(offer.piece, offer)
    return list(best.values())[:BEST]


def suited(prompt: Prompt, app_rolls: bool) -> tuple[tuple[Choice, ...], list[Choice]]:
    """The choices of a prompt with one golden one, and those that a card leaves out.

    Where the app rolls, what continues with its dice is golden; players with dice of their own
    continue first and then roll.
    """
    rolling = [
        one for one in prompt.choices if one.dice is not None and extends_another(prompt, one)
    ]
    others = [one for one in prompt.choices if one not in rolling]
    golden = any(one.look == "primary" for one in others)
    if not (rolling and app_rolls and golden):
        return prompt.choices, rolling
    # what gold does as well needs no row beside it
    quiet = (replace(one, look="quiet") if one.look == "primary" else one for one in others)
    return (*quiet, replace(rolling[0], look="primary"), *rolling[1:]), rolling[1:]


def extends_another(prompt: Prompt, choice: Choice) -> bool:
    """Whether a choice does what another one does, and then more."""
    begins = (one.commands for one in prompt.choices if one.dice is None and one.commands)
    return any(choice.commands[: len(begun)] == begun for begun in begins)


def on_its_page(snapshot: Snapshot, prompt: Prompt) -> Choice | None:
    """The choice that the score page confirms, with what it rests on: a card does not repeat it."""
    primary = next((choice for choice in prompt.choices if choice.look == "primary"), None)
    score = snapshot.score
    confirmed = score.confirm if score is not None and prompt.page == "score" else None
    same = primary is not None and confirmed is not None and primary.commands == confirmed.commands
    return primary if same else None


# -- the selected piece -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PieceActions:
    """What the selected piece may do: offers, the picked one, and its choices in the prompt."""

    legal: tuple[ActionOffer, ...]
    refused: tuple[ActionOffer, ...]
    picked: ActionOffer | None
    choices: tuple[Choice, ...]


def piece_actions(
    snapshot: Snapshot, prompt: Prompt | None, piece: str, picked: OfferKey | None
) -> PieceActions:
    """The offers of the selected piece, the best first, and the choices that no offer repeats."""
    legal = tuple(offer for offer in snapshot.offers if offer.possible)
    refused = tuple(offer for offer in snapshot.offers if not offer.possible)
    carried_out = next((offer for offer in legal if offer_key(offer) == picked), None)
    first = [offer.commands[0] for offer in legal if offer.commands]
    own = tuple(
        choice
        for choice in (prompt.choices if prompt is not None else ())
        if choice.piece == piece and not (choice.commands and choice.commands[0] in first)
    )
    return PieceActions(legal, refused, carried_out or proposed(snapshot, legal), own)


def ending(prompt: Prompt | None, actions: PieceActions) -> Choice | None:
    """The golden choice of the prompt that concerns no piece, if the selected one does not have it
    among its own: it ends the turn."""
    own = [one.commands for one in actions.legal] + [one.commands for one in actions.choices]
    if prompt is None or prompt.dice is not None or prompt.secret:
        return None
    golden = (one for one in prompt.choices if one.look == "primary" and not one.piece)
    return next((one for one in golden if one.commands and one.commands not in own), None)


def proposed(snapshot: Snapshot, legal: Sequence[ActionOffer]) -> ActionOffer | None:
    """The best offer that nobody has to pick first: it is sent as it stands, or a tap on one of
    its cells means it. A charge whose end is to be chosen is picked by its row."""
    own = own_cells(snapshot)
    for offer in legal:
        if offer.by_row:
            continue
        if offer.commands or not (offer.target or all(one.cell in own for one in offer.cells)):
            return offer
    return None


def own_cells(snapshot: Snapshot) -> frozenset[Cell]:
    """The cells that the selected piece covers on a board."""
    table, piece = snapshot.gridded, snapshot.chosen
    if table is None or piece is None or piece not in table:
        return frozenset()
    standing = table.piece(piece)
    if standing.cell is None:
        return frozenset()
    (column, row), size = standing.cell, standing.size
    return frozenset((column + c, row + r) for c in range(size) for r in range(size))


def selected_after(
    before: GameView | None, chosen: str | None, table: AnyTable | None, view: GameView | None
) -> str | None:
    """The selected piece after a step: none if it is gone, if its decided move or its turn on a
    board is done, or if another player is asked; among cards, if anything else is asked.

    On a board the piece that acts is selected, unless another one was corrected, and while pieces
    are put on it, the next one; on an open table the one that is asked for its action, as after an
    undo.
    """
    if isinstance(table, BoardTable) and view is not None:
        if view.rival:
            return next((one.piece for one in view.prompts[0].choices if one.piece in table), None)
        acting = acting_in(view)
        asked = view.prompts[0].pieces if view.prompts else ()
        if len(acting) == 1:
            return chosen if corrected(before, view, chosen) else acting[0]
        if asked and not any(piece in table for piece in asked):
            return chosen if chosen in asked else asked[0]
        if not acting and not asked and put_last(before, view, chosen):
            return None
        acted = acting_in(before) if before else []
        if before and chosen not in acting and (acting not in ([], acted) or chosen in acted):
            return None
    over = before and view and (before.active != view.active or moved_off(before, view, chosen))
    beside = isinstance(table, Table) and chosen not in table
    if chosen is None or over or beside:
        again = asked_again(before, table, view)
        if again is not None or chosen is None or over:
            return again
    if table is None and before and view and question_of(before) != question_of(view):
        return None
    pieces = {piece.id for piece in view.pieces if piece.state != "lost"} if view else set()
    return chosen if chosen in pieces or (table is not None and chosen in table) else None


def put_last(before: GameView | None, view: GameView, piece: str | None) -> bool:
    """Whether a step answered what was asked of this piece, and nothing is asked of any now: all
    are placed."""
    if before is None or not before.prompts:
        return False
    return piece in before.prompts[0].pieces and question_of(before) != question_of(view)


def corrected(before: GameView | None, view: GameView | None, piece: str | None) -> bool:
    """Whether a step was about this piece alone, while another one acts: what was asked is asked
    still, and only this piece is another."""
    if before is None or view is None or piece is None:
        return False
    if (before.active, question_of(before)) != (view.active, question_of(view)):
        return False
    changed = {now.id for then, now in zip(before.pieces, view.pieces, strict=False) if then != now}
    return changed == {piece} and piece not in acting_in(view)


def acting_in(view: GameView) -> list[str]:
    """The pieces that act now."""
    return [piece.id for piece in view.pieces if piece.state == "acting"]


def moved_off(before: GameView, view: GameView, piece: str | None) -> bool:
    """Whether a piece had a move to make and has made it, or stayed."""
    due = [any(move.piece == piece for move in one.due) for one in (before, view)]
    return due == [True, False]


def asked_again(
    before: GameView | None, table: AnyTable | None, view: GameView | None
) -> str | None:
    """The piece on an open table that acts and is asked now, and was not before."""
    if before is None or view is None or not view.prompts or not isinstance(table, Table):
        return None
    prompt = view.prompts[0]
    fresh = question_of(before) != question_of(view) and prompt.dice is None
    if not fresh or len(prompt.pieces) != 1:
        return None
    return next((one for one in acting_in(view) if one in table and one in prompt.pieces), None)


def question_of(view: GameView) -> str:
    """The title of what the game waits for."""
    return view.prompts[0].title if view.prompts else ""


def in_turn(snapshot: Snapshot, unit: str) -> bool:
    """Whether the game lets this piece act now."""
    piece, view = snapshot.piece(unit), snapshot.view
    if piece is None or view is None or piece.state == "acting":
        return True
    others = any(one.state == "acting" for one in view.pieces)
    return piece.state == "ready" and piece.seat in view.active and not others


def in_turn_still(snapshot: Snapshot, view: GameView | None) -> tuple[ActionOffer, ...]:
    """The offers of pieces that may act after another step too: the others are not shown while the
    new ones are computed."""
    now = Snapshot(view=view)
    return tuple(one for one in snapshot.offers if not one.piece or in_turn(now, one.piece))


def may_move(snapshot: Snapshot, unit: str) -> bool:
    """Whether a finger may take up this tray: it has a move to make, or may act now."""
    piece, trays = snapshot.piece(unit), snapshot.trays
    if trays is None or unit not in trays:
        return False
    if snapshot.due_move(unit) is not None or any(asked_moves(snapshot, unit)):
        return True
    asked = first_prompt(snapshot)
    free = asked is not None and not asked.dice and not asked.rolled
    ready = piece is not None and piece.state in ("ready", "acting")
    return free and ready and in_turn(snapshot, unit)


def due_at_once(snapshot: Snapshot) -> ActionOffer | None:
    """The decided move whose tray is taken up by itself, so that it does not stay undone by
    oversight; None while dice, moves that a camera saw or the players come first."""
    due, asked = next(iter(snapshot.due), None), first_prompt(snapshot)
    rolling = asked is not None and asked.dice is not None
    if due is None or due.kind in OPTIONAL or due.ends:
        return None
    if rolling or snapshot.notices or snapshot.thinking:
        return None
    return due


def ends_shown(snapshot: Snapshot) -> tuple[TrayEnd, ...]:
    """The places drawn before anybody chooses: those of the first prompt or of advice, else the
    only place of a move that must be made."""
    prompt = next(iter((*snapshot.advice, *snapshot.prompts)), None)
    if prompt is not None and prompt.ends:
        return prompt.ends
    must = (one for one in snapshot.due if not (one.certain or one.kind in OPTIONAL))
    return next((one.ends for one in must if len(one.ends) == 1), ())


# -- cards --------------------------------------------------------------------------------------


def first_prompt(snapshot: Snapshot, focus: str = "") -> Prompt | None:
    """The prompt to answer now: the one the players chose, else the most urgent."""
    chosen = next((prompt for prompt in snapshot.prompts if prompt.id == focus), None)
    return chosen or next(iter(snapshot.prompts), None)


def asked_now(snapshot: Snapshot) -> tuple[str, str, bool] | None:
    """Whose decision or roll is awaited: the seat, the player of a team by name, and whether dice
    are rolled; None where several are asked, or nobody."""
    view, prompt = snapshot.view, first_prompt(snapshot)
    if view is None:
        return None
    due = next(iter(snapshot.due), None)
    if due is not None and (prompt is None or prompt.dice is None or ends_first(snapshot)):
        piece = snapshot.piece(due.piece)
        return (piece.seat, piece.player, False) if piece is not None else None
    if prompt is None or len(view.active) != 1:
        return None
    return view.active[0], prompt.player, prompt.dice is not None


def ends_first(snapshot: Snapshot) -> bool:
    """Whether its player chooses where a tray stands before dice are rolled for it."""
    return any(move.ends and move.kind not in AT_WILL for move in snapshot.due)


def rival_first(snapshot: Snapshot) -> bool:
    """Whether a rival's tray is moved before those that others may still move or turn."""
    rival = snapshot.view is not None and snapshot.view.rival
    return bool(rival and snapshot.prompts and snapshot.prompts[0].ends)


def urgent_card(
    snapshot: Snapshot, prompt: Prompt | None, rolling: bool, tapped: bool, blind: bool
) -> CardKind:
    """Which card is shown now: dice are not pushed away by a tray that comes to rest.

    `rolling`: dice of an offer are entered; `tapped`: the piece was selected after the newest
    step; `blind`: the camera is lost and the players do not play on without it.
    """
    entering = rolling or (prompt is not None and prompt.dice is not None)
    if blind and snapshot.tabled and not entering:  # cards and dice do without a camera
        return "camera"
    if not entering and several_astray(snapshot) and not waits_for_answer(snapshot, prompt):
        return "astray"
    if not entering and snapshot.notices:
        return "moves"
    if snapshot.due and (not entering or ends_first(snapshot)) and not rival_first(snapshot):
        return "due-move"
    if not entering and snapshot.cell_moves and not waits_for_answer(snapshot, prompt):
        return "cell-move"
    if not entering and snapshot.camera_questions:
        return "camera-question"
    if not entering and any(one.asks for one in snapshot.proposals):
        return "proposal"
    if rolling:
        return "roll"
    if snapshot.over:
        return "won"
    if prompt is not None and (prompt in snapshot.advice or moves_rival(snapshot, prompt)):
        return "prompt"
    if snapshot.piece(snapshot.chosen) is not None and (prompt is None or prompt.dice is None):
        if prompt is not None and named_by(prompt, snapshot.chosen):
            return "prompt"
        acts = any(offer.possible for offer in snapshot.offers)
        if acts or tapped or prompt is None:
            return "piece"
    return "nothing" if prompt is None else "prompt"


def named_by(prompt: Prompt, piece: str | None) -> bool:
    """Whether a question is answered by naming several pieces, this one too: a tap on it leads back
    to the question."""
    entries = (entry for form in prompt.forms if not form.opens for entry in form.entries)
    named = (entry.options for entry in entries if entry.kind == "several")
    return any(piece == value for options in named for value, _ in options)


SEVERAL = 3
"""So many pieces that stand elsewhere at once are no moves: somebody has knocked at the table."""
WRONG = 2
"""So many that may not stand there are no moves either."""


def several_astray(snapshot: Snapshot) -> bool:
    """Whether so many pieces stand elsewhere that one question is asked about all of them; a place
    that is against the ground has a question of its own."""
    trays, pieces = snapshot.notices, snapshot.cell_moves
    if any(one.asked for one in trays) or any(one.asked for one in pieces):
        return False
    wrong = sum(not one.legal for one in trays) + sum(not one.answerable for one in pieces)
    return len(trays) + len(pieces) >= SEVERAL or wrong >= WRONG


def waits_for_answer(snapshot: Snapshot, prompt: Prompt | None) -> bool:
    """Whether a piece that can only be put back waits until a question is answered: a hand may
    have been before the answer."""
    asks = prompt is not None and bool(prompt.choices) and not prompt.pieces
    back = not any(one.answerable for one in snapshot.cell_moves)
    return asks and back and not snapshot.notices


def moves_rival(snapshot: Snapshot, prompt: Prompt) -> bool:
    """Whether a prompt is the move of a rival with the selected piece, or with none."""
    rival = snapshot.view is not None and bool(snapshot.view.rival)
    pieces = (None, *(choice.piece for choice in prompt.choices))
    return rival and snapshot.chosen in pieces


def waiting_behind(snapshot: Snapshot, prompt: Prompt) -> Iterator[Prompt]:
    """The other prompts; none behind advice, which is put away by its own button, and behind a
    rival's move nothing that asks nobody."""
    others = () if prompt in snapshot.advice else snapshot.prompts
    rival = snapshot.view is not None and snapshot.view.rival in prompt.seats
    return (other for other in others if other.id != prompt.id and (other.seats or not rival))


def named_pieces(snapshot: Snapshot, pieces: Sequence[str]) -> list[tuple[str, str]]:
    """Pieces with their names, for a form; all of them if none is named."""
    chosen = pieces or [piece.id for piece in snapshot.pieces if piece.state != "lost"]
    return [(piece, snapshot.name(piece)) for piece in chosen]


def command_words(commands: Sequence[Plain]) -> list[str]:
    """The words of the last command."""
    return [
        value for value in (commands[-1] if commands else {}).values() if isinstance(value, str)
    ]
