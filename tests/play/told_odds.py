"""*True*: the numbers that a screen tells, against the engine and every throw that its dice show.

Faces that the engine treats alike stand for each other; every other throw is tried, with the number
of rolls that give it. A throw in which players decide something before it ends is not followed.
"""

from __future__ import annotations

import json
import math
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations_with_replacement, takewhile
from typing import Any

from companion.engine.turn.entered_dice import chances_of, lowest
from companion.engine.turn.handles import FormTap
from companion.games.api.play import Plain, Refusal
from companion.games.api.prompt import ActionOffer, DiceRequest, Prompt
from companion.games.api.screen_views import PieceView
from companion.session.fold import Position
from companion.session.game_lookup import find_screen
from models import CompanionError

MOST_THROWS = 400
"""Throws with more different faces are not tried all: then those of a few dice are."""
CLOSE, ROUNDED = 1e-9, 5.1e-5
"""Chances of counts are exact; that of an offer or a fact has four digits."""
ENDS = ("act", "turn")
"""What is asked when an attack is over."""


PRICE = re.compile(r"\((\d+) gold\)$")
"""What an option of a form says that it costs."""


class Untrue(AssertionError):
    """A number on the screen that the engine does not use."""


# -- what the engine makes of dice ---------------------------------------------------------------


def after(here: Position, state: Any, commands: Sequence[Plain]) -> tuple[Any, list[Any]] | str:
    """The state after commands, with their events; a refusal as its reason."""
    play = here.play
    assert play is not None
    events: list[Any] = []
    for command in commands:
        try:
            decision = play.decide(state, command)
        except CompanionError as error:
            return str(error)
        if isinstance(decision, Refusal):
            return decision.why
        for event in decision.events:
            state = play.apply(state, event)
        events += decision.events
    return state, events


def result(here: Position, commands: Sequence[Plain]) -> Any:
    """What commands come to for the players: pieces, score, what is asked next; or a refusal."""
    done = after(here, here.state, commands)
    if isinstance(done, str):
        return done
    state, screen = done[0], find_screen(here.game)
    prompts = screen.prompts(state)
    asked = [(p.id, str(p.title), p.seats, p.pieces) for p in prompts]
    counted = [(p.dice.count, p.dice.wanted) if p.dice is not None else None for p in prompts]
    facts = [str(fact.text) for p in prompts for fact in p.facts]
    return asked, counted, facts, screen.pieces(state), screen.score(state)


def asked_next(here: Position, commands: Sequence[Plain]) -> Any:
    """What the game waits for after commands; or a refusal."""
    done = after(here, here.state, commands)
    if isinstance(done, str):
        return done
    return [(p.id, p.seats) for p in find_screen(here.game).prompts(done[0])]


def thrown(commands: Sequence[Plain], request: DiceRequest, **given: Any) -> tuple[Plain, ...]:
    """The commands with dice; dice that follow a failure show 1."""
    extra = {more.field: 1 if more.single else [1] * more.count for more in request.extra}
    if request.keep_field:  # nobody rerolls: faces and counts come to the same
        extra[request.keep_field] = True
    return (*commands[:-1], {**commands[-1], **extra, **given})


def with_faces(
    commands: Sequence[Plain], request: DiceRequest, faces: Sequence[int]
) -> tuple[Plain, ...]:
    """The commands with every face of the request."""
    signs: list[Any] = (
        [request.symbols[face - 1].symbol for face in faces] if request.symbols else []
    )
    given = signs or list(faces)
    return thrown(commands, request, **{request.field: given[0] if request.single else given})


def throws(count: int, weights: Mapping[int, int], sides: int) -> Iterator[tuple[list[int], float]]:
    """Every throw of faces that stand for so many others each, with its chance."""
    for faces in combinations_with_replacement(sorted(weights), count):
        ways = math.factorial(count)
        for face, number in Counter(faces).items():
            ways = ways // math.factorial(number) * weights[face] ** number
        yield list(faces), ways / sides**count


