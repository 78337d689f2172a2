"""The map's theme: how each role is drawn, safe for colour-blind players and never by colour
alone, and the typefaces that come with the companion.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

Colour = tuple[int, int, int]

WHITE: Colour = (255, 255, 255)
INK: Colour = (38, 36, 33)
SOFT_INK: Colour = (104, 99, 90)
BLUE: Colour = (29, 100, 180)
RED: Colour = (184, 39, 46)
GREEN: Colour = (59, 122, 44)
VIOLET: Colour = (106, 69, 170)
ORANGE: Colour = (166, 83, 22)
BONY: Colour = (109, 104, 88)
TEAL: Colour = (14, 122, 96)
BRIGHT_TEAL: Colour = (70, 201, 165)
NIGHT: Colour = (16, 19, 26)
CREAM: Colour = (244, 239, 228)
GOLD: Colour = (224, 164, 20)
EARTH: Colour = (120, 96, 66)
WOOD: Colour = (74, 122, 66)
WATER: Colour = (88, 130, 134)
STONE: Colour = (112, 112, 114)
BONE: Colour = (134, 122, 112)
CRIMSON: Colour = (156, 60, 70)
SAND: Colour = (190, 162, 112)
FLAME: Colour = (214, 92, 24)


@dataclass(frozen=True, slots=True)
class SideStyle:
    """How one side is distinguished: colour, mark, front bar and hatching.

    `colour` is drawn on light ground, `edge` on dark ground and on the picture; white letters are
    readable on `fill`.
    """

    colour: Colour
    mark: str = "round"
    bar: str = "solid"
    hatch_deg: float = 45.0
    edge: Colour = (154, 161, 173)
    fill: Colour = (90, 84, 72)

    def tint(self, strength: float) -> Colour:
        """The side's colour mixed with white."""
        return mixed(self.colour, WHITE, strength)


@dataclass(frozen=True, slots=True)
class RoleStyle:
    """How a figure is drawn: no colour means its side's; opacities 0..1, weights per mille."""

    colour: Colour | None = None
    fill: float = 0.0
    line: float = 0.0
    dash: tuple[float, float] | None = None
    line_opacity: float = 1.0
    texture: str = ""
    cover: float = 0.0
    """The opacity of a white fill that hides what lies below."""
    casing: float = 0.0
    """The width of a white border around a line, to separate it from others."""
    edge: float = 0.0
    """The width of a dark border around a disc."""
    deep: bool = False
    """Whether it is filled with its side's deep colour instead of the one of its lines."""


@dataclass(frozen=True, slots=True)
class Lettering:
    """How text is drawn: size per mille, weight, and background (plate, badge or halo)."""

    size: float = 15.0
    bold: bool = False
    ground: str = "halo"
    colour: Colour | None = INK
    tail: float = 1.0
    """The size of the lines after the first, relative to the first."""


