"""The commands `print` and `calibrate`: the one-time preparations for camera use."""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from companion.text.translation import LANGUAGE, complain, translate
from models import atomic_write
from models.message import BadInput, CompanionError

if TYPE_CHECKING:
    from calibration.camera.charuco_board import BoardSpec, BoardView, Unused
    from calibration.camera.lens_calibration import LensResult
    from calibration.references.reference_layout import ReferenceLayout
    from calibration.setup import Setup
    from calibration.tags.mount_fit import MeasuredMount
    from calibration.tags.tag import Sighting
    from companion.cli.look import LookCommands

SHEETS = ("tags", "figures", "cards", "references", "lens-board", "dice-mat")
TAG_MM = 25.0
REFERENCE_MM = 40.0
LIVE_PHOTOS = 20
LIVE_PAUSE_S = 0.7
RECOGNISED_IN, RECOGNISED_EVERY = 6, 10
"""A board that is not ours is looked for in so many photos, or in one of so many frames."""


class BadPreparing(CompanionError):
    """Options of `print` or `calibrate` that do not make sense together."""


def add_commands(commands: LookCommands) -> None:
    """Add `print` and `calibrate` to the companion's commands."""
    what = "sheets in true scale: tags of trays, figures or cards, reference tags, the lens board"
    added = commands.add_parser("print", help=what, description=what, allow_abbrev=False)
    added.add_argument("sheet", choices=SHEETS)
    added.add_argument("--pdf", type=Path, required=True, metavar="OUT")
    added.add_argument("--paper", default="a4", metavar="NAME", help="a4 or letter")
    added.add_argument("--size", type=float, metavar="MM", help="edge of the black square")
    added.add_argument("--ids", metavar="10-20,30", help="which tags")
    added.add_argument("--dictionary", default="DICT_4X4_50", metavar="NAME")
    added.add_argument(
        "--mount",
        metavar="NAME",
        help="stand (where it fits), figure-stand, card-clip, plain, rear-tab or corner-pair",
    )
    added.add_argument(
        "--table", metavar="WxD", help="references: the table with its rim, in inches (48x48)"
    )
    added.add_argument(
        "--setup", type=Path, metavar="FILE", help="cards: the tags are added to this set-up"
    )
    added.add_argument("--language", **LANGUAGE)
    added.set_defaults(run=print_sheet)

    what = (
        "measure the lens from photos of the board; references or mounts from photos of the table"
    )
    added = commands.add_parser("calibrate", help=what, description=what, allow_abbrev=False)
    added.add_argument("what", choices=("lens", "table", "trays"))
    added.add_argument(
        "photos", nargs="*", type=Path, metavar="PHOTO", help="photos, or a folder of them"
    )
    added.add_argument("--setup", type=Path, required=True, metavar="FILE", help="is updated")
    added.add_argument("--camera", metavar="SOURCE", help="live: a camera's number or address")
    added.add_argument(
        "--size", type=float, metavar="MM", help="table: edge of a reference tag as you measured it"
    )
    added.add_argument(
        "--squares", metavar="7x10", help="lens: squares of another ChArUco board, across x down"
    )
    added.add_argument("--square", type=float, metavar="MM", help="lens: edge of its squares")
    added.add_argument("--marker", type=float, metavar="MM", help="lens: edge of its markers")
    added.add_argument("--dictionary", metavar="NAME", help="lens: its markers, DICT_…")
    added.add_argument(
        "--lined-up",
        action="store_true",
        help="trays: their rear edges are flush with player 1's edge",
    )
    added.add_argument(
        "--corners",
        metavar="X,Y,…",
        help="table: where one photo shows the table's corners (player 1's left and right, then "
        "the far right and left), in pixels: the lens is told from them",
    )
    added.add_argument(
        "--mirrored",
        action="store_true",
        help="the camera mirrors its pictures: turn them back, and write that down",
    )
    added.add_argument("--check", action="store_true", help="only tell, write nothing")
    added.add_argument("--json", action="store_true", help="one line of JSON")
    added.set_defaults(run=calibrate)


# -- print -----------------------------------------------------------------------------------


