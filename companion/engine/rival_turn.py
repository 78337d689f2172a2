"""What the rival of a game does next, as a prompt that the players carry out on the table.

A rival thinks about the newest position, on a thread of its own where somebody waits for it. It
proposes a line; nothing happens before a player taps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice, takewhile

from companion.engine.hindsight import HINDSIGHT, hindsight
from companion.engine.threads import AppThread
from companion.games.api.play import Plain
from companion.games.api.prompt import ActionOffer, Choice, Fact, Prompt, TargetCell
from companion.games.api.rival import LEVELS, LineText, Rival, RivalSeat
from companion.games.api.screen_views import GuideStep
from companion.games.shared.search import Abandoned, RankedLine, Search, rolls
from companion.session.fold import Position
from companion.session.game_lookup import find_rival
from companion.session.game_view import GameView
from companion.text.verdicts import percent
from models.message import joined, say

PROMPT = "rival"
"""The id of the prompt with a rival's move."""
FACTS = 3
"""How many facts say why."""
ADVICE = 3
"""How many actions the coach names."""
REACTIONS = 20
"""How many steps of others may lie between two parts of what it has announced."""
MUCH_WORSE = 2.0
"""Victory points; an action that is worth so much less is no advice beside better ones."""
ADVICE_S = 4.0
"""How long a player waits for the coach at most."""


@dataclass(frozen=True, slots=True)
class RivalMove:
    """What a seat does: commands, in words, with what speaks for it. None yet: it thinks."""

    seat: RivalSeat
    commands: tuple[Plain, ...] = ()
    told: LineText = LineText("")
    facts: tuple[Fact, ...] = ()
    compared: int = 0
    value: float = 0.0
    closing: tuple[Plain, ...] = ()
    """What ends its turn after them, where nothing is left to decide."""
    pause: int = 0
    """After how many of the commands others may react before the rest."""
    note: str = ""
    """What it leaves to people, said with its first move."""

    @property
    def sent(self) -> tuple[Plain, ...]:
        """Its commands as one step."""
        return together(self.commands)


def together(commands: tuple[Plain, ...]) -> tuple[Plain, ...]:
    """Commands as one step."""
    if len(commands) < 2:
        return commands
    return ({"do": "together", "commands": [dict(one) for one in commands]},)


class RivalThinker:
    """Finds the move of a game's rival once for each position.

    With `ready` it thinks beside the caller, who is told when there is an answer; without it the
    caller waits. A newer position ends what was thought about an older one.
    """

    def __init__(self, ready: Callable[[], object] | None = None) -> None:
        self._ready = ready
        self._here: Position | None = None
        self._move: RivalMove | None = None

    def move(self, here: Position) -> RivalMove | None:
        """The move of the rival that is asked now; None if none is, or none finds a move."""
        if self._here is not here:
            self._here = here
            self._move = here.memo.get(PROMPT)  # after an undo it says the same again
            seat = asked_rival(here) if self._move is None else None
            if seat is not None and self._ready is not None:
                self._move = RivalMove(seat)
                run = AppThread(lambda: self._think(here, seat), "rival", self.stop)
                run.start()
            elif seat is not None:
                self._found(here, best_move(here, seat))
        return self._move

    def stop(self) -> None:
        """Nobody waits any more."""
        self._here = None

    def _think(self, here: Position, seat: RivalSeat) -> None:
        try:
            found = best_move(here, seat, lambda: self._here is not here)
        except Abandoned:
            return
        if self._here is here:
            self._found(here, found)
            if self._ready is not None:
                self._ready()
                self._look_back(here)

    def _look_back(self, here: Position) -> None:
        """Say what the turn before might have been, while the player carries out the rival's."""
        try:
            found = hindsight(here, lambda: self._here is not here)
        except Abandoned:
            return
        if found is not None and self._here is here and self._ready is not None:
            here.memo[HINDSIGHT] = found
            self._ready()

    def _found(self, here: Position, move: RivalMove | None) -> None:
        self._move = move
        if move is not None:
            here.memo[PROMPT] = move


