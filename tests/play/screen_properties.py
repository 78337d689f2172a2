"""Four properties of every screen, on random games played through the records of `play --text`.

    python -m tests.play.screen_properties 500            # so many games of each kind
    python -m tests.play.screen_properties 20 --game thrones --seed 7

*true*: numbers told are the numbers used (`told_odds.py`); *accepted*: what is offered is never
refused; *asked*: no player's decision is taken by the program; *reachable*: every option of the
protocol can be tapped. And every view has the fields of the contract (`contract_fields.py`).
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.cli.text_play import answer_json
from companion.engine.turn.client import Client
from companion.engine.turn.filled_form import FilledForm
from companion.engine.turn.handles import (
    AgreeTap,
    CancelTap,
    CoachTap,
    DiceTap,
    FormTap,
    LookTap,
    MoveTap,
    OfferTap,
    PlaceTap,
    SelectTap,
    SendTap,
    TapTarget,
)
from companion.engine.turn.running_game import RunningGame
from companion.games.api.play import Plain, Refusal
from companion.games.api.prompt import DiceRequest
from companion.session import log
from companion.session.fold import Position
from companion.session.game_lookup import find_screen
from companion.session.session import Session
from tests.games.random_states import KINDS, opening
from tests.play.contract_fields import problems
from tests.play.told_odds import (
    Untrue,
    check_facts,
    check_offer,
    check_price,
    check_request,
    short,
)

BROKEN = ("BUG", "INPUT", "STALE")
"""Reasons of a refusal that are never the players' fault."""
WEIGHTS: dict[str, float] = {
    "dice": 12,
    "offers": 6,
    "choices": 4,
    "cells": 4,
    "aimed": 4,
    "pieces": 1,
    "forms": 1,
    "pages": 1,
    "coach": 0.2,
    "ends": 0.6,
}
"""How often each kind of tap is tried where several are offered."""
ENDS = ("choice:pass", "choice:end-turn", "choice:end", "choice:wait", "not-now")
"""Buttons that end a turn: tapped as often as others, nothing would ever be attacked."""
PRICED = ("thrones",)
"""Games whose forms tell prices, on the players' own screens."""
STEPS = 60
"""The taps of one game."""


class PropertyBroken(AssertionError):
    """A screen that told, offered, took or hid something wrong."""