def print_sheet(args: argparse.Namespace) -> int:
    from calibration.printing.dice_mat import dice_mat_pdf
    from calibration.printing.pdf import SheetText
    from calibration.printing.piece_sheets import (
        CLIP_MOUNT,
        CLIP_TAG_MM,
        FIGURE_MOUNT,
        FIGURE_TAG_MM,
        clips_pdf,
        figures_pdf,
        with_clips,
    )
    from calibration.printing.sheets import (
        REFERENCE_IDS,
        TRAY_IDS,
        Order,
        board_pdf,
        references_pdf,
        tags_pdf,
        usual_mount,
    )
    from calibration.setup import dictionaries
    from companion.overlay.map_theme import TEXT, TEXT_BOLD
    from models.field import decode, read_bytes

    sheet_text = SheetText(translate, TEXT, TEXT_BOLD)
    if args.dictionary not in dictionaries():
        known = ", ".join(dictionaries())
        raise BadPreparing(f"no dictionary {args.dictionary!r}; there are: {known}")
    paper = args.paper.lower()
    if args.sheet == "lens-board":
        data = board_pdf(paper, sheet_text)
    elif args.sheet == "dice-mat":
        data = dice_mat_pdf(paper)
    elif args.sheet == "references":
        ids = read_ids(args.ids) if args.ids is not None else REFERENCE_IDS
        order = Order(ids, args.size or REFERENCE_MM, paper, args.dictionary)
        data = references_pdf(order, read_table(args.table or "48x48"), sheet_text)
    else:
        ids = read_ids(args.ids) if args.ids is not None else TRAY_IDS
        usual = {"figures": FIGURE_TAG_MM, "cards": CLIP_TAG_MM, "tags": TAG_MM}[args.sheet]
        size = args.size or usual
        mounts = {"figures": FIGURE_MOUNT, "cards": CLIP_MOUNT}
        way = args.mount or mounts.get(args.sheet) or usual_mount(size)
        order = Order(ids, size, paper, args.dictionary, way)
        if way == FIGURE_MOUNT:
            data = figures_pdf(order, text=sheet_text)
        else:
            data = (clips_pdf if way == CLIP_MOUNT else tags_pdf)(order, sheet_text)
        if args.setup is not None:
            atomic_write.refuse_inputs(args.pdf, args.setup)
            if args.sheet != "cards":
                raise BadPreparing("--setup: only the tags of cards are added to a set-up")
            text = decode(read_bytes(args.setup), str(args.setup))
            atomic_write.write_text(args.setup, with_clips(text, ids, size, str(args.setup)))
    atomic_write.write_bytes(args.pdf, data)
    print(args.pdf)
    return 0


def read_ids(text: str) -> tuple[int, ...]:
    """Parse `10-20,30` into numbers."""
    ids: list[int] = []
    for part in text.split(","):
        found = re.fullmatch(r"\s*(\d{1,4})(?:\s*-\s*(\d{1,4}))?\s*", part)
        if found is None:
            raise BadPreparing(f"--ids: {part!r} is neither a number nor a range like 10-20")
        first, last = int(found[1]), int(found[2] or found[1])
        if last < first:
            raise BadPreparing(f"--ids: {part!r} runs backwards")
        ids += range(first, last + 1)
    return tuple(ids)


def read_table(text: str) -> tuple[float, float]:
    """Parse `32x24` into width and depth in inches."""
    found = re.fullmatch(r"(\d{1,3}(?:\.\d+)?)[xX](\d{1,3}(?:\.\d+)?)", text)
    if found is None or not all(12 <= float(side) <= 144 for side in found.groups()):
        raise BadPreparing(f"--table: {text!r} is not like 32x24, 12 to 144 inches")
    return float(found[1]), float(found[2])


# -- calibrate -------------------------------------------------------------------------------


def calibrate(args: argparse.Namespace) -> int:
    """Measure a lens or a layout and write it to the set-up file."""
    if bool(args.photos) == (args.camera is not None):
        raise BadPreparing("calibrate needs either photos or --camera")
    if args.size is not None and args.what != "table":
        raise BadPreparing("--size belongs to calibrate table only")
    if args.corners is not None and args.what != "table":
        raise BadPreparing("--corners belongs to calibrate table only")
    if args.lined_up and args.what != "trays":
        raise BadPreparing("--lined-up belongs to calibrate trays only")
    if args.size is not None and not 2 <= args.size <= 1000:
        raise BadPreparing(f"--size: {args.size:g} mm is not a tag's edge (2 to 1000)")
    board = (args.squares, args.square, args.marker, args.dictionary)
    if args.what != "lens" and any(one is not None for one in board):
        raise BadPreparing(
            "--squares, --square, --marker and --dictionary belong to calibrate lens"
        )
    ways = {"lens": calibrate_lens, "table": calibrate_table, "trays": calibrate_trays}
    return ways[args.what](args)


