"""What a form tells of a card that is being entered."""

from __future__ import annotations

from companion.games.api.card_form import CardForm, FormField
from companion.games.api.card_summary import card_lines

EFFECT = FormField("effects", "Effects", "rows", fields=(FormField("name", "Name"),))
ATTACKS = FormField(
    "attacks",
    "Attacks",
    "rows",
    fields=(
        FormField("name", "Name"),
        FormField("kind", "Kind", "option", options=(("m", "melee"), ("r", "ranged"))),
        FormField("dice", "Dice", "number"),
        FormField("charge", "Only in a charge", "flag"),
        EFFECT,
    ),
)
FORM = CardForm("figure", "Figure", (FormField("name", "Name"), FormField("will", "Will", "number"),
                                     FormField("photo", "Photo", "photo"), ATTACKS))  # fmt: skip


def test_a_card_is_told_by_its_name_its_values_and_its_rows() -> None:
    values = {
        "name": "Old Gerrin",
        "will": 0,
        "photo": "data",
        "attacks": [
            {
                "name": "Mace",
                "kind": "m",
                "dice": 2,
                "charge": True,
                "effects": [{"name": "Swing"}],
            },
            {"kind": "r", "charge": False},
            {},
        ],
    }
    assert card_lines(FORM, values, str) == [
        ("Old Gerrin", "Will 0"),
        ("Mace", "melee · Dice 2 · Only in a charge · Swing"),
        ("ranged", ""),
        ("Attacks 3", ""),
    ]


def test_a_card_of_which_nothing_is_known_is_called_by_its_kind() -> None:
    assert card_lines(FORM, {}, str) == [("Figure", "")]
