"""The words used in army lists in all supported languages: headings and faction names."""

from __future__ import annotations

import re

from models import UnknownName
from models.cards.card_index import folded
from models.catalogue import Catalogue
from models.field import shown
from models.lazy_message import say

SECTIONS = ("units", "attachments", "ncus", "cards")
HEADINGS = {
    "faction": "faction|fraktion|haus|фракция|дом".split("|"),
    "commander": "commander|kommandant|anführer|befehlshaber|командир|полководец".split("|"),
    "points": "points|total|punkte|gesamt|очки|всего".split("|"),
    "units": (
        "units|unit|combat units|combat unit|einheiten|kampfeinheiten|отряды|боевые отряды|юниты"
    ).split("|"),
    "attachments": "attachments|attachment|anhänge|beigeordnete|приложения".split("|"),
    "ncus": (
        "ncus|ncu|non-combat units|non combat units|non-combat unit|nichtkampfeinheiten|"
        "nicht-kampfeinheiten|nke|небоевые отряды|небоевые юниты|нбо"
    ).split("|"),
    "cards": (
        "tactics|cards|tactics cards|tactics deck|taktikkarten|taktikdeck|карты тактики"
    ).split("|"),
}
WORDS = {folded(word): meaning for meaning, words in HEADINGS.items() for word in words}
"""The meaning of each heading."""

FACTIONS = {
    "nightswatch": "nachtwache ночнойдозор дозор".split(),
    "freefolk": "freiesvolk wildlinge вольныйнарод одичалые".split(),
    "greyjoy": "graufreud грейджой грейджои".split(),
    "baratheon": "баратеон баратеоны".split(),
    "lannister": "lennister ланнистер ланнистеры ланнистеров".split(),
    "stark": "старк старки старков".split(),
    "targaryen": "таргариен таргариены таргариенов".split(),
    "bolton": "болтон болтоны болтонов".split(),
    "martell": "мартелл мартеллы мартеллов".split(),
    "brotherhood": "bruderschaft братство brotherhoodwithoutbanners bruderschaftohnebanner".split(),
    "neutral": "neutrale нейтралы нейтральные".split(),
}
HOUSE = re.compile(r"^(?:house|haus|the|die|der|дом)\s+", re.IGNORECASE)


def faction_named(name: str, facts: Catalogue) -> str:
    """The faction a list names: 'House Stark', 'stark', 'Night's Watch', 'Haus Stark'."""
    plain = re.sub(r"[\W_]", "", folded(HOUSE.sub("", name.strip())))
    for known in facts.units.factions:
        if plain in (known, f"{known}s", *FACTIONS.get(known, ())):
            return known
    known_ones = ", ".join(facts.units.factions)
    raise UnknownName(
        say("no faction {name}; there are: {known}", name=shown(name.strip()), known=known_ones)
    )
