from __future__ import annotations

import math
from itertools import combinations

import pytest

from companion.games.tmg.figures.report_figure import ROLES
from companion.overlay.icons import TEXTURES
from companion.overlay.map_theme import (
    FIGURES,
    INK,
    LETTERING,
    LIGHT,
    SIDE_LOOKS,
    WHITE,
    Colour,
    SideStyle,
    mixed,
    side_looks,
)

# How red, green and blue reach eyes without one kind of cone (Viénot, Brettel, Mollon 1999).
CONES = ((17.8824, 43.5161, 4.11935), (3.45565, 27.1554, 3.86714), (0.0299566, 0.184309, 1.46709))


def linear(colour: Colour) -> list[float]:
    return [(part / 255) ** 2.2 for part in colour]


def luminance(colour: Colour) -> float:
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Colour, other: Colour) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def seen_by(colour: Colour, missing: str) -> list[float]:
    """Long, middle and short cone response of a dichromat."""
    long, middle, short = (
        sum(weight * part for weight, part in zip(row, linear(colour), strict=True))
        for row in CONES
    )
    if missing == "long":
        long = 2.02344 * middle - 2.52581 * short
    else:
        middle = 0.494207 * long + 1.24827 * short
    return [long, middle, short]


@pytest.mark.parametrize("missing", ["long", "middle"])
def test_the_two_sides_differ_for_colour_blind_eyes(missing: str) -> None:
    blue, red = (seen_by(look.colour, missing) for look in SIDE_LOOKS[:2])
    # White stands (65.5, 34.5, 1.7): measure against it, cone by cone.
    white = seen_by(WHITE, missing)
    apart = [abs(b - r) / w for b, r, w in zip(blue, red, white, strict=True)]
    assert max(apart) > 0.25


def test_no_two_sides_differ_by_colour_alone() -> None:
    for one, other in combinations(SIDE_LOOKS, 2):
        assert one.mark != other.mark
        assert one.bar != other.bar
        assert one.hatch_deg != other.hatch_deg


@pytest.mark.parametrize("look", SIDE_LOOKS)
def test_words_are_dark_enough_to_read(look: SideStyle) -> None:
    assert contrast(look.colour, WHITE) >= 4.5  # the badge's white letters
    assert contrast(mixed(look.colour, INK, 0.78), LIGHT.ground) >= 4.5
    assert contrast(INK, look.tint(0.3)) >= 7


def test_every_role_of_the_legend_has_a_look() -> None:
    assert set(ROLES) <= set(FIGURES)
    assert all(lettering.size >= 11 for lettering in LETTERING.values())


def test_kinds_of_terrain_differ_by_pattern_or_dash() -> None:
    looks = [look for role, look in FIGURES.items() if role.startswith("terrain-") and look.texture]
    assert all(look.texture in TEXTURES for look in looks)
    assert len({(look.texture, look.colour) for look in looks}) == len(looks)


@pytest.mark.parametrize(
    ("sides", "numbers"),
    [
        (("blue", "red"), (0, 1)),
        (("red", "blue"), (1, 0)),
        (("Stark", "Lannister"), (0, 1)),
        (("Stark", "Blue"), (1, 0)),
        (("green", "a", "b", "c"), (2, 0, 1, 3)),
    ],
)
def test_sides_get_looks(sides: tuple[str, ...], numbers: tuple[int, ...]) -> None:
    looks = side_looks(sides)
    assert tuple(SIDE_LOOKS.index(looks[side]) for side in sides) == numbers


def test_more_sides_than_looks_still_get_one() -> None:
    looks = side_looks([f"s{number}" for number in range(9)])
    assert len(looks) == 10


def test_unknown_roles_are_drawn_plainly() -> None:
    assert LIGHT.figure("terrain-lava") == FIGURES["terrain-plain"]
    assert LIGHT.figure("whatever").line > 0
    assert math.isclose(LIGHT.letters("whatever").size, 15)