def alike(sides: int, same: Callable[[int, int], bool]) -> dict[int, int]:
    """Faces that stand for others, with how many they stand for."""
    weights: dict[int, int] = {}
    for face in range(1, sides + 1):
        known = next((one for one in weights if same(one, face)), face)
        weights[known] = weights.get(known, 0) + 1
    return weights


# -- requests ------------------------------------------------------------------------------------


def check_request(here: Position, commands: Sequence[Plain], request: DiceRequest) -> str:
    """A request of dice against the engine: need, count and chances; what kind was checked."""
    if request.symbols:
        return check_symbols(here, commands, request)
    if lowest(request):
        return check_totals(here, commands, request)
    if request.count_field and request.wanted is not None:
        return check_counts(here, commands, request)
    if request.wanted is not None and request.count == 1:
        return check_single(here, commands, request)
    return ""


def check_counts(here: Position, commands: Sequence[Plain], request: DiceRequest) -> str:
    """Dice that each succeed or fail: every throw against the count of its successes."""
    count, sides, need = request.count, request.sides, request.wanted
    assert need is not None

    def outcome(faces: Sequence[int]) -> Any:
        return result(here, with_faces(commands, request, faces))

    # Beside misses alone a face may change nothing: a unit with few wounds dies of either throw,
    # or it dies of what came before.
    rests = ([1] * (count - 1), [sides] * (count - 1))
    alone = {face: [outcome([face, *rest]) for rest in rests] for face in range(1, sides + 1)}
    weights = alike(
        sides, lambda one, other: (one >= need, alone[one]) == (other >= need, alone[other])
    )
    chances: dict[int, float] = defaultdict(float)
    for faces, chance in throws(count, weights, sides):
        hits = sum(face >= need for face in faces)
        chances[hits] += chance
        told = {request.count_field: hits}
        if request.top_field and hits:
            told[request.top_field] = faces.count(sides)
        if outcome(faces) != result(here, thrown(commands, request, **told)):
            raise Untrue(f"{short(commands)}: {faces} is not {told}, told {need}+")
    if misses_again(here, commands, request):
        missed = (sum(face < need for face in range(1, sides + 1)) / sides) ** 2
        for hits in range(count + 1):
            chances[hits] = math.comb(count, hits) * (1 - missed) ** hits * missed ** (count - hits)
    compare(chances_of(request), chances, 0, commands)
    return "counts"


def misses_again(here: Position, commands: Sequence[Plain], request: DiceRequest) -> bool:
    """Whether the side that rolls may reroll every miss: its chances are those after it."""
    rolled = {**commands[-1], request.field: [1] * request.count}
    done = after(here, here.state, (*commands[:-1], rolled))
    asked = find_screen(here.game).prompts(done[0]) if not isinstance(done, str) else ()
    offers = [one for prompt in asked for one in prompt.data.get("rerolls", ())]
    return any(one["because"] == "charge bonus" for one in offers)


def check_totals(here: Position, commands: Sequence[Plain], request: DiceRequest) -> str:
    """Dice that count together: every total against faces of it, and the chances."""
    low, count, sides = lowest(request), request.count, request.sides
    chances: dict[int, float] = defaultdict(float)
    ends = {}
    for faces, chance in throws(count, dict.fromkeys(range(1, sides + 1), 1), sides):
        total = sum(faces)
        chances[total] += chance
        by_faces = result(here, with_faces(commands, request, faces))
        if total not in ends:
            ends[total] = result(here, thrown(commands, request, **{request.count_field: total}))
        if ends[total] != by_faces:
            raise Untrue(f"{short(commands)}: {faces} is not the total {total}")
    compare(request.chances, chances, low, commands)
    said = {total: passed(here, thrown(commands, request, total=total)) for total in ends}
    check_best(said if all(said.values()) else ends, request.wanted, commands)
    return "totals"


