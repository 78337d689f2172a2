"""A combat unit in play: its statistics, wounds and tokens.

Also how records become logged data, and how typed names of abilities are compared (TMG-ABL-5).
"""

from __future__ import annotations

import dataclasses
import math
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, dataclass, fields
from functools import lru_cache
from typing import Any, TypeVar

from companion.games.tmg.rules.combat.dice import ABILITIES
from models import Attack
from models.field import Field
from models.frozen_records import replace

ORDER_WORDS = ("order", "befehl", "приказ")
"""The word that the books print before the name of an order."""


@lru_cache(maxsize=512)
def spelling(name: str) -> str:
    """A name without capitals, accents, spaces and punctuation.

    >>> spelling("Hold The Line!") == spelling("hold  the line")
    True
    >>> spelling("Order: Hold the Line")
    'holdtheline'
    """
    plain = unicodedata.normalize("NFKD", name).casefold()
    word, colon, rest = plain.partition(":")
    if colon and word.strip() in ORDER_WORDS and rest.strip():
        plain = rest
    return "".join(letter for letter in plain if letter.isalnum()) or plain.strip()


def same_name(name: str, others: Iterable[str]) -> str:
    """The one of several names that equals this one, whatever the spelling; empty if none does."""
    wanted = spelling(name)
    return next((other for other in others if spelling(other) == wanted), "")


T = TypeVar("T")


def record_of(kind: type[T], data: Mapping[str, Any], **more: Any) -> T:
    """A record from the data of the same names, and `more`; what an older log lacks is default."""
    found = {
        one.name: tupled(data[one.name])
        for one in fields(kind)  # type: ignore[arg-type]
        if one.name not in more and (one.name in data or one.default is MISSING)
    }
    return kind(**found, **more)


def plain_of(record: Any, *names: str) -> dict[str, Any]:
    """These fields of a record, or all of them, as data."""
    return {name: listed(getattr(record, name)) for name in names or record.__slots__}


def tupled(value: Any) -> Any:
    """The same value with tuples for lists."""
    return tuple(map(tupled, value)) if isinstance(value, list | tuple) else value


def listed(value: Any) -> Any:
    """The same value with lists for tuples."""
    return list(map(listed, value)) if isinstance(value, tuple) else value


FIELD, RESERVE, WAITING, DESTROYED = "field", "reserve", "waiting", "destroyed"
SOLO_TRAYS = ("solo", "warmachine")
INNATE = "innate:"
SET_UP_FIELDS = (
    *("id", "name", "type", "tray", "cost", "speed", "defense", "morale", "attacks", "abilities"),
    *("per_model", "full_models", "full_ranks", "attachments", "character", "commander", "assumed"),
)
"""The fields of a unit that a set-up logs."""


@dataclass(frozen=True, slots=True)
class JoinedAttachment:
    """An attachment in its unit: part of it in every respect (TMG-ATM-1)."""

    name: str
    cost: int = 0
    """The points on the back of its card (TMG-ATM-13)."""
    character: bool = False
    commander: bool = False
    abilities: tuple[str, ...] = ()
    joins: str = ""
    """When it joins an enemy unit, "before" or "after" deployment; "": it stands in its own."""

    def to_json(self) -> dict[str, Any]:
        """The attachment as set-up data."""
        return {key: value for key, value in plain_of(self).items() if key != "joins" or value}

    @classmethod
    def of(cls, raw: Mapping[str, Any]) -> JoinedAttachment:
        """The attachment from a logged set-up."""
        return record_of(cls, raw)