def board_of(args: argparse.Namespace) -> BoardSpec:
    """The calibration board in the photos: ours, unless its squares are given."""
    from calibration.camera.charuco_board import OWN_BOARD, BoardSpec

    if args.squares is None:
        if any(one is not None for one in (args.square, args.marker, args.dictionary)):
            raise BadPreparing("another board needs --squares, such as 8x8")
        return OWN_BOARD
    square = OWN_BOARD.square_mm if args.square is None else args.square
    return BoardSpec.read(
        args.squares, square, args.marker, args.dictionary or OWN_BOARD.dictionary
    )


def photos_of(args: argparse.Namespace) -> list[Path]:
    """All photos, with folders expanded."""
    from companion.vision.sources.frame import photos_in

    found: list[Path] = []
    for path in args.photos:
        found += photos_in(path) if path.is_dir() else [path]
    return found


def calibrate_lens(args: argparse.Namespace) -> int:
    """Calibrate the lens from photos of the board."""
    from calibration.camera.lens_calibration import NoLensFound, lens_from
    from calibration.setup import Setup, with_camera, with_mirror
    from models.field import decode, read_bytes

    text = Setup().text()
    if args.setup.exists():
        text = decode(read_bytes(args.setup), str(args.setup))
    setup = Setup.parse(text, str(args.setup))
    mirrored = setup.mirrored != args.mirrored
    if args.mirrored:
        text = with_mirror(text, mirrored, str(args.setup))
    board = board_of(args)
    film, hint = args.camera or film_of(args), ""
    if film is not None:
        views = board_live(film, board, mirrored, args.squares is None)
    else:
        board, hint = known_board(args, board, mirrored)
        views = board_views(args, board, mirrored)
    try:
        result = lens_from(views)
    except NoLensFound as error:
        raise NoLensFound(f"{error}{hint}") from None
    for remark in result.remarks:
        print(f"companion: {remark}", file=sys.stderr)
    if not args.check:
        new = with_camera(text, result.lens, str(args.setup))
        # Read the written file again: never leave a lens that `look` would refuse.
        Setup.parse(new, str(args.setup))
        atomic_write.write_text(args.setup, new)
    if args.json:
        print(json.dumps(lens_plain(result)))
    else:
        print(lens_text(result))
        if not args.check:
            print(f"written to {args.setup}")
    return 0


def film_of(args: argparse.Namespace) -> str | None:
    """The film among the photos, if it is the only one."""
    from companion.vision.sources.frame_sources import streams

    return str(args.photos[0]) if len(args.photos) == 1 and streams(str(args.photos[0])) else None


def known_board(
    args: argparse.Namespace, board: BoardSpec, mirrored: bool
) -> tuple[BoardSpec, str]:
    """The board in the photos: the one that was named or ours, else whichever is recognised; and
    what helps if it is none of them."""
    from calibration.camera.charuco_board import BoardView, board_view
    from calibration.camera.other_board import BoardSearch
    from companion.vision.sources.frame import CameraFrame, load_photo

    if args.squares is not None:
        return board, ""
    search = BoardSearch()
    for path in photos_of(args)[:RECOGNISED_IN]:
        try:
            frame = CameraFrame(load_photo(path)).turned_back(mirrored)
        except BadInput:
            continue  # it is reported when its turn comes
        if isinstance(board_view(frame.picture, "", board), BoardView):
            return board, ""
        other = search.see(frame.picture)
        if other is not None:
            complain(f"{path}: this is {other.title}: it is used")
            return other, ""
    if search.likeliest is not None:
        complain(f"this is {search.likeliest.title}, as far as can be seen: it is used")
        return search.likeliest, ""
    markers = search.markers
    hint = f"; they show {markers.title}: name the board with --squares" if markers else ""
    return board, hint


