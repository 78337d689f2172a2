"""The course of a game: a pipeline of steps that stops where players decide, and action windows.

>>> window = ActionWindow("AW", "a")
>>> order = ("a", "b", "c")
>>> window = window.passed(order).acted(order)      # a passes, b acts
>>> window.holder, window.passes
('c', 0)
>>> window.passed(order).passed(order).passed(order).is_closed(order)
True

    PIPELINE = StepPipeline[MyContext](step_begun)

    @PIPELINE.step("2.2", after="2.3", waits=lambda state: not state.drawn)
    def draw(ctx: MyContext) -> None: ...          # what happens when the step begins

    PIPELINE.run(ctx, lambda state: state.winner)  # adds events until somebody must decide

A context adds the event with the next step's id; applying it must set the state's `step`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from companion.games.shared.commands import StepContext
from companion.games.shared.event_registry import EventKind


@dataclass(frozen=True, slots=True)
class ActionWindow:
    """An open window: who has the opportunity, and how many passed in a row.

    `order` is the order of the players who are still in the game.
    """

    id: str
    holder: str
    passes: int = 0

    def following(self, order: Sequence[str]) -> str:
        """The player after the holder."""
        return order[(order.index(self.holder) + 1) % len(order)]

    def acted(self, order: Sequence[str]) -> ActionWindow:
        """The holder acted: everybody gets the opportunity again."""
        return replace(self, holder=self.following(order), passes=0)

    def passed(self, order: Sequence[str]) -> ActionWindow:
        return replace(self, holder=self.following(order), passes=self.passes + 1)

    def is_closed(self, order: Sequence[str]) -> bool:
        """Whether all players passed one after another."""
        return self.passes >= len(order)

    def without(self, player: str, order: Sequence[str]) -> ActionWindow:
        """The window after a player left; `order` still has that player.

        >>> window = ActionWindow("AW", "a").passed(("a", "b", "c")).passed(("a", "b", "c"))
        >>> window.without("a", ("a", "b", "c"))  # b passed, and c is still to be asked
        ActionWindow(id='AW', holder='c', passes=1)
        """
        if self.holder == player:
            return replace(self, holder=self.following(order))
        before = (order.index(self.holder) - order.index(player)) % len(order)
        return replace(self, passes=self.passes - (before <= self.passes))


C = TypeVar("C", bound=StepContext[Any])
Enter = Callable[[C], None]


@dataclass(frozen=True, slots=True)
class PipelineStep(Generic[C]):
    """A step: what happens when it begins, whether it waits for players, what comes after it."""

    id: str
    enter: Enter[C]
    waits: Callable[[Any], bool]
    after: Callable[[Any], str]


class StepPipeline(Generic[C]):
    """The steps of a game by id, in the order in which they are registered."""

    def __init__(self, begun: EventKind[Any, ...]) -> None:
        self.begun = begun
        self.steps: dict[str, PipelineStep[C]] = {}

    def __iter__(self) -> Iterator[str]:
        """The ids of the steps."""
        return iter(self.steps)

    def step(
        self,
        name: str,
        after: str | Callable[[Any], str],
        waits: Callable[[Any], bool] = lambda state: False,
    ) -> Callable[[Enter[C]], Enter[C]]:
        """A decorator that registers what happens when a step begins."""

        def register(enter: Enter[C]) -> Enter[C]:
            following = (lambda state: after) if isinstance(after, str) else after
            self.steps[name] = PipelineStep(name, enter, waits, following)
            return enter

        return register

    def run(self, ctx: C, stops: Callable[[Any], bool]) -> None:
        """Go on from step to step until one waits for players, or the game stops."""
        while not stops(ctx.state):
            here = self.steps[ctx.state.step]
            if here.waits(ctx.state):
                return
            following = here.after(ctx.state)
            ctx.add(self.begun, step=following)
            self.steps[following].enter(ctx)