FIGURES: dict[str, RoleStyle] = {
    "tray": RoleStyle(fill=0.16, line=1.9, cover=1.0),
    "tray-chosen": RoleStyle(fill=0.30, line=4.2, cover=1.0),
    "remembered": RoleStyle(STONE, fill=0.25, line=2.6, dash=(6, 4), casing=1.0),
    "astray": RoleStyle(CRIMSON, fill=0.1, line=2.6, dash=(6, 4), casing=1.0),
    "moved": RoleStyle(TEAL, fill=0.1, line=2.6, dash=(6, 4), casing=1.0),
    "front": RoleStyle(fill=1.0),
    "facing": RoleStyle(fill=1.0),
    "model": RoleStyle(fill=0.34, line=0.7, line_opacity=0.55),
    "model-lost": RoleStyle(line=0.7, line_opacity=0.45),
    "engaged": RoleStyle(INK, line=4.4, casing=1.6),
    "arc-line": RoleStyle(line=1.2, dash=(9, 5), line_opacity=0.75),
    "arc-front": RoleStyle(fill=0.07),
    "sight": RoleStyle((52, 92, 60), line=1.3, line_opacity=0.9),
    "sight-blocked": RoleStyle(STONE, line=1.1, dash=(1.5, 3.5), line_opacity=0.95),
    "attack-area": RoleStyle(fill=0.17, line=1.3, line_opacity=0.85),
    "attack-path": RoleStyle(line=2.6, casing=1.1),
    "attack-end": RoleStyle(line=1.6, dash=(5, 3), fill=0.10),
    "shot": RoleStyle(line=1.7, dash=(2.2, 3.2), casing=0.9),
    "range": RoleStyle(line=1.2, dash=(7, 4), line_opacity=0.7),
    "reach": RoleStyle(TEAL, fill=0.08, line=1.3, dash=(4, 3), line_opacity=0.8),
    "threat": RoleStyle(fill=0.05, line=0.7, line_opacity=0.4, texture="hatch"),
    "threat-far": RoleStyle(fill=0.045),
    "threat-shot": RoleStyle(line=1.0, dash=(1.4, 3.4), line_opacity=0.6),
    "token": RoleStyle(GOLD, fill=0.95, edge=0.8),
    "token-ring": RoleStyle(GOLD, line=1.6, edge=0.8),
    "deployment": RoleStyle(fill=0.06, line=1.3, dash=(10, 6), line_opacity=0.6),
    "terrain-wood": RoleStyle(WOOD, fill=0.26, line=1.4, texture="trees"),
    "terrain-hedge": RoleStyle(WOOD, fill=0.38, line=1.4, texture="leaves"),
    "terrain-water": RoleStyle(WATER, fill=0.26, line=1.4, dash=(6, 3), texture="waves"),
    "terrain-spikes": RoleStyle(EARTH, fill=0.18, line=1.4, texture="spikes"),
    "terrain-wall": RoleStyle(STONE, fill=0.34, line=1.6, texture="bricks"),
    "terrain-palisade": RoleStyle(EARTH, fill=0.52, line=2.0, texture="bars"),
    "terrain-tree": RoleStyle(CRIMSON, fill=0.20, line=1.4, texture="leaves"),
    "terrain-bones": RoleStyle(BONE, fill=0.26, line=1.4, texture="crosses"),
    "terrain-plain": RoleStyle(STONE, fill=0.20, line=1.4),
    "cell": RoleStyle(STONE, line=0.5, line_opacity=0.45),
    "piece": RoleStyle(fill=0.3, line=2.2),
    "piece-floor": RoleStyle(cover=1.0),
    "ground-open-x": RoleStyle(WOOD, fill=0.24, line=1.0, texture="leaves"),
    "ground-blocked-x": RoleStyle(STONE, fill=0.5, line=1.4, texture="bricks"),
    "ground-blocked-o": RoleStyle(WATER, fill=0.34, line=1.4, texture="waves"),
    "ground-high": RoleStyle(EARTH, fill=0.2, line=1.2, dash=(3, 2)),
    "ground-open-o": RoleStyle(STONE),
    "ground-half": RoleStyle(STONE, fill=0.16, line=0.5, line_opacity=0.3),
    "ground-plains": RoleStyle(WOOD, fill=0.06),
    "ground-hill": RoleStyle(EARTH, fill=0.3, line=1.0, texture="hills"),
    "ground-forest": RoleStyle(WOOD, fill=0.4, line=1.0, texture="trees"),
    "ground-river": RoleStyle(WATER, fill=0.5, line=0.8, texture="waves"),
    "ground-forest-river": RoleStyle(WATER, fill=0.5, line=0.8, texture="trees"),
    "ground-building": RoleStyle(BONE, fill=0.4, line=1.4, texture="houses"),
    "ground-road": RoleStyle(EARTH, fill=0.06),
    "ground-forest-road": RoleStyle(WOOD, fill=0.4, line=1.0, texture="trees"),
    "ground-track": RoleStyle(SAND, line=13.0, line_opacity=0.9),
    "ground-spot": RoleStyle(SAND, fill=0.9),
    "ground-wooden-bridge": RoleStyle(EARTH, fill=0.4, line=1.6, texture="bars"),
    "ground-stone-bridge": RoleStyle(STONE, fill=0.5, line=1.6, texture="bricks"),
    "ground-palisade": RoleStyle(EARTH, fill=0.6, line=2.4, texture="spikes"),
    "ground-tent": RoleStyle(BONE, fill=0.2, line=1.0, texture="leaves"),
    "ground-siege-tower": RoleStyle(EARTH, fill=0.6, line=2.4, texture="bricks"),
    "ground-ford": RoleStyle(EARTH, fill=0.2, line=1.2, texture="stones"),
    "ground-devastation": RoleStyle(STONE, fill=0.45, line=1.2, texture="crosses"),
    **{f"ground-fire-{n}": RoleStyle(FLAME, fill=0.08 + 0.07 * n, line=1.8) for n in range(1, 5)},
    "ground-flame": RoleStyle(FLAME, fill=0.95, line=0.6),
    "command": RoleStyle(fill=0.06, line=3.0, casing=1.0),
    "house-edge": RoleStyle(line=5.0, casing=1.0),
    "engagement": RoleStyle(fill=1.0, edge=1.6, deep=True),
    "retreat": RoleStyle(ORANGE, fill=0.16, line=1.8, dash=(2, 2)),
    "blocked": RoleStyle(CRIMSON, fill=0.3, line=2.4, texture="crosses"),
    "mark-objective": RoleStyle(GOLD, fill=0.95, edge=0.8),
    "mark-held-1": RoleStyle(BLUE, fill=0.95, edge=0.8),
    "mark-held-2": RoleStyle(RED, fill=0.95, edge=0.8),
    "mark-purse": RoleStyle(ORANGE, fill=0.9, line=0.8),
    "mark-letter": RoleStyle(VIOLET, fill=0.8, edge=0.8),
    "mark-zone-gold": RoleStyle(GOLD, line=1.6),
    "mark-zone-silver": RoleStyle(BONY, line=1.6, dash=(2, 2)),
    "mark-loot": RoleStyle(BONE, fill=0.8, edge=0.8),
    "mark-leaf-pile": RoleStyle(WOOD, fill=0.8, edge=0.8),
    "mark-stake-pit": RoleStyle(EARTH, fill=0.95, line=0.8),
    "mark-sign": RoleStyle(INK, line=1.6),
    "mark-river": RoleStyle(WATER, fill=0.6, edge=0.8),
    "edge-wall": RoleStyle(INK, line=4.0),
    "edge-door": RoleStyle(EARTH, line=4.0),
    "edge-door-open": RoleStyle(EARTH, line=2.0, dash=(2, 3)),
    "edge-locked-door": RoleStyle(EARTH, line=5.0),
    "edge-lock": RoleStyle(EARTH, fill=1.0, line=1.0),
    "edge-window": RoleStyle(WATER, line=3.0),
}