def asked_rival(here: Position) -> RivalSeat | None:
    """The rival of whom the game wants an answer."""
    rival = find_rival(here.game) if here.rivals.seats else None
    if here.play is None or rival is None:
        return None
    by_seat = {one.seat: one for one in here.rivals.seats}
    return next((by_seat[side] for side in rival.waits(here.state) if side in by_seat), None)


def best_move(
    here: Position, seat: RivalSeat, stopped: Callable[[], bool] = lambda: False
) -> RivalMove | None:
    """The rest of what it has announced, else the best line that a rival finds, without those that
    did not fit."""
    rival = find_rival(here.game)
    if rival is None:
        return None
    search = Search(rival, seat, stopped)
    rest = announced_rest(rival, here, seat.seat)
    kept = bool(rest) and search.carried_out(here.state, rest) is not None
    lines = [RankedLine(rest, 0.0)] if kept else search.ranked(here.state, here.rivals.without)
    if not lines:
        return None
    move = proposed(rival, here, seat, lines[0], len(lines))
    said = (one.memo[PROMPT].note for one in here.down() if PROMPT in one.memo)
    if move.told.text and not any(said):
        move = replace(move, note=rival.note)
    if rest and not kept:
        move = replace(
            move, facts=(Fact(say("What it announced is no longer possible"), "bad"), *move.facts)
        )
    after = search.carried_out(here.state, move.commands) if move.told.dice is None else None
    if after is None or rolls(after) != rolls(here.state):
        return move
    return replace(move, closing=tuple(rival.closing(after, seat.seat)))


def announced_rest(rival: Rival[object], here: Position, seat: str) -> tuple[Plain, ...]:
    """What a rival has announced and still has to do after others have reacted."""
    before = (one.memo.get(PROMPT) for one in islice(here.down(), REACTIONS))
    move = next((one for one in before if one is not None and one.pause), None)
    if move is None or here.rivals.without:
        return ()
    rest = move.commands[move.pause :]
    asked = (one for one in rival.play.pending(here.state) if one.side == seat)
    return rest if any(rest[0]["do"] in one.commands for one in asked) else ()


def proposed(
    rival: Rival[object], here: Position, seat: RivalSeat, line: RankedLine, compared: int
) -> RivalMove:
    """A line in words, with the facts that speak for it."""
    told = rival.told(here.state, line.commands)
    facts = tuple(rival.facts(here.state, line.commands))[:FACTS]
    pause = rival.pause(line.commands)
    compared = rival.compared(here.state, line.commands, compared)
    return RivalMove(seat, line.commands, told, facts, compared, line.value, pause=pause)


def advice(here: Position, seat: str) -> list[RivalMove]:
    """The best actions of a seat, each with facts: those that differ in what is done, as far as
    they are not much worse, then those that differ in who acts."""
    rival = find_rival(here.game)
    if rival is None or here.play is None or not here.rivals.coach:
        return []
    adviser = RivalSeat(seat, LEVELS[-1].id)
    lines = Search(rival, adviser, longest_s=ADVICE_S, seconds=ADVICE_S).ranked(here.state)
    moves = [proposed(rival, here, adviser, line, len(lines)) for line in lines]
    near = [one for one in moves if one.value > moves[0].value - MUCH_WORSE]
    found: list[RivalMove] = []
    deeds: list[object] = []
    for number, move in enumerate((*near, *moves)):
        deed = rival.deed(move.told, move.commands)
        new = deed not in deeds or number >= len(near)
        if new and advised_kind(move) not in map(advised_kind, found) and len(found) < ADVICE:
            found.append(move)
            deeds.append(deed)
    return sorted(found, key=moves.index)


def advised_kind(move: RivalMove) -> tuple[object, ...]:
    """Who acts on whom, and how."""
    return move.told.piece, move.told.target, move.commands[-1].get("do")


