"""Names that are cut still tell every unit on the table apart."""

from __future__ import annotations

from itertools import permutations

import pytest

from companion.overlay.short_names import parts, short_names, words

TABLE = (
    "Sworn Swords",
    "Sworn Brothers",
    "Lannister Guards",
    "Lannister Guardsmen 1",
    "Lannister Guardsmen 2",
    "Guardsmen (Ben)",
    "War Host 1",
    "War Host 2",
    "War Hounds",
    "Heavy Infantry 1",
    "Heavy Cavalry",
    "Тяж. пехота 2",
    "Grey Wind",
)


@pytest.mark.parametrize("letters", [3, 5])
def test_a_short_name_is_that_of_one_unit_and_keeps_its_number(letters: int) -> None:
    """ "Lann…" stood for four units, "WH 4" for the first war host, "GB" for Ben's Guardsmen."""
    short = short_names(TABLE, letters)
    assert len(set(short.values())) == len(TABLE)
    for name, other in permutations(TABLE, 2):
        base, tail = parts(short[name])
        if parts(name)[0] == parts(other)[0]:
            assert tail == parts(name)[1], name
        elif base.endswith("."):
            assert not any(one.startswith(base[:-1].casefold()) for one in words(other)), (
                short[name],
                other,
            )
    for name in TABLE:
        first = words(short[name])[0]
        assert any(one.startswith(first) for one in words(name)), "letters of the name, no initials"


@pytest.mark.parametrize(
    ("name", "cut", "brief"),
    [
        ("Mountain's Men", "Mount.", "Mou."),
        ("Guardsmen 2", "Guard. 2", "Gua. 2"),
        ("Bowmen 1", "Bowmen 1", "Bow. 1"),
        ("Guardsmen (Ben)", "Guard.", "Gua."),
        ("Ritter von Burg", "Ritter", "Rit."),
        ("Ghost", "Ghost", "Ghost"),
        ("Солдаты", "Солдаты", "Сол."),
        ("", "", ""),
    ],
)
def test_a_name_alone_is_cut_to_its_first_letters(name: str, cut: str, brief: str) -> None:
    assert (short_names([name], 5)[name], short_names([name], 3)[name]) == (cut, brief)
