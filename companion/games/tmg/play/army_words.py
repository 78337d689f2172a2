"""The words of army lists in the companion's languages: headings, and what factions are called."""

from __future__ import annotations

import re

from models import UnknownName
from models.catalogue import Catalogue
from models.shelf import folded

SECTIONS = ("units", "attachments", "ncus", "cards")
HEADINGS = {
    "faction": "faction fraktion haus фракция дом",
    "commander": "commander kommandant anführer befehlshaber командир полководец",
    "points": "points total punkte gesamt очки всего",
    "units": "units, combat units, combat unit, unit, einheiten, kampfeinheiten, отряды, "
    "боевые отряды, юниты",
    "attachments": "attachments, attachment, anhänge, beigeordnete, приложения, присоединения",
    "ncus": "ncus, ncu, non-combat units, non combat units, non-combat unit, nichtkampfeinheiten, "
    "nicht-kampfeinheiten, nke, небоевые отряды, небоевые юниты, нбо",
    "cards": "tactics, cards, tactics cards, tactics deck, taktikkarten, taktikdeck, "
    "карты тактики, тактические карты",
}
WORDS = {
    folded(word): meaning
    for meaning, words in HEADINGS.items()
    for word in (words.split(", ") if ", " in words else words.split())
}
"""What a heading means."""

FACTIONS = {
    "nightswatch": "nachtwache ночнойдозор дозор",
    "freefolk": "freiesvolk wildlinge вольныйнарод одичалые",
    "greyjoy": "graufreud грейджой грейджои",
    "baratheon": "баратеон баратеоны",
    "lannister": "lennister ланнистер ланнистеры ланнистеров",
    "stark": "старк старки старков",
    "targaryen": "таргариен таргариены таргариенов",
    "bolton": "болтон болтоны болтонов",
    "martell": "мартелл мартеллы мартеллов",
    "brotherhood": "bruderschaft братство brotherhoodwithoutbanners bruderschaftohnebanner",
    "neutral": "neutrale нейтралы нейтральные",
}
HOUSE = re.compile(r"^(?:house|haus|the|die|der|дом)\s+", re.IGNORECASE)


def faction_named(name: str, facts: Catalogue) -> str:
    """The faction a list names: 'House Stark', 'stark', 'Night's Watch', 'Haus Stark'."""
    plain = re.sub(r"[\W_]", "", folded(HOUSE.sub("", name.strip())))
    for known in facts.units.factions:
        if plain in (known, f"{known}s", *FACTIONS.get(known, "").split()):
            return known
    known_ones = ", ".join(facts.units.factions)
    raise UnknownName(f"army list: no faction {name.strip()!r}; there are: {known_ones}")
