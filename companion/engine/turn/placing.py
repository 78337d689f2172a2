"""A tray that players move by finger: where it would stand, what the game says of that place, and
what the players may say of it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from companion.engine.moves.contact import Contact, snapped
from companion.engine.moves.move_verdict import too_far
from companion.engine.moves.recorded_move import action_names, agreement, as_action
from companion.engine.moves.tray_places import at_end, drawn_back, straightened
from companion.engine.snapshot import Notice, Snapshot, may_stay
from companion.engine.turn.handles import PlaceTap
from companion.engine.turn.turn_records import ChoiceView, PlaceView
from companion.engine.turn.turn_view import ViewMaker
from companion.games.api.play import Plain
from companion.games.api.prompt import ActionOffer
from companion.text.translation import capital
from models import Pose, Table
from models.message import joined, say


@dataclass(frozen=True, slots=True)
class Placing:
    """One tray in the players' fingers; `notice` is the game's judgement of its place."""

    unit: str
    start: Pose
    pose: Pose
    offer: ActionOffer | None = None
    """The action that moves it; None: whichever explains where it goes."""
    contact: Contact | None = None
    notice: Notice | None = None
    proposed: bool = False
    """Whether nobody picked that action: it gives way to one that explains where the tray goes."""

    @classmethod
    def begin(
        cls,
        snapshot: Snapshot,
        unit: str,
        pose: Pose,
        offer: ActionOffer | None = None,
        proposed: bool = False,
    ) -> Placing | None:
        """Take up a tray at a pose; None if there is no such tray.

        A move of it that is decided already is carried out, whatever was chosen.
        """
        table = snapshot.trays
        if table is None or unit not in table:
            return None
        due = snapshot.due_move(unit)
        proposed = proposed and due is None
        return cls(unit, table.unit(unit).pose, pose, due or offer, proposed=proposed)

    @property
    def only_turns(self) -> bool:
        """Whether the tray stays in its place and is turned there."""
        return self.offer is not None and self.offer.reach == 0.0

    def over(self, snapshot: Snapshot) -> bool:
        """Whether the move that it is taken up for is no longer decided, as after an undo."""
        if self.offer is None or self.offer.commands:
            return False
        due = snapshot.due_move(self.unit)
        return due is None or due.kind != self.offer.kind

    @property
    def put_down(self) -> bool:
        """Whether the tray is put down for the first time: how far it was dragged says nothing."""
        return self.offer is not None and self.offer.kind in ("deploy", "enter", "terrain")

    @property
    def turns(self) -> bool:
        """Whether the tray may be turned."""
        return self.offer is None or not self.offer.keeps_facing

    def moved(
        self, table: Table, pose: Pose, snap: bool, offers: Sequence[ActionOffer] = ()
    ) -> Placing:
        """The tray at another pose, not yet judged: on its line, or in contact, if close to it.

        Whoever goes farther than its Speed means the straight one of the `offers`, whichever was
        chosen.
        """
        far = math.dist((pose.x, pose.y), (self.start.x, self.start.y))
        meant: Sequence[ActionOffer] = (self.offer,) if self.offer else ()
        if far > table.unit(self.unit).speed and (self.offer is None or self.offer in offers):
            meant = offers
        lines = tuple(line for one in meant if one.piece == self.unit for line in one.lines)
        contact = None
        named = at_end(meant or offers, self.unit, pose) if snap else None
        if named is not None:
            pose = named
        elif snap and lines:
            decided = self.offer is not None and not self.offer.commands
            farther = meant is offers and snapped(table, self.unit, pose) is None
            start = table.unit(self.unit).pose
            pose = straightened(start, pose, lines, decided or farther)
            if decided and self.offer is not None:
                pose = drawn_back(start, pose, self.offer.reach or 0.0)
        elif snap:
            contact = snapped(table, self.unit, pose)
        at = contact.pose if contact is not None else pose
        return replace(self, pose=at, contact=contact, notice=None)

    # -- the verdict ---------------------------------------------------------------------------

    def judged(self, notice: Notice | None) -> Placing:
        """The tray with the game's judgement of its place."""
        kinds = {one.kind for one in notice.actions} if notice is not None else set()
        strays = self.offer is not None and kinds and self.offer.kind not in kinds
        if self.proposed and strays:
            return replace(self, offer=None, proposed=False, notice=notice)
        return replace(self, notice=notice)

    @property
    def fits(self) -> bool:
        """Whether one action surely explains the place: the chosen one, or the only one."""
        notice, offer = self.notice, self.offer
        if notice is None or not notice.legal or notice.unsure:
            return False
        alone = notice.actions[0].kind if len(notice.actions) == 1 else ""
        return notice.sure(alone if offer is None else offer.kind)

    def verdict(self, notice: Notice) -> tuple[str, str, str]:
        """The tone, the verdict in few words, and why: of the chosen action, or of any."""
        kind = self.offer.kind if self.offer is not None else ""
        if self.fits:
            text = say("In contact, legal") if self.contact is not None else say("Legal")
            return "yes", text, notice.detail
        if notice.legal and (not kind or any(one.kind == kind for one in notice.actions)):
            if notice.unsure or kind in notice.doubtful:
                return "unsure", say("Too close to call"), notice.doubt or notice.detail
            told = joined(filter(None, (notice.detail, notice.doubt)), " · ")
            return "yes", say("Legal: say as what"), told
        over, why = notice.over.get(kind, 0.0), notice.why.get(kind, notice.detail)
        return "no", too_far(over) if over else say("Not legal"), why

    @property
    def usual(self) -> str:
        """The action as which it is put down without a word: the chosen one, or the first."""
        offers = self.notice.actions if self.notice is not None else ()
        if self.offer is not None:
            return self.offer.kind
        return offers[0].kind if offers else ""

    def rolls(self, action: str, commands: Sequence[Plain] = ()) -> ActionOffer | None:
        """The offer of an action that explains the place, if it rolls dice first."""
        offers = self.notice.actions if self.notice is not None else ()
        return as_action((one for one in offers if one.dice), action, commands)


