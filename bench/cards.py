"""Cards with clip-on tags: which are found, whether they stand, their rows and attachments.

Every frame is another table of two to four players with rows of cards as hands lay them, some
kneeling, some with attachments, in changing light, seen by a 1080p camera.
`python -m bench.cards --frames 300`.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace

import numpy as np

from companion.games.thrones.play.practice_game import (
    APART_IN,
    BACK_IN,
    FRONT_IN,
    STICKS_OUT_IN,
    spot,
)
from companion.games.thrones.rules.card_places import (
    HAND_DEG,
    HAND_IN,
    SeatPlace,
    hosts_of,
    row_of,
    seat_places,
    turn_of,
)
from companion.practice.camera import PracticeCamera
from companion.practice.game_table import TABLE_IN, CardLying, card_scene
from companion.practice.sensor import LOOKS
from companion.vision.look import look
from companion.vision.sources.frame import CameraFrame
from models.pose import Pose

SHADES = ("standard", "phone", "webcam", "shadow", "standard")
LEAST_FOUND, MOST_UNSURE = 0.97, 0.05
SIDES = ("blue", "red", "green", "gold")
INSET_IN = 8.6
"""From the corners of the table to the first card."""
KNEELING_SHARE, ATTACHED_SHARE = 0.35, 0.3


@dataclass(frozen=True, slots=True)
class CardTruth:
    """A card as it was laid: whose, how, in which row, at which other card."""

    lying: CardLying
    place: SeatPlace
    kneeling: bool
    row: str
    host: str = ""


@dataclass
class CardTally:
    """What the frames counted; `unsure` answers decide nothing, `wrong` ones are wrong."""

    cards: int = 0
    found: int = 0
    turns_wrong: int = 0
    turns_unsure: int = 0
    rows_wrong: int = 0
    rows_unsure: int = 0
    hosts_wrong: int = 0
    hosts_unsure: int = 0

    @property
    def share(self) -> float:
        return self.found / max(1, self.cards)

    @property
    def wrong(self) -> int:
        return self.turns_wrong + self.rows_wrong + self.hosts_wrong


def random_cards(seed: int) -> list[CardTruth]:
    """Rows of cards of two to four players, determined by the seed."""
    rng = np.random.default_rng([seed, 19])
    found: list[CardTruth] = []
    places = seat_places(int(rng.integers(2, 5)))
    for number, place in enumerate(places):
        long = TABLE_IN[0 if place.edge in ("south", "north") else 1]
        # Where two edges meet, the rows of one player would lie in those of the other.
        inset = INSET_IN if len(places) == 2 or place.edge in ("west", "east") else 14.6
        for row, far in (("front", FRONT_IN), ("back", BACK_IN)):
            for along in np.arange(inset if len(places) > 2 else 4.2, long - inset + 0.1, APART_IN):
                kneeling = bool(rng.random() < KNEELING_SHARE)
                x, y = spot(place, far, float(along), TABLE_IN)
                one = laid(rng, f"c{len(found)}", SIDES[number], (x, y), place, kneeling)
                card = CardTruth(one, place, kneeling, row)
                if row == "front" and not kneeling and rng.random() < ATTACHED_SHARE:
                    x, y = spot(place, far + STICKS_OUT_IN, float(along), TABLE_IN)
                    name = f"c{len(found)}a"
                    under = laid(rng, name, SIDES[number], (x, y), place, False)
                    found.append(CardTruth(under, place, False, "", one.id))
                found.append(card)
    return found


def laid(
    rng: np.random.Generator,
    name: str,
    side: str,
    at: tuple[float, float],
    place: SeatPlace,
    kneeling: bool,
) -> CardLying:
    """A card as a hand lays it."""
    turn = float(rng.choice((-90.0, 90.0))) if kneeling else 0.0
    x, y = (float(value) for value in np.array(at) + rng.normal(0, HAND_IN, 2))
    return CardLying(name, side, Pose(x, y, place.away_deg + turn + float(rng.normal(0, HAND_DEG))))


def count_frame(tally: CardTally, cards: list[CardTruth], shade: str, seed: int) -> None:
    """Look at one frame and compare every answer with the truth."""
    scene = card_scene([one.lying for one in cards])
    camera = PracticeCamera(scene.setup, scene.view, replace(LOOKS[shade], seed=seed))
    picture, _ = camera.frame(scene.table, number=seed)
    sight = look(CameraFrame(picture, name=f"frame {seed}"), scene.setup)
    poses = {tray.unit: tray.pose for tray in sight.trays}
    attachments = {one.lying.id for one in cards if one.host}
    for card in cards:
        tally.cards += 1
        pose = poses.get(card.lying.id)
        if pose is None:
            continue
        tally.found += 1
        turn = turn_of(pose, card.place)
        tally.turns_unsure += turn == "unsure"
        tally.turns_wrong += turn == ("standing" if card.kneeling else "kneeling")
        if card.row:
            row = row_of(pose, card.place, TABLE_IN)
            tally.rows_unsure += row == "unsure"
            tally.rows_wrong += row not in ("unsure", card.row)
        if card.host in poses:
            others = ((n, at) for n, at in poses.items() if n not in attachments)
            hosts = hosts_of(pose, others)
            sure = [name for name, verdict in hosts.items() if verdict == "yes"]
            tally.hosts_wrong += bool(sure) and sure != [card.host]
            tally.hosts_unsure += sure != [card.host]


def count_cards(frames: int, first: int = 0) -> CardTally:
    tally = CardTally()
    for seed in range(first, first + frames):
        count_frame(tally, random_cards(seed), SHADES[seed % len(SHADES)], seed)
    return tally


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    tally = count_cards(asked.frames, asked.seed)
    print(
        f"{tally.cards} cards in {asked.frames} frames: {tally.share:.2%} found "
        f"(at least {LEAST_FOUND:.0%}); wrong: {tally.turns_wrong} turns, {tally.rows_wrong} rows, "
        f"{tally.hosts_wrong} hosts; unsure: {tally.turns_unsure} turns (at most "
        f"{MOST_UNSURE:.0%}), {tally.rows_unsure} rows, {tally.hosts_unsure} hosts"
    )
    unsure = tally.turns_unsure / max(1, tally.found)
    raise SystemExit(tally.wrong > 0 or tally.share < LEAST_FOUND or unsure > MOST_UNSURE)


if __name__ == "__main__":
    main()
