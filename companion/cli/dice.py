"""The command `dice`: reads throws in pictures, as the app reads its dice mat."""

from __future__ import annotations

import argparse
import json
import re
from typing import TYPE_CHECKING

from companion.cli.look import BROKEN_INPUT, LookCommands, places
from companion.text.translation import complain
from models import CompanionError
from models.message import BadInput

if TYPE_CHECKING:
    from companion.vision.dice.dice_reader import ReadThrow
    from companion.vision.dice.learned_faces import LearnedFaces

SIDES = (3, 6, 8, 10)
LEARNED_SIDES = 8
EIGHT = tuple("12345678")
MOST_DICE = 40
SMALLEST_PX = 16
"""Of a picture whose dice are told by --edge: one die may fill it."""
DOUBTS = {
    "none": "no die is seen",
    "too few": "fewer dice are seen than were asked for",
    "too many": "more dice are seen than were asked for",
    "unclear": "a die cannot be read with certainty",
    "no face up": "a die leans or is covered",
    "off the mat": "a die lies off the mat",
    "too large": "dice so small in so large a picture cannot be looked for: name their area",
    "no mat": "no dice mat is in the picture: --area and --edge say where dice lie",
    "two mats": "two dice mats are in the picture",
    "covered": "the dice mat is covered: three of its four tags must be free",
}


def add_commands(commands: LookCommands) -> None:
    """Add `dice` to the companion's commands."""
    what = "the faces of a throw in a picture, and what is doubtful about them"
    added = commands.add_parser("dice", help=what, description=what, allow_abbrev=False)
    added.add_argument("pictures", nargs="+", metavar="PICTURE", help="a photo or a folder of them")
    added.add_argument("--sides", type=int, default=6, choices=SIDES)
    added.add_argument("--count", type=int, metavar="N", help="how many dice were thrown")
    added.add_argument("--area", metavar="X,Y,W,H", help="where they lie, in pixels")
    added.add_argument("--edge", type=float, metavar="PX", help="edge of a die, in pixels")
    added.add_argument(
        "--show",
        action="append",
        metavar="FACE=PICTURE",
        help="a D8 on the mat with this face up, from 1 to 8: each that may come is shown once",
    )
    added.add_argument("--json", action="store_true", help="one line of JSON per picture")
    added.set_defaults(run=read_pictures)


def read_pictures(args: argparse.Namespace) -> int:
    """Read each picture; a bad one does not stop the others."""
    area = read_area(args.area)
    if args.count is not None and not 1 <= args.count <= MOST_DICE:
        raise BadInput("--count", "", f"is {args.count}: from 1 to {MOST_DICE} dice are read")
    if args.edge is not None and not 6 <= args.edge <= 2000:
        raise BadInput("--edge", "", f"is {args.edge:g}: from 6 to 2000 pixels are read")
    learned = shown_faces(args.show or []) if args.sides == LEARNED_SIDES else None
    status = 0
    for place in places(args.pictures):
        try:
            throw = read(place, args, area, learned)
        except CompanionError as error:
            complain(error)
            status = BROKEN_INPUT
            continue
        faces = [third(face, args.sides) for face in throw.faces]
        told = {
            "picture": place,
            "faces": faces,
            "sure": throw.sure,
            "dice": [
                {
                    "x": round(die.x, 1),
                    "y": round(die.y, 1),
                    "face": third(die.face, args.sides),
                    "chance": round(die.chance, 3),
                }
                for die in throw.dice
            ],
            "why": list(dict.fromkeys(DOUBTS[doubt.word] for doubt in throw.doubts)),
        }
        print(json.dumps(told) if args.json else sentence(told))
    return status


def third(face: int, sides: int) -> int:
    """A D3 is read off a D6."""
    return (face + 1) // 2 if sides == 3 else face


def sentence(told: dict[str, object]) -> str:
    """The answer for people."""
    faces, why = told["faces"], told["why"]
    assert isinstance(faces, list)
    assert isinstance(why, list)
    seen = ", ".join(map(str, faces)) or "nothing"
    return f"{told['picture']}: {seen}" + ("" if told["sure"] else f" (unsure: {'; '.join(why)})")


def read_area(text: str | None) -> tuple[int, int, int, int] | None:
    """Parse `X,Y,W,H`."""
    if text is None:
        return None
    found = re.fullmatch(r"(\d{1,6}),(\d{1,6}),(\d{1,6}),(\d{1,6})", text.replace(" ", ""))
    if found is None or not (int(found[3]) and int(found[4])):
        raise BadInput("--area", "", f"is {text!r}: it needs X,Y,W,H in pixels, as 310,120,400,300")
    x, y, width, height = (int(part) for part in found.groups())
    return x, y, width, height


def shown_faces(shown: list[str]) -> LearnedFaces:
    """The faces of a D8 as `FACE=PICTURE` shows them, one die in each picture."""
    from companion.vision.dice.dice_mat import read_photo
    from companion.vision.dice.learned_faces import LearnedFaces

    learned = LearnedFaces()
    for text in shown:
        face, _, place = text.partition("=")
        if face not in EIGHT or not place:
            raise BadInput("--show", "", f"is {text!r}: it needs FACE=PICTURE, as 1=green.jpg")
        throw = read_photo(place, 1, LEARNED_SIDES)
        if not throw.sure:
            why = "; ".join(dict.fromkeys(DOUBTS[doubt.word] for doubt in throw.doubts))
            raise BadInput(place, "--show", f"shows no face of a D8: {why}")
        learned = learned.taught(int(face), throw.dice[0].traits)
    if len(learned.traits) < 2:
        raise BadInput("--show", "", "a D8 is read by its faces: show each of them once")
    return learned


def read(
    place: str,
    args: argparse.Namespace,
    area: tuple[int, int, int, int] | None,
    learned: LearnedFaces | None,
) -> ReadThrow:
    """The throw of one picture: in its area, or on the mat."""
    from companion.vision.dice.dice_mat import coloured, read_photo
    from companion.vision.dice.dice_reader import read_throw, shifted
    from companion.vision.sources.frame import load_photo

    sides = 6 if args.sides == 3 else args.sides
    if args.edge is None:
        return read_photo(place, args.count, sides, learned)
    picture = load_photo(place, SMALLEST_PX)
    x, y, width, height = area or (0, 0, picture.shape[1], picture.shape[0])
    part = coloured(picture)[y : y + height, x : x + width]
    if min(part.shape[:2]) < 8:
        raise BadInput(place, "--area", f"{args.area} lies outside of the picture")
    throw = read_throw(part, edge=args.edge, count=args.count, sides=sides, learned=learned)
    return shifted(throw, x, y)