def place_view(maker: ViewMaker, placing: Placing) -> PlaceView:
    """The place with its verdict, and what the players may say of it."""
    notice, pose, words = placing.notice, placing.pose, maker.words
    start = placing.start
    unmoved = "", say("Not moved yet"), ""
    verdict, text, why = placing.verdict(notice) if notice is not None else unmoved
    edge = placing.contact.edge if placing.contact is not None else ()
    return PlaceView(
        placing.unit,
        pose.x,
        pose.y,
        pose.heading,
        tuple(value for point in edge for value in point),
        verdict,
        words(text),
        words(why),
        0.0 if placing.put_down else math.dist((pose.x, pose.y), (start.x, start.y)),
        placing.only_turns,
        words(say("Place {unit}", unit=maker.snapshot.name(placing.unit))),
        tuple(place_choices(maker, placing)),
        placing.turns,
    )


def place_choices(maker: ViewMaker, placing: Placing) -> Iterator[ChoiceView]:
    """What the players may say of the place: done, as which action, or only a correction."""
    notice, chosen = placing.notice, placing.offer
    piece = maker.snapshot.piece(placing.unit)
    acts = (piece.seat,) if piece is not None else ()

    def button(
        action: str,
        text: str,
        name: str,
        look: str,
        stays: bool = False,
        at: Pose | None = None,
        commands: tuple[Plain, ...] = (),
    ) -> ChoiceView:
        target = PlaceTap(placing.unit, action, commands, stays, at)
        tap = maker.handles.add("c", ("place", placing.unit, name), target)
        costs = notice.costs.get(action, "") if notice is not None and at is None else ""
        detail = capital(maker.words(costs))
        return ChoiceView(tap, maker.words(text), acts, detail, look=look, name=name)

    if chosen is not None and not placing.fits:
        for number, end in enumerate(chosen.ends):
            for there in (pose for _, pose in end.poses if len(end.poses) == 1):
                yield button(chosen.kind, end.text, f"end:{number}", "plain", at=there)
    if notice is None:
        if chosen is not None and may_stay(chosen):
            yield button(chosen.kind, say("It stays where it is"), "stay", "quiet", True)
        return
    if placing.fits:
        alone = notice.actions[0].text if chosen is None else say("Done")
        yield button(placing.usual, alone, "place", "primary")
        return
    for offer, name in zip(notice.actions, action_names(notice.actions), strict=True):
        yield button(offer.kind, offer.text, f"place:{name}", "plain", commands=offer.commands)
    here = placing.pose
    places = [at for kind, at in notice.nearest.items() if chosen is None or kind == chosen.kind]
    nearest = min(places, key=lambda at: math.dist((at.x, at.y), (here.x, here.y)), default=None)
    if nearest is not None:
        yield button("", say("To a legal place on its way"), "nearest", "plain", at=nearest)
    for offer in notice.agreeable:
        if offer.kind == chosen.kind if chosen is not None else not notice.legal:
            yield button(offer.kind, agreement(offer), f"agree:{offer.kind}", "quiet")
    if notice.possible:
        only = say("Correct it all the same") if notice.barred else say("Only correct the position")
        yield button("", only, "correct-position", "quiet")