def board_views(
    args: argparse.Namespace, board: BoardSpec, mirrored: bool
) -> Iterator[BoardView | Unused]:
    """The board in each photo; a broken photo is reported and skipped."""
    from calibration.camera.charuco_board import BoardView, Unused, board_view, mirrored_board
    from companion.vision.sources.frame import CameraFrame, load_photo

    for path in photos_of(args):
        try:
            frame = CameraFrame(load_photo(path)).turned_back(mirrored)
            view = board_view(frame.picture, path.name, board)
            if not isinstance(view, BoardView) and mirrored_board(frame.picture, board):
                view = Unused(path.name, "is mirrored: turn it back with --mirrored")
            yield view
        except BadInput as error:
            yield Unused(path.name, error.problem)


def board_live(
    place: str, board: BoardSpec, mirrored: bool, any_board: bool
) -> Iterator[BoardView | Unused]:
    """The board before a camera or in a film: a view is taken whenever it adds something new.

    Where it is not seen, any other board is recognised.
    """
    from calibration.camera.charuco_board import BoardView, board_view
    from calibration.camera.lens_coverage import differs
    from calibration.camera.other_board import BoardSearch
    from companion.vision.sources.frame import Gap
    from companion.vision.sources.frame_sources import open_source

    source = open_source(place)
    taken: list[BoardView] = []
    search = BoardSearch()
    last_s, blind = -LIVE_PAUSE_S, 0
    try:
        while len(taken) < LIVE_PHOTOS and (frame := source.read()) is not None:
            if isinstance(frame, Gap):
                complain(frame.why)
                time.sleep(0.2)
                continue
            if frame.time_s - last_s < LIVE_PAUSE_S:
                continue
            frame = frame.turned_back(mirrored)
            view = board_view(frame.picture, f"view {len(taken) + 1}", board)
            if not isinstance(view, BoardView):
                blind += 1
                if any_board and not taken and blind % RECOGNISED_EVERY == 1:
                    other = search.see(frame.picture)
                    if other is not None:
                        complain(f"this is {other.title}: it is used")
                        board = other
                continue
            if all(differs(view, one) for one in taken):
                taken.append(view)
                last_s = frame.time_s
                print(f"{len(taken)} of {LIVE_PHOTOS}: {len(view.ids)} corners", file=sys.stderr)
                yield view
    except KeyboardInterrupt:
        print("enough: measuring with what was taken", file=sys.stderr)
    finally:
        source.close()


def lens_plain(result: LensResult) -> dict[str, object]:
    return {
        "camera": result.lens.to_json(),
        "reprojection_px": round(result.misfit_px, 4),
        "corners": result.corners,
        "used": list(result.used),
        "unused": {one.source: one.reason for one in result.unused},
        "wishes": list(result.wishes),
        "remarks": list(result.remarks),
    }


def lens_text(result: LensResult) -> str:
    from calibration.camera.lens import PARAMETERS

    lens = result.lens
    lines = [
        f"{len(result.used)} photos, {result.corners} corners, "
        f"reprojection error {result.misfit_px:.3f} px"
    ]
    lines += [
        f"  {name:<3}{value:12.5g} ± {doubt:.2g}"
        for name, value, doubt in zip(PARAMETERS, lens.parameters, lens.sigma, strict=True)
    ]
    lines += [f"  not used: {one.source}: {one.reason}" for one in result.unused]
    lines += [f"  would help: {wish}" for wish in result.wishes]
    return "\n".join(lines)