# -- on the screen ---------------------------------------------------------------------------------


def with_rival(view: GameView, here: Position, thinker: RivalThinker) -> GameView:
    """The records with the rival's move instead of what its seat would be asked."""
    move = thinker.move(here)
    if move is None or (view.score is not None and view.score.winner):
        return view
    seat = move.seat.seat
    if any(one.dice is not None and move.commands == (one.dice.command,) for one in view.prompts):
        # It rolls: dice by the app, a player or the camera, as for everybody.
        return replace(view, prompts=tuple(undecided(one, seat) for one in view.prompts))
    lying = (choice.commands for one in view.prompts if one.rolled for choice in one.choices)
    if move.compared == 1 and not move.told.piece and move.commands in lying:
        return view  # it has nothing to decide: the dice that lie are shown as they are
    prompts: list[Prompt] = []
    asked = [one for one in view.prompts if seat in one.seats]
    place = 0  # first, where it moves a tray, or may change dice of which nobody alone is asked
    for prompt in reversed(view.prompts):
        if seat not in prompt.seats:
            prompts.insert(0, prompt)
            continue
        if set(prompt.seats) - {seat}:
            answered = tuple(dict.fromkeys((*prompt.answered, seat)))
            prompts.insert(0, replace(prompt, answered=answered))
        place = view.prompts.index(prompt)
    shown = rival_prompt(view, move)
    shown = replace(shown, rolled=next((one.rolled for one in view.prompts if one.rolled), ()))
    if HINDSIGHT in here.memo and move.commands:
        shown = replace(shown, choices=(*shown.choices, here.memo[HINDSIGHT].choice))
    prompts.insert(place, shown)
    told = view.outcome
    if told is not None and told.icon == "turn" and told.seat == seat:
        told = replace(told, text=say("{player}’s turn", player=seat_name(view, seat)))
    of_rival = bool(asked) and view.prompts[0] == asked[0]  # what follows is the first question
    if told is not None and (of_rival or told.follows in [one.text for one in asked]):
        told = replace(told, follows="")  # nobody else is asked that
    guide = rival_guide(view.guide) if asked else view.guide
    return replace(view, prompts=tuple(prompts), rival=seat, outcome=told, guide=guide)


def undecided(prompt: Prompt, seat: str) -> Prompt:
    """A prompt without the choices of a rival that rolls: it has decided not to take them."""
    left = (one for one in prompt.choices if (one.by or prompt.seats) != (seat,))
    return replace(prompt, choices=tuple(left))


def rival_guide(step: GuideStep | None) -> GuideStep | None:
    """The step of a guided turn while the rival is asked."""
    if step is None:
        return None
    text = say("Do on the table what the card says, then tap the gold button.")
    return replace(step, text=text, why=say("The app plays this side."), piece="", then="")


def seat_name(view: GameView, seat: str) -> str:
    """The name of the player on a seat."""
    return next((one.name for one in view.seats if one.id == seat), seat)


def rival_offers(view: GameView, piece: str) -> Iterator[ActionOffer]:
    """Where a rival's piece goes, for a camera that sees it arrive there."""
    for prompt in view.prompts:
        for choice in prompt.choices if prompt.id == PROMPT else ():
            if choice.piece != piece or choice.dice is not None:  # its dice come first
                continue
            if prompt.cells:
                text = choice.text
                yield ActionOffer("maneuver", text, choice.commands, piece, cells=prompt.cells)
            every = choice.commands[0].get("commands", ()) if prompt.ends else ()
            before = tuple(takewhile(lambda one: one["do"] != "table", every))
            if before:  # it is recorded with the place where the camera sees it
                kind = str(before[-1].get("action", "maneuver"))
                yield ActionOffer(kind, prompt.text, before, piece, moves=True)