def passed(here: Position, commands: Sequence[Plain]) -> list[bool]:
    """What the engine says of a test: a failed one may cost nothing."""
    done = after(here, here.state, commands)
    events = done[1] if not isinstance(done, str) else ()
    return [event.data["passed"] for event in events if "passed" in event.data]


def check_single(here: Position, commands: Sequence[Plain], request: DiceRequest) -> str:
    """One die: the faces from the told one on succeed, and no other does.

    What is asked next tells a success; a face may do something besides (a 1 disorders a charge).
    """
    faces = range(1, request.sides + 1)
    ends = {face: asked_next(here, with_faces(commands, request, [face])) for face in faces}
    check_best(ends, request.wanted, commands)
    return "single"


def check_best(ends: Mapping[int, Any], wanted: int | None, commands: Sequence[Plain]) -> None:
    """What is told to succeed comes to the same as the highest throw, and nothing else does."""
    best = max(ends)
    if wanted is None or wanted > best:
        return
    passed = {number for number, end in ends.items() if end == ends[best]}
    if passed != {number for number in ends if number >= wanted}:
        raise Untrue(f"{short(commands)}: {sorted(passed)} succeed, told {wanted}")


def check_symbols(here: Position, commands: Sequence[Plain], request: DiceRequest) -> str:
    """Dice of symbols: the hits that the engine counts, throw by throw, against the told chances.

    Hits that the target ignores are told beside them: the engine counts so many fewer. Those of a
    blocked retreat come from the morale flags, those after the attack from fires at the Regroup.
    """
    if not request.chances:
        return ""
    signs = request.symbols
    weights = alike(request.sides, lambda one, other: signs[one - 1] == signs[other - 1])
    if math.comb(request.count + len(weights) - 1, request.count) > MOST_THROWS:
        return ""
    found: list[tuple[int, float]] = []
    for faces, chance in throws(request.count, weights, request.sides):
        done = after(here, here.state, with_faces(commands, request, faces))
        events = done[1] if not isinstance(done, str) else []
        attack = takewhile(lambda event: event.type != "attack-ended", events)
        hits = [event.data.get("hits") for event in attack if not event.data.get("blocked")]
        counted = [number for number in hits if isinstance(number, int)]
        if not counted:
            return ""  # a reroll or another decision comes first
        found.append((counted[-1], chance))
    most = max(number for number, _ in found)
    ignored = max(n for n, chance in enumerate(request.chances) if chance) - most
    told: dict[int, float] = defaultdict(float)
    for number, chance in enumerate(request.chances):
        told[max(0, number - ignored)] += chance
    chances: dict[int, float] = defaultdict(float)
    for number, chance in found:
        chances[number] += chance
    compare([told[n] for n in range(request.count + 1)], chances, 0, commands)
    return "symbols"


def compare(
    told: Sequence[float], exact: Mapping[int, float], low: int, commands: Sequence[Plain]
) -> None:
    """Told chances against the counted ones."""
    for number, chance in enumerate(told, low):
        is_ = exact.get(number, 0.0)
        if abs(chance - is_) > CLOSE:
            raise Untrue(f"{short(commands)}: chance of {number} is {is_}, told {chance}")


# -- offers and facts ------------------------------------------------------------------------------


def check_offer(here: Position, offer: ActionOffer) -> str:
    """An offer with one die: who arrives at which face, and the told chance."""
    request = offer.dice
    if request is None or offer.verdict != "yes" or request.wanted is None or request.count != 1:
        return ""
    if request.symbols or not offer.commands:
        return ""
    check_single(here, offer.commands, request)
    exact = max(0, min(request.sides, request.sides + 1 - request.wanted)) / request.sides
    if offer.chance is not None and abs(offer.chance - exact) > ROUNDED:
        raise Untrue(f"{short(offer.commands)}: chance {exact}, told {offer.chance}")
    return "offer"