def calibrate_table(args: argparse.Namespace) -> int:
    """Measure the positions of the reference tags from photos of the table."""
    from calibration.references.reference_layout import measured_layout
    from calibration.setup import Setup
    from companion.vision.look import require

    setup = require(Setup.load(args.setup), str(args.setup))
    setup = replace(setup, mirrored=setup.mirrored != args.mirrored)
    if args.corners is not None:
        return calibrate_corners(args, setup)
    if args.size is not None:
        tags = tuple(replace(tag, size_mm=args.size) for tag in setup.references)
        setup = replace(setup, references=tags)
    ids = frozenset(tag.id for tag in setup.references)
    pictures = list(table_views(args, replace(setup, trays=()), ids))
    sizes = Counter(size for size, _ in pictures)
    if not sizes:
        raise BadPreparing("no photo was given")
    size = max(sizes, key=lambda one: (sizes[one], one))
    if len(sizes) > 1:
        told = f"measured from the {sizes[size]} of {size[0]} x {size[1]}"
        print(f"companion: photos of {len(sizes)} sizes: {told}", file=sys.stderr)
    photos = [found for one, found in pictures if one == size]
    layout = measured_layout(photos, setup, size, measured=args.size is not None)
    if not args.check:
        layout.onto(setup).save(args.setup)
    if args.json:
        plain = {
            "photos": layout.photos,
            "reprojection_px": round(layout.misfit_px, 4),
            "print_scale": round(layout.scale, 5),
            "print_scale_sigma": round(layout.scale_sigma, 5),
            "elsewhere": list(layout.elsewhere),
            "references": [
                {**one.tag.to_json(), "moved_mm": one.moved_mm, "sigma_mm": one.sigma_mm}
                for one in layout.laid
            ],
        }
        print(json.dumps(plain))
        return 0
    photo_s = "photo" if layout.photos == 1 else "photos"
    print(f"{layout.photos} {photo_s}, reprojection error {layout.misfit_px:.3f} px")
    for one in layout.laid:
        print(
            f"  reference {one.tag.id:>2}: x = {one.tag.x:7.3f}  y = {one.tag.y:7.3f}"
            f"  heading = {one.tag.heading:6.2f}   ({one.moved_mm:.1f} mm from its written place,"
            f" ± {one.sigma_mm:.1f} mm)"
        )
    for line in layout_notes(layout, setup):
        print(f"  {line}")
    print(scale_text(layout, args.size))
    if not args.check:
        print(f"written to {args.setup}")
    return 0


def calibrate_corners(args: argparse.Namespace, setup: Setup) -> int:
    """Measure the lens from one photo in which the table's corners are known."""
    from calibration.references.table_lost import TableLost
    from calibration.references.tapped_corners import lens_of_corners, table_corners

    numbers = re.fullmatch(r"\s*-?\d+(\.\d+)?(\s*,\s*-?\d+(\.\d+)?){7}\s*", args.corners)
    if numbers is None:
        raise BadPreparing(f"--corners: {args.corners!r} is not eight numbers: x,y of four corners")
    if args.camera is None and len(photos_of(args)) != 1:
        raise BadPreparing("--corners needs the one photo in which they were measured")
    values = [float(one) for one in args.corners.split(",")]
    taps = [(values[n], values[n + 1]) for n in range(0, 2 * len(table_corners(setup)), 2)]
    ids = frozenset(tag.id for tag in setup.references)
    bare = replace(setup, trays=(), lens=None)
    size, found = next(table_views(args, bare, ids))
    lens = lens_of_corners(found, bare, size, taps)
    if isinstance(lens, TableLost):
        raise BadPreparing(lens.reason)
    share = 100 * lens.sigma[0] / lens.matrix[0]
    print(f"focal length {lens.matrix[0]:.0f} px, known to {share:.1f} %")
    if not args.check:
        setup.with_lens(lens).save(args.setup)
        print(f"written to {args.setup}")
    return 0


def layout_notes(layout: ReferenceLayout, setup: Setup) -> list[str]:
    """References that lie elsewhere than written, and those that no photo shows."""
    notes = []
    if layout.elsewhere:
        names = ", ".join(map(str, layout.elsewhere))
        notes.append(f"far from the written place: {names}; the table's edges rest on the others")
    seen = {one.tag.id for one in layout.laid}
    unseen = [str(tag.id) for tag in setup.references if tag.id not in seen]
    if unseen:
        notes.append(f"in no photo, left where it is written: {', '.join(unseen)}")
    return notes