LETTERING: dict[str, Lettering] = {
    "tray": Lettering(15.5, bold=True),
    "id": Lettering(12.5, bold=True, ground="badge", colour=None),
    "attack-area": Lettering(15.0, bold=True, ground="plate", colour=None),
    "attack-minor": Lettering(12.5, ground="plate", colour=None),
    "shot": Lettering(13.0, ground="plate", colour=None),
    "sight": Lettering(12.5, ground="plate", colour=SOFT_INK),
    "terrain": Lettering(14.0, colour=SOFT_INK, tail=0.84),
    "token": Lettering(11.5, bold=True),
    "deployment": Lettering(13.5, colour=None),
    "range": Lettering(13.0, bold=True, colour=None),
    "reach": Lettering(13.0, bold=True, colour=TEAL),
    "threat": Lettering(13.0, bold=True, colour=None),
    "remembered": Lettering(13.0, bold=True, ground="plate", colour=SOFT_INK),
    "astray": Lettering(13.0, bold=True, ground="plate", colour=CRIMSON),
}

SIDE_LOOKS: tuple[SideStyle, ...] = (
    SideStyle(BLUE, "round", "solid", 45.0, (78, 157, 235), (29, 95, 168)),
    SideStyle(RED, "diamond", "striped", 135.0, (234, 84, 85), (168, 40, 45)),
    SideStyle(GREEN, "pentagon", "double", 90.0, (109, 187, 90), (59, 122, 44)),
    SideStyle(VIOLET, "square", "dotted", 0.0, (176, 138, 234), (106, 69, 170)),
    SideStyle(ORANGE, "hexagon", "leaning", 20.0, (240, 145, 74), (166, 83, 22)),
    SideStyle(BONY, "shield", "sparse", 70.0, (220, 214, 198), (109, 104, 88)),
)
"""The six seats, in order."""
NEUTRAL = SideStyle(STONE, "round", "solid", 45.0)

NAMED_SIDES = {
    "blue": 0,
    "red": 1,
    "green": 2,
    "teal": 2,
    "purple": 3,
    "violet": 3,
    "orange": 4,
    "white": 5,
}
"""A side named after a colour gets that colour; the others take the remaining ones in order."""