@dataclass
class ScreenGame:
    """A game that is played by taps at a shared tablet, with a check at every view."""

    session: Session
    chance: random.Random
    taps: Counter[str] = field(default_factory=Counter)
    checks: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.game = RunningGame(self.session, moves_trays=True)
        self.client = Client(self.game)

    # -- playing -------------------------------------------------------------------------------

    def play(self, steps: int, checked: float) -> None:
        """Tap at random; every number is checked, every now and then what can be reached."""
        view = self.client.view().to_json()
        for _ in range(steps):
            if wrong := problems(view):
                raise PropertyBroken(f"fields: {wrong[:3]}")
            if view["winner"]:
                return
            self.check_dice()
            if self.chance.random() < checked:
                self.check_reachable()
            intent = self.intent(view)
            view = self.tap(intent)

    def tap(self, intent: dict[str, Any]) -> dict[str, Any]:
        """Send an intent that was offered; it must be accepted."""
        target = self.client.handles.find(intent.get("tap"))
        before = self.session.history.now
        answer = answer_json(self.client, json.dumps(intent).encode())
        if "refused" in answer:
            told = answer["refused"]
            if isinstance(target, FormTap) and free(target) and told["why"] not in BROKEN:
                self.taps["refused form"] += 1  # values that players make up together
                return self.client.view().to_json()
            raise PropertyBroken(f"accepted: {told['why']} {told['say']} {intent} {short(target)}")
        self.taps[type(target).__name__] += 1
        if "undo" not in intent:  # it takes steps back and makes none
            self.check_asked(before, target)
        view: dict[str, Any] = answer["view"]
        return view

    def intent(self, view: Mapping[str, Any]) -> dict[str, Any]:
        """One of the intents that a view offers."""
        chance = self.chance
        if chance.random() < 0.1 and view["pieces"]:
            return {"select": chance.choice(view["pieces"])["id"]}
        offered = {kind: list(taps) for kind, taps in offered_taps(view) if taps}
        if not offered:
            return {"select": None} if view["selected"] else {"undo": True}
        against = [offer for offer in offered.get("offers", ()) if offer["target"]]
        if against and chance.random() < 0.6:  # an attack, with what follows it
            return self.filled(chance.choice(against))
        kinds = sorted(offered)
        (kind,) = chance.choices(kinds, [WEIGHTS[kind] for kind in kinds])
        return self.filled(chance.choice(offered[kind]))

    def filled(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """A tap on a record, with dice or values at random."""
        chance, intent = self.chance, {"tap": record["tap"]}
        if "sides" in record:
            if record["app_rolls"] and chance.random() < 0.3:
                return intent
            if record["by_count"] and chance.random() < 0.5:
                return {**intent, "count": int(chance.choice(list(record["chances"])))}
            if not record["by_faces"]:
                return {**intent, "count": int(chance.choice(list(record["chances"])))}
            faces = [chance.randint(1, record["sides"]) for _ in range(record["count"])]
            return {**intent, "faces": faces}
        if "fields" in record:
            return {**intent, "values": self.values(record["fields"])}
        return intent

    def values(self, fields: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """Values for the fields of a form, within what it says."""
        chance, values = self.chance, dict[str, Any]()
        for entry in fields:
            known = [value for value in values.values() if not isinstance(value, list)]
            if entry["only_for"] and not any(value in entry["only_for"] for value in known):
                continue
            options = [option["value"] for option in entry["options"]]
            if entry["kind"] == "several" and entry["value"]:  # begun: filled up as players do
                more = [option for option in options if option not in entry["value"]]
                more = chance.sample(more, entry["most"] - len(entry["value"]))
                values[entry["name"]] = [*entry["value"], *more]
            elif entry["kind"] == "several":
                count = chance.randint(1, max(1, min(len(options), entry["most"])))
                values[entry["name"]] = chance.sample(options, min(count, len(options)))
            elif options:
                values[entry["name"]] = chance.choice(options)
            elif entry["kind"] == "number":
                values[entry["name"]] = chance.randint(entry["least"], min(entry["most"], 9))
            else:
                values[entry["name"]] = "a card of ours"
        return values

    # -- asked ---------------------------------------------------------------------------------

    def check_asked(self, before: Position, target: TapTarget | None) -> None:
        """A step that nobody tapped happens only where exactly one thing can happen."""
        new = list(
            itertools.takewhile(lambda one: one is not before, self.session.history.now.down())
        )
        tapped = commands_of(target)
        steps = [one for one in reversed(new) if is_step(one)]
        for step in steps[len(tapped) or 1 :]:
            assert step.below is not None
            self.checks["asked"] += 1
            ways = open_ways(step.below)
            if len(ways) != 1:
                raise PropertyBroken(f"asked: {step.title!r} by itself, of {len(ways)}: {ways[:4]}")

    # -- true ----------------------------------------------------------------------------------

    def check_dice(self) -> None:
        """The told numbers of every dice request of the view against the engine."""
        here = self.session.history.now
        try:
            for target in targets_of(self.client):
                if isinstance(target, DiceTap) and target.dice.place == 0:
                    self.checked(check_request(here, target.commands, target.dice.requests[0]))
                elif isinstance(target, OfferTap):
                    self.checked(check_offer(here, target.offer))
            for prompt in self.game.view(None).prompts:
                self.checked(check_facts(here, prompt))
            for target in self.own_targets() if here.game in PRICED else ():
                if isinstance(target, FormTap):
                    self.checked(check_price(here, target, self.chance))
        except Untrue as error:
            raise PropertyBroken(f"true: {error}") from error

    def checked(self, what: str) -> None:
        """Count a number that was held against the engine."""
        if what:
            self.checks[f"true {what}"] += 1

    # -- reachable -----------------------------------------------------------------------------

    def check_reachable(self) -> None:
        """Every option of the protocol is sent by some tap, at whatever piece or seat."""
        here = self.session.history.now
        play = here.play
        assert play is not None
        wanted = {}
        for side in (None, *play.moment(here.state).sides):
            for prompt in play.options(here.state, side):
                for option in prompt.get("options", ()):
                    wanted[json.dumps(option, sort_keys=True)] = option
        if not wanted:
            return
        reached = list(self.everything())
        for option in wanted.values():
            self.checks["reachable"] += 1
            if not any(sends(target, option) for target in reached):
                raise PropertyBroken(f"reachable: {json.dumps(option)} has no tap")

    def everything(self) -> Iterator[TapTarget]:
        """What can be tapped in this position, at every selection and by every seat alone."""
        seats = [None, *(seat.id for seat in self.game.view(None).seats)]
        for seat in seats:
            viewer = Client(self.game, seat)
            view = viewer.view()
            yield from targets_of(viewer)
            for piece in view.pieces if seat is None else ():  # the shared tablet acts for all
                viewer.selected = piece.id
                viewer.view()
                yield from targets_of(viewer)

    def own_targets(self) -> Iterator[TapTarget]:
        """What each player can tap on an own screen, with what is for the own eyes only."""
        for seat in self.game.view(None).seats:
            viewer = Client(self.game, seat.id)
            viewer.view()
            yield from targets_of(viewer)


def free(target: FormTap) -> bool:
    """Whether players make up a form's values: the rules judge them together, not one by one."""
    return not target.form.quick


def targets_of(client: Client) -> list[TapTarget]:
    """What the handles of a client's newest view stand for."""
    return client.handles.targets()


def offered_taps(view: Mapping[str, Any]) -> Iterator[tuple[str, list[Mapping[str, Any]]]]:
    """The records with a tap in a view by their kind, the corrections of a piece apart."""
    for kind in ("dice", "pieces", "cells", "forms"):
        yield kind, [record for prompt in view["prompts"] for record in prompt[kind]]
    choices = [choice for prompt in view["prompts"] for choice in prompt["choices"]]
    kinds = {"coach": "coach"} | dict.fromkeys(ENDS, "ends")
    for kind in ("choices", "coach", "ends"):
        yield kind, [one for one in choices if kinds.get(one["name"], "choices") == kind]
    yield "offers", view["offers"]
    yield "aimed", [cell for offer in view["offers"] for cell in offer["cells"]]
    yield "pages", [choice for choice in page_choices(view) if choice["asks"] != ["look"]]


def page_choices(view: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The buttons of the pages and of the score, the corrections of a piece apart."""
    for page in view["pages"]:
        for section in page["sections"]:
            yield from (choice for box in section["boxes"] for choice in box["choices"])
        yield from page["hands"]
    score = view["score_page"] or {"lines": [], "confirm": None}
    yield from (choice for line in score["lines"] for choice in line["choices"])
    if score["confirm"] is not None:
        yield score["confirm"]


# -- asked and reachable ---------------------------------------------------------------------------


def is_step(position: Position) -> bool:
    """Whether a position is a step of the game and not new positions of trays."""
    events = position.step.events() if position.step is not None else ()
    own = [event for event in events if not event.type.startswith("session.")]
    return bool(own) and own[0].type != "table"


def open_ways(position: Position) -> list[str]:
    """Everything that could happen at a position: complete commands, and words left open."""
    play = position.play
    assert play is not None
    ways: dict[str, None] = {}
    for side in (None, *play.moment(position.state).sides):
        for prompt in play.options(position.state, side):
            ways |= dict.fromkeys(
                json.dumps(one, sort_keys=True) for one in prompt.get("options", ())
            )
            ways |= dict.fromkeys(prompt.get("open", ()))
    return list(ways)


def commands_of(target: TapTarget | None) -> tuple[Plain, ...]:
    """The commands that a tap sends."""
    match target:
        case SendTap(commands) | DiceTap(_, commands):
            return commands
        case OfferTap(offer):
            return offer.commands
    return ()


def sends(target: TapTarget, option: Plain) -> bool:
    """Whether a tap, with dice and values that it asks for, sends an option."""
    match target:
        case SendTap(commands, dice):
            kept = {"keep"} if option["do"] == "roll" else set()  # no die is left to reroll
            return any(fits(one, option, dice_fields(dice) | kept) for one in commands)
        case OfferTap(offer):
            sent = [*offer.commands, *(one for cell in offer.cells for one in cell.commands)]
            free = dice_fields(offer.dice)
            acts = option["do"] in ("action", "free-action")
            if acts and "zone" not in option:  # the screen asks for the arc
                free |= {"zone"}
            return any(fits(one, option, free) for one in sent)
        case DiceTap(dice, commands):
            return any(fits(one, option, dice_fields(dice.requests[0])) for one in commands)
        case FormTap(form, command):
            return form_sends(form, command, option)
        case SelectTap() | LookTap() | MoveTap() | PlaceTap() | AgreeTap() | CoachTap():
            return False
        case CancelTap():
            return False


def dice_fields(dice: DiceRequest | None) -> set[str]:
    """The fields that dice complete, or that accept them at once."""
    if dice is None:
        return set()
    own = {dice.field, dice.count_field, dice.keep_field}
    return own | {name for more in dice.extra for name in dice_fields(more)}


def fits(command: Plain, option: Plain, free: set[str]) -> bool:
    """Whether a command is the option but for some fields."""
    keys = {*command, *option} - free
    return all(plain(command.get(key)) == plain(option.get(key)) for key in keys)


def plain(value: Any) -> Any:
    """A value as JSON has it; a field that is false is as good as none."""
    return json.dumps(value) if value not in (None, False) else None


def form_sends(form: FilledForm, command: Plain, option: Plain) -> bool:
    """Whether a form's values can make an option."""
    if any(plain(option.get(key)) != plain(value) for key, value in command.items()):
        return False
    values = {key: value for key, value in option.items() if key not in command}
    filled = form.with_values(values)
    return not isinstance(filled, Refusal) and not isinstance(filled.finished(), Refusal)


# -- games -----------------------------------------------------------------------------------------


def play_game(kind: str, seed: int, steps: int = STEPS, checked: float = 0.25) -> ScreenGame:
    """One random game of a kind, from its practice game or from a random set-up."""
    chance = random.Random(f"{kind} {seed}")
    with (
        tempfile.TemporaryDirectory() as folder,
        Session.open(Path(folder) / "practice.game") as session,
    ):
        practice = chance.random() < 0.5 and find_screen(kind).practice(kind)
        for command in practice or opening(kind, chance):
            answer = session.answer(
                {"seed": seed, **command} if command["do"] == "set-up" else command
            )
            assert answer["ok"], answer
        game = ScreenGame(session, chance)
        game.play(steps, checked)
        return game


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("games", type=int, nargs="?", default=20, help="of each kind")
    reader.add_argument("--seed", type=int, default=0, help="the number of the first game")
    reader.add_argument("--game", choices=KINDS, help="this kind only")
    reader.add_argument("--steps", type=int, default=STEPS)
    asked = reader.parse_args()
    log.SYNCHRONOUS = "OFF"  # the disk is not the subject
    failed = 0
    for kind in (asked.game,) if asked.game else KINDS:
        taps: Counter[str] = Counter()
        checks: Counter[str] = Counter()
        for seed in range(asked.seed, asked.seed + asked.games):
            try:
                game = play_game(kind, seed, asked.steps)
            except PropertyBroken as error:
                failed += 1
                print(f"{kind} {seed}: {error}", file=sys.stderr)
                continue
            taps, checks = taps + game.taps, checks + game.checks
        print(f"{kind}: {asked.games} games, {dict(taps)}, {dict(checks)}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