def calibrate_trays(args: argparse.Namespace) -> int:
    """Measure where the tags are mounted on their trays, from photos of standing trays."""
    from calibration.references.table_pose import TablePose, table_pose
    from calibration.setup import Setup
    from calibration.tags.mount_fit import measured_mounts, with_mounts
    from companion.vision.look import require

    setup = require(Setup.load(args.setup), str(args.setup))
    setup = replace(setup, mirrored=setup.mirrored != args.mirrored)
    if not setup.trays:
        raise BadInput(str(args.setup), "tray", "none given: there is no mount to measure")
    photos = []
    for number, (size, found) in enumerate(table_views(args, setup, setup.ids())):
        camera = table_pose(found, setup, size)
        if isinstance(camera, TablePose):
            photos.append(({one.id: one for one in found}, camera))
        else:
            print(f"companion: photo {number + 1}: {camera.reason}", file=sys.stderr)
    mounts = measured_mounts(photos, setup, args.lined_up)
    if not args.check:
        with_mounts(setup, mounts).save(args.setup)
    if args.json:
        print(json.dumps({"photos": len(photos), "trays": [mount_plain(one) for one in mounts]}))
        return 0
    print(f"{len(photos)} photos")
    for one in mounts:
        print(mount_text(one))
    if not args.lined_up:
        print("  heights are measured; places and turns only with --lined-up")
    if not args.check:
        print(f"written to {args.setup}")
    return 0


def mount_plain(mount: MeasuredMount) -> dict[str, object]:
    return {
        "unit": mount.after.unit,
        "photos": mount.photos,
        "problem": mount.problem,
        "tags": [tag.to_json() for tag in mount.after.tags],
    }


def mount_text(mount: MeasuredMount) -> str:
    if mount.problem:
        return f"  {mount.after.unit}: left as it was: {mount.problem}"
    lines = []
    for old, new in zip(mount.before.tags, mount.after.tags, strict=True):
        away = 25.4 * ((new.forward - old.forward) ** 2 + (new.left - old.left) ** 2) ** 0.5
        lines.append(
            f"  {mount.after.unit}: tag {new.id}: "
            f"{25.4 * new.up:.1f} ± {new.up_sigma_mm:.1f} mm high (was {25.4 * old.up:.1f}), "
            f"{away:.1f} ± {new.glue_sigma_mm:.1f} mm and"
            f" {new.turn - old.turn:+.1f} ± {new.turn_sigma_deg:.1f}° off its place"
        )
    return "\n".join(lines)


def scale_text(layout: ReferenceLayout, size_mm: float | None) -> str:
    """A note on the scale, which photos cannot show: a large table and small prints look alike."""
    if size_mm is not None:
        return f"  inches are as true as the measured {size_mm:g} mm of the black square"
    written = layout.laid[0].tag.size_mm
    looks = (
        f"  the black squares look {layout.scale * written:.2f} mm wide beside the written places"
    )
    if layout.odd_prints:
        return (
            f"{looks}, not {written:g} mm: printed at {100 * layout.scale:.0f} %, and written so; "
            "if the references were not laid with a ruler, measure a square and give it with --size"
        )
    return f"{looks}: as written; photos alone cannot tell a larger table from larger prints"


def table_views(
    args: argparse.Namespace, setup: Setup, ids: frozenset[int]
) -> Iterator[tuple[tuple[int, int], list[Sighting]]]:
    """The image size and these tags in every photo, or in some frames of a camera."""
    from calibration.references.table_lost import TableLost
    from calibration.references.table_pose import FEWEST_REFERENCES
    from companion.cli.look import fault_advice
    from companion.vision.detect.dictionaries import find_all
    from companion.vision.look import blamed
    from companion.vision.sources.frame import CameraFrame, Gap, load_photo
    from companion.vision.sources.frame_sources import open_source

    def found(frame: CameraFrame) -> tuple[tuple[int, int], list[Sighting]]:
        frame = frame.turned_back(setup.mirrored)
        if setup.lens is not None:
            setup.lens.require(frame.size, frame.name or "picture")
        grey = frame.grey()
        tags = find_all(grey, setup, thorough=True).tags
        seen = [tag.sighting() for tag in tags.values() if tag.id in ids]
        if len(seen) < FEWEST_REFERENCES:
            lost = TableLost("")
            lost = blamed(lost, grey, replace(setup, trays=()), len(seen), thorough=True)
            if lost.fault:
                complain(f"{frame.name}: {fault_advice(lost)}")
        return frame.size, seen

    if args.camera is None:
        for path in photos_of(args):
            yield found(CameraFrame(load_photo(path), name=str(path)))
        return
    source = open_source(args.camera)
    try:
        count = 0
        while count < 5 and (frame := source.read()) is not None:
            if isinstance(frame, Gap):
                time.sleep(0.2)
                continue
            count += 1
            yield found(frame)
    finally:
        source.close()
