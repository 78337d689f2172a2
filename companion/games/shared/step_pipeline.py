"""The course of a game as a pipeline of steps that stops where a player must decide.

    PIPELINE = StepPipeline[MyContext]()

    @PIPELINE.step("2.2", after="2.3", waits=lambda state: not state.drawn)
    def draw(ctx: MyContext) -> None: ...          # what happens when the step begins

    PIPELINE.run(ctx, lambda state: state.winner)  # adds events until somebody must decide

A context adds the event `step` with the next step's id; applying it must set the state's `step`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from companion.games.shared.commands import StepContext

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

    def __init__(self) -> None:
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
            ctx.add("step", step=following)
            self.steps[following].enter(ctx)
