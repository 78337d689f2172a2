"""What the key of a flag says is what follows, on random boards (BOW-RET-6, BOW-KEY-7, -18)."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from companion.games.api.play import Accepted
from companion.games.westeros.play import PLAY
from companion.games.westeros.screen import SCREEN
from companion.geometry.grid.grids import HexGrid
from tests.games.westeros.clash import Clash

TARGET = (5, 8)
AROUND = [(x, y) for x in range(3, 8) for y in range(6, 11) if (x, y) != TARGET]
GROUND = ("river", "river", "forest", "hill", "fire-1")
READINGS = ("melee-retreat=directional", "retreat-path=straight", "fire-retreat=free")
RANKS = ("green", "blue", "red")


def drawn(chance: random.Random) -> Clash:
    """An attacker near a target, others in the way, and ground that stops a retreat."""
    cells = [f"{x},{y}" for x, y in chance.sample(AROUND, len(AROUND))]
    ground = {one: chance.choice(GROUND) for one in cells[: chance.randint(0, 10)]}
    attacker: Any = (chance.choice(("foot", "archer", "hound")), chance.choice(RANKS), cells[-1])
    target: Any = (chance.choice(("foot", "stalwart")), chance.choice(RANKS), "5,8")
    others: list[Any] = [("foot", "green", one) for one in cells[-6:-1]]
    read = tuple(one for one in READINGS if chance.random() < 0.15)
    return Clash([attacker, *others[:2]], [target, *others[2:]], ground=ground, readings=read)


def told_and_done(game: Clash, chance: random.Random) -> tuple[str, int, int, int]:
    """What a flag says; then only flags are rolled: how many count, the hexes, the figures lost."""
    (prompt,) = SCREEN.prompts(game.state)
    assert prompt.dice is not None
    (told,) = {str(one.detail) for one in prompt.dice.symbols if one.symbol == "M"}
    before, flags = game.unit("l1"), prompt.dice.count
    game.do("roll", faces=["M"] * flags)
    while (asked := SCREEN.prompts(game.state)[0]).id in ("reroll", "stalwart", "retreat"):
        if asked.id == "retreat":
            column, row = chance.choice(asked.cells).cell
            game.do("retreat", to=f"{column},{row}")
        elif asked.id == "stalwart":
            ignores = chance.random() < 0.5
            flags -= ignores
            game.do("stalwart", ignore=ignores)
        else:
            game.do("reroll")
    after = game.unit("l1")
    far = HexGrid.distance(before.cell or TARGET, after.cell) if after.cell else 0
    return told, flags, far, before.figures - after.figures


@pytest.mark.rule("BOW-RET-1", "BOW-RET-6", "BOW-KEY-7", "BOW-KEY-18")
@pytest.mark.parametrize("seed", range(60))
def test_a_flag_does_what_its_key_says(seed: int) -> None:
    chance = random.Random(seed)
    about, able = {"unit": "s1", "target": "l1"}, list[str]()
    while not able:
        game = drawn(chance).order("s1")
        words = ("hounds", "attack")
        decided = {one: PLAY.decide(game.state, {"do": one, **about}) for one in words}
        able = [one for one in words if isinstance(decided[one], Accepted)]
    game.do(able[0], **about)
    told, flags, far, lost = told_and_done(game, chance)
    room = re.search(r"after (\d+) hex", told)
    steps = 0 if "1 hit, for" in told else min(flags, int(room[1]) if room else flags)
    assert lost == min(4, flags - steps), told
    assert (far > 0) == (steps > 0) or lost == 4, told
    assert far <= steps, told
