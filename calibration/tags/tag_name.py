"""What a tag is called: its printed number and its dictionary, and the one id made of both."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2

from models.field import Field

OTHER = 10_000
"""Tags of another dictionary than the usual one are numbered from here on."""


@dataclass(frozen=True, slots=True)
class OtherTag:
    """A tag's printed number and its dictionary; empty is the set-up's usual one.

    >>> OtherTag(5, "DICT_5X5_100").id == OtherTag.of(OtherTag(5, "DICT_5X5_100").id).id
    True
    >>> str(OtherTag.of(12))
    '12'
    """

    number: int
    dictionary: str = ""

    @classmethod
    def of(cls, tag_id: int) -> OtherTag:
        """From the id by which a set-up knows it."""
        sort, number = divmod(tag_id, OTHER)
        return cls(number, dictionaries()[sort - 1] if sort else "")

    @property
    def id(self) -> int:
        """The id by which a set-up knows it."""
        sort = dictionaries().index(self.dictionary) + 1 if self.dictionary else 0
        return self.number + OTHER * sort

    def __str__(self) -> str:
        return f"{self.number} of {self.dictionary}" if self.dictionary else str(self.number)


def read_id(field: Field, usual: str) -> int:
    """The `id` of a tag, with its `dictionary` where that is not the usual one."""
    name = usual
    if "dictionary" in field.raw:
        name = field.member("dictionary").choice(dictionaries())
        if name != usual and same_codes(name, usual):
            field.member("dictionary").fail(f"{name!r} has the same codes as {usual!r}")
    number = field.member("id").whole(0, dictionary_of(name).bytesList.shape[0] - 1)
    return OtherTag(number, "" if name == usual else name).id


def same_codes(one: str, other: str) -> bool:
    """Whether two dictionaries print the same tags, one perhaps more of them."""
    first, second = dictionary_of(one), dictionary_of(other)
    same_size = first.markerSize == second.markerSize
    return bool(same_size and (first.bytesList[0] == second.bytesList[0]).all())


def plain_id(tag_id: int) -> dict[str, Any]:
    """A tag's `id`, and its `dictionary` where that is not the usual one."""
    tag = OtherTag.of(tag_id)
    return {"id": tag.number} | ({"dictionary": tag.dictionary} if tag.dictionary else {})


@lru_cache
def dictionaries() -> tuple[str, ...]:
    """The tag dictionaries this OpenCV knows."""
    return tuple(name for name in dir(cv2.aruco) if name.startswith("DICT_"))


def dictionary_of(name: str) -> cv2.aruco.Dictionary:
    return cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, name))