def rival_prompt(view: GameView, move: RivalMove) -> Prompt:
    """The rival's move: one sentence, why, and the button of whoever carries it out."""
    seat = move.seat.seat
    name = seat_name(view, seat)
    about = {"level": move.seat.skill.name, "temper": move.seat.weights.name}
    who = say("{player}: {level}, {temper}", player=name, **about)
    if not move.commands:
        return Prompt(PROMPT, who, say("The rival thinks."), (seat,))
    told = move.told
    sent = move.commands if told.dice is not None else together((*move.commands, *move.closing))
    done = say("Moved") if told.cell or told.end else say("Go on")
    if told.dice is not None:
        done = say("Roll for it")
    other = {"do": "rival", "without": [dict(one) for one in move.commands]}
    choices = [Choice(done, sent, "primary", piece=told.piece, icon="check", dice=told.dice)]
    if told.cell or told.end:
        choices.append(Choice(say("It does not fit"), (other,), "plain"))
    elif move.compared > 1:
        choices.append(Choice(say("Something else"), (other,), "plain"))
    if move.pause:
        first = together(move.commands[: move.pause])
        choices.append(Choice(say("The first step only: I react before the rest"), first, "plain"))
    if move.closing:
        choices.append(Choice(say("Done, and I react before its turn ends"), move.sent, "plain"))
    cells = (TargetCell(told.cell, sent, detail=told.text, piece=told.piece),) if told.cell else ()
    detail = Fact(say("the best of {n} ways that it compared", n=move.compared))
    facts = (*move.facts, detail) if move.compared > 1 else move.facts
    facts = (*facts, Fact(move.note)) if move.note else facts
    text = told.text or say("The rival has decided.")
    end = told.end or told.hope
    ends = (end,) if end is not None else ()
    every = tuple(choices)
    return Prompt(PROMPT, who, text, (seat,), facts, choices=every, cells=cells, ends=ends)


COACH = "coach"
"""The id of the prompt with the coach's advice."""


def coach_prompts(view: GameView, here: Position, seat: str) -> tuple[Prompt, ...]:
    """The coach's advice for a seat as a prompt; nothing without a seat."""
    moves = advice(here, seat) if seat else []
    if not moves:
        return ()
    name = seat_name(view, seat)
    best, rival = moves[0].value, find_rival(here.game)
    words = rival.behind if rival is not None else Rival.behind
    choices = [
        Choice(
            move.told.text or say("Go on"),
            move.commands if move.told.dice is not None else move.sent,
            "shown",
            detail=coach_detail(move, best, words),
            piece=move.told.piece,
            dice=move.told.dice,
        )
        for move in moves
    ]
    never = Choice(say("No coach in this game"), ({"do": "coach", "on": False},), "quiet")
    cells = {one.told.cell: one for one in reversed(moves) if one.told.cell}
    spots = tuple(
        TargetCell(cell, one.sent, text=str(moves.index(one) + 1), piece=one.told.piece)
        for cell, one in cells.items()
    )
    text = say("The odds are exact, the order is an estimate.")
    title = say("Coach: the best for {player}", player=name)
    ends = tuple(
        replace(end, text=str(number))
        for number, one in enumerate(moves, 1)
        if (end := one.told.end or one.told.hope) is not None
    )
    every = (*choices, never)
    return (Prompt(COACH, title, text, (seat,), choices=every, cells=spots, ends=ends),)


def advice_for(advice: tuple[Prompt, ...], piece: str | None) -> tuple[Prompt, ...]:
    """The coach's advice after a piece is selected: it ends where it does not speak of that one."""
    pieces = {choice.piece for prompt in advice for choice in prompt.choices}
    return advice if piece is None or piece in pieces else ()


def coach_detail(move: RivalMove, best: float, words: str = Rival.behind) -> str:
    """What speaks for an action, and how many points it is behind the best."""
    facts = [
        one.text if one.chance is None else joined([one.text, percent(one.chance)], ": ")
        for one in move.facts
    ]
    behind = best - move.value
    if behind >= 0.05:
        facts.append(say(words[:], n=behind))
    return joined(facts, " · ")