def check_facts(here: Position, prompt: Prompt) -> str:
    """Chances told beside dice: that of passing, and that the target is lost at the end."""
    request = prompt.dice
    if request is None:
        return ""
    told = {str(fact.text): fact.chance for fact in prompt.facts if fact.chance is not None}
    if lowest(request) and request.wanted is not None:
        above = chances_of(request)[max(0, request.wanted - lowest(request)) :]
        for text, chance in told.items():
            if abs(chance - sum(above)) > ROUNDED:
                raise Untrue(f"{prompt.id}: {text} is {sum(above)}")
        return "passing" if told else ""
    losing = [
        chance for text, chance in told.items() if text.startswith("eliminated") or "kills" in text
    ]
    for chance in losing:
        exact = lost_chance(here, here.state, prompt)
        if exact is None:
            return ""
        if abs(chance - exact) > ROUNDED:
            raise Untrue(f"{prompt.id}: {exact} are lost, told {chance}")
    return "losing" if losing else ""


def check_price(here: Position, target: FormTap, chance: random.Random) -> str:
    """The price that one of a form's options tells, against the gold that is paid when the form is
    sent as it stands."""
    asked = (entry for entry in target.form.asked() if entry.kind == "option")
    priced = [
        (entry.name, option.value, int(told[1]))
        for entry in asked
        for option in entry.options
        if (told := PRICE.search(option.text))
    ]
    if not priced:
        return ""
    name, value, price = chance.choice(priced)
    filled = target.form.with_values({name: value})
    values = filled if isinstance(filled, Refusal) else filled.finished()
    if isinstance(values, Refusal):
        return ""  # more is asked for
    command = {**target.command, **values}
    done = after(here, here.state, [command])
    if isinstance(done, str):
        return ""
    play, seat = here.play, command["seat"]
    assert play is not None
    held, left = (play.view(one)["seats"][seat]["gold"] for one in (here.state, done[0]))
    if held - left != price:
        raise Untrue(f"price {price} is told, {held - left} is paid: {short(command)}")
    return "price"


def lost_chance(
    here: Position, state: Any, prompt: Prompt, tried: list[int] | None = None
) -> float | None:
    """The chance that a piece is lost that is not lost now, by all dice until no more are asked.

    None where the players decide something before that, or where there are too many throws.
    """
    tried = tried if tried is not None else [0]
    screen, request = find_screen(here.game), prompt.dice
    assert request is not None
    lost = fallen(screen.pieces(state))
    if request.symbols:
        signs = request.symbols
        weights = alike(request.sides, lambda one, other: signs[one - 1] == signs[other - 1])
    else:
        need = request.wanted or 1
        weights = alike(
            request.sides,
            lambda one, other: (
                (one >= need, one == request.sides) == (other >= need, other == request.sides)
            ),
        )
    if math.comb(request.count + len(weights) - 1, request.count) > MOST_THROWS:
        return None
    chance = 0.0
    for faces, share in throws(request.count, weights, request.sides):
        done = after(here, state, with_faces((request.command,), request, faces))
        tried[0] += 1
        if isinstance(done, str) or tried[0] > MOST_THROWS:
            return None
        if fallen(screen.pieces(done[0])) - lost:
            chance += share
            continue
        following = screen.prompts(done[0])
        first = following[0] if following else None
        if first is None or first.id in ENDS:
            continue
        if first.dice is None or first.choices or first.forms or len(following) > 1:
            return None
        more = lost_chance(here, done[0], first, tried)
        if more is None:
            return None
        chance += share * more
    return chance


def fallen(pieces: Sequence[PieceView]) -> set[str]:
    """The pieces of which nothing is left."""
    return {piece.id for piece in pieces if piece.state == "lost" or piece.left == 0}


def short(thing: object) -> str:
    """Anything in a line of text."""
    return (json.dumps(thing, default=str) if isinstance(thing, tuple | list) else str(thing))[:300]