@dataclass(frozen=True, slots=True)
class MapTheme:
    """Everything needed to paint: ground colours, role styles, text styles."""

    paper: Colour = (250, 249, 246)
    ground: Colour = (247, 245, 239)
    grid: Colour = (235, 231, 220)
    ruler: Colour = (214, 207, 190)
    bar: Colour = (44, 42, 40)
    bar_text: Colour = (248, 246, 240)
    ink: Colour = INK
    soft_ink: Colour = SOFT_INK
    cover: Colour = WHITE
    """The colour that hides what lies below: plates, casings, halos, the ground of trays."""
    dark: bool = False
    figures: dict[str, RoleStyle] = field(default_factory=lambda: FIGURES)
    lettering: dict[str, Lettering] = field(default_factory=lambda: LETTERING)

    def figure(self, role: str) -> RoleStyle:
        """The style of a role; an unknown `terrain-…` is plain, anything else a thin line."""
        if role in self.figures:
            return self.figures[role]
        if role.startswith("terrain-"):
            return self.figures["terrain-plain"]
        return RoleStyle(line=1.2)

    def letters(self, role: str) -> Lettering:
        """The text style of a role."""
        return self.lettering.get(role, Lettering())

    def lines_of(self, side: SideStyle) -> Colour:
        """The colour of a side's lines on this ground."""
        return side.edge if self.dark else side.colour

    def own(self, colour: Colour) -> Colour:
        """A colour named for the light map, as this theme draws it."""
        return DARK_INKS.get(colour, colour) if self.dark else colour


LIGHT = MapTheme()

DARK_INKS: dict[Colour, Colour] = {
    INK: CREAM,
    SOFT_INK: (189, 186, 177),
    STONE: (154, 161, 173),
    TEAL: BRIGHT_TEAL,
    EARTH: (176, 146, 104),
    WOOD: (122, 176, 108),
    WATER: (120, 176, 186),
    BONE: (188, 178, 164),
    CRIMSON: (214, 116, 122),
    ORANGE: (232, 150, 84),
    FLAME: (240, 130, 50),
    (52, 92, 60): (128, 190, 140),
}
"""The dark map's version of colours that do not stand out from dark ground."""


def dark_figures() -> dict[str, RoleStyle]:
    """The role styles on dark ground: trays in the deep colour of their side, models bright."""
    deep = {
        "tray": replace(FIGURES["tray"], fill=1.0, deep=True),
        "tray-chosen": replace(FIGURES["tray-chosen"], fill=1.0, deep=True),
        "model": replace(FIGURES["model"], fill=0.95, line=0.0),
        "model-lost": replace(FIGURES["model-lost"], line=1.0, line_opacity=0.8),
        "deployment": replace(FIGURES["deployment"], fill=0.1, line_opacity=0.5),
        "reach": replace(FIGURES["reach"], fill=0.16),
        "attack-area": replace(FIGURES["attack-area"], fill=0.24),
    }
    return {**FIGURES, **deep}


DARK = MapTheme(
    paper=NIGHT,
    ground=(34, 43, 44),
    grid=(41, 51, 52),
    ruler=(60, 74, 74),
    ink=CREAM,
    soft_ink=(189, 186, 177),
    cover=NIGHT,
    dark=True,
    figures=dark_figures(),
)


def side_looks(sides: Sequence[str]) -> dict[str, SideStyle]:
    """A style for every side; none is used twice before all are used."""
    looks: dict[str, SideStyle] = {"": NEUTRAL}
    free = list(range(len(SIDE_LOOKS)))
    for side in sides:
        wanted = NAMED_SIDES.get(side.casefold())
        if wanted in free:
            looks[side] = SIDE_LOOKS[wanted]
            free.remove(wanted)
    for number, side in enumerate(side for side in sides if side not in looks):
        looks[side] = SIDE_LOOKS[free.pop(0) if free else number % len(SIDE_LOOKS)]
    return looks


def mixed(colour: Colour, other: Colour, share: float) -> Colour:
    """A mixture of two colours; `share` is the first one's."""
    red, green, blue = (
        round(share * own + (1 - share) * theirs) for own, theirs in zip(colour, other, strict=True)
    )
    return red, green, blue


FOLDER = Path(__file__).parent / "fonts"

TEXT, TEXT_BOLD = FOLDER / "BodySans-Regular.ttf", FOLDER / "BodySans-Bold.ttf"
NARROW = FOLDER / "BodySans-NarrowBold.ttf"
"""For badges, tools and the dock, where there is little room."""
TITLE, TITLE_BLACK = FOLDER / "TitleSerif-Bold.ttf", FOLDER / "TitleSerif-Black.ttf"
TITLE_ITALIC = FOLDER / "TitleSerif-BoldItalic.ttf"
"""For names of places. Its figures are old-style: numbers that count are written in `TEXT`."""

FACES: dict[str, Path] = {
    "text": TEXT,
    "bold": TEXT_BOLD,
    "narrow": NARROW,
    "title": TITLE,
    "black": TITLE_BLACK,
    "italic": TITLE_ITALIC,
}
"""The faces by the names that text marks use."""