@dataclass(frozen=True, slots=True)
class UnitState:
    """One combat unit on a tray of its own (TMG-UNT-6); its models follow from the wounds taken
    (TMG-WND-7). Attachments are part of it and no units (TMG-GLO-25)."""

    id: str
    player: str
    side: str
    name: str
    type: str = "infantry"
    """The type on its card, to which effects refer (TMG-CARD-12)."""
    tray: str = "infantry"
    cost: int = 0
    """The points of a full tray (TMG-CARD-11)."""
    speed: int = 5
    """In inches (TMG-CARD-1)."""
    defense: int = 4
    """What a defense die needs: the lower, the better (TMG-CARD-5)."""
    morale: int | None = 6
    """What a test needs: the lower, the better (TMG-CARD-6)."""
    attacks: tuple[Attack, ...] = ()
    abilities: tuple[str, ...] = ()
    per_model: int = 1
    full_models: int = 12
    """12 of infantry, 4 of cavalry, mostly 1 of others (TMG-UNT-3, -4, -7)."""
    full_ranks: int = 3
    """3 of infantry, 2 of cavalry (TMG-RNK-1, -2)."""
    attachments: tuple[JoinedAttachment, ...] = ()
    character: bool = False
    commander: bool = False
    wounds: int = 0
    place: str = WAITING
    activated: bool = False
    """Whether it has had its activation of this round (TMG-GLO-1)."""
    tokens: tuple[str, ...] = ()
    orders: tuple[str, ...] = ()
    influence: tuple[tuple[str, str], ...] = ()
    """The NCUs that influence the unit, each with its side (TMG-INF-1)."""
    abilities_lost: bool = False
    engaged: tuple[str, ...] = ()
    vp_tokens: int = 0
    marked: bool = False
    card: str = ""
    """An objective card with an effect on the unit."""
    fallen: int = 0
    """How often it was destroyed."""
    assumed: tuple[str, ...] = ()
    """What was unknown: a cost is assumed to be 0, wounds per model 1, an attachment's type to
    fit."""

    # -- models and ranks ---------------------------------------------------------------------

    @property
    def total(self) -> int:
        """The wounds the full unit can take."""
        return self.per_model * self.full_models

    @property
    def wounds_left(self) -> int:
        """The wounds it can still take."""
        return self.total - self.wounds

    @property
    def models(self) -> int:
        """The models left: one is lost with its full number of wounds (TMG-WND-2), one after the
        other (TMG-WND-3)."""
        return self.full_models - self.wounds // self.per_model

    @property
    def wound_tokens(self) -> int:
        """The wounds marked on the model that is lost next (TMG-WND-4)."""
        return self.wounds % self.per_model

    @property
    def ranks(self) -> int:
        """The remaining ranks: one counts while it has a model (TMG-RNK-4, TMG-RNK-8)."""
        if not self.full_ranks:  # TMG-RNK-3: a solo unit of 2018
            return 0
        return math.ceil(self.models / (self.full_models / self.full_ranks))

    @property
    def ranks_lost(self) -> int:
        """The ranks without models."""
        return self.full_ranks - self.ranks

    @property
    def counted_ranks(self) -> int:
        """The ranks that count for an objective: a solo unit counts its wounds left (TMG-OBJ-3)."""
        return self.wounds_left if self.tray in SOLO_TRAYS else self.ranks

    @property
    def standing(self) -> bool:
        """Whether it is on the battlefield."""
        return self.place == FIELD

    @property
    def lone_character(self) -> bool:
        """Whether it is a character without normal models that could replace it."""
        return self.character and self.full_models == 1

    @property
    def points(self) -> int:
        """The cost of the unit and its attachments."""
        if not self.attachments:
            return self.cost
        return self.cost + sum(one.cost for one in self.attachments)

    def formation(self) -> tuple[tuple[str, ...], ...]:
        """The models in each remaining rank, front rank first, from left to right.

        Attachments stand leftmost in the front rank (TMG-ATM-6, TMG-ATM-8); models are removed from
        the rear rank, from right to left (TMG-RNK-5..7), so attachments are last (TMG-ATM-7).
        """
        deep = max(1, self.full_ranks)
        wide = math.ceil(self.full_models / deep)
        names = [one.name for one in self.attachments]
        names += [self.name] * (self.full_models - len(names))
        left = names[: self.models]
        return tuple(tuple(left[at : at + wide]) for at in range(0, len(left), wide))

    # -- abilities ----------------------------------------------------------------------------

    def abilities_now(self) -> tuple[str, ...]:
        """Printed abilities and those of attachments (TMG-ATM-10), each name once (TMG-ABL-5).

        A unit that lost its abilities keeps the innate ones (TMG-ABL-7, TMG-CARD-9); those of its
        attachments are gone (TMG-ATM-11).
        """
        joined = (name for one in self.attachments for name in one.abilities)
        if not self.abilities_lost:
            every: dict[str, str] = {}
            for name in (*self.abilities, *joined):
                every.setdefault(spelling(name), name)
            return tuple(every.values())
        return tuple(name for name in self.abilities if name.casefold().startswith(INNATE))

    def answers_to(self, name: str) -> bool:
        """Whether an effect on that name applies; attachments' names do not count (TMG-CARD-10)."""
        return name.casefold() in self.name.casefold()

    def attack_abilities(self, attack: Attack) -> tuple[str, ...]:
        """The abilities of an attack, which work with that attack only (TMG-CARD-13), and those for
        attack dice that attachments add to the unit (TMG-ATM-10)."""
        if not self.abilities_lost:
            joined = (name for one in self.attachments for name in one.abilities)
            own = {spelling(name) for name in attack.abilities}
            more = (name for name in joined if same_name(name, ABILITIES))
            return (*attack.abilities, *(name for name in more if spelling(name) not in own))
        return tuple(name for name in attack.abilities if name.casefold().startswith(INNATE))

    @property
    def attacks_now(self) -> tuple[Attack, ...]:
        """Its attacks with every ability that works with them now."""
        return tuple(
            dataclasses.replace(one, abilities=self.attack_abilities(one)) for one in self.attacks
        )

    @property
    def order_names(self) -> tuple[str, ...]:
        """The names of its orders, as far as the catalogue has them."""
        return tuple(name for name in self.abilities_now() if name.casefold().startswith("order:"))

    # -- wounds -------------------------------------------------------------------------------

    def wounded(self, wounds: int) -> UnitState:
        """The unit after that many wounds, at most as many as it has left."""
        return replace(self, wounds=min(self.total, self.wounds + wounds))

    def healed(self, wounds: int) -> UnitState:
        """The unit after healing: wound tokens first, then models return (TMG-WND-5..7)."""
        return replace(self, wounds=max(0, self.wounds - wounds))

    def without_characters(self) -> UnitState:
        """The unit as it returns: its characters stay dead, replaced by normal models."""
        left = tuple(one for one in self.attachments if not one.character)
        return replace(self, attachments=left, commander=self.commander and self.character)

    # -- serialisation ------------------------------------------------------------------------

    def facts(self) -> dict[str, Any]:
        """The values that a set-up logs, so that a later catalogue cannot change an old game."""
        return {
            **plain_of(self, *SET_UP_FIELDS),
            "attacks": [attack.to_json() for attack in self.attacks],
            "attachments": [one.to_json() for one in self.attachments],
        }

    @classmethod
    def of(cls, raw: Mapping[str, Any], player: str, side: str) -> UnitState:
        """The unit from a logged set-up."""
        return record_of(
            cls,
            {name: raw[name] for name in SET_UP_FIELDS if name in raw or name != "assumed"},
            player=player,
            side=side,
            attacks=tuple(Attack.read(Field(one)) for one in raw["attacks"]),
            attachments=tuple(one for one in listed_attachments(raw) if not one.joins),
        )


def listed_attachments(raw: Mapping[str, Any]) -> list[JoinedAttachment]:
    """The attachments of a unit in a logged set-up, those too that join an enemy unit."""
    return [JoinedAttachment.of(one) for one in raw["attachments"]]
