"""Words that agree with a name: "{unit:attacks|attack}" is the first form for one, the second for
several. English names tell which, as the cards print them. English sentences are written for one;
their verbs are put right by themselves.

>>> agreed("{unit} {unit:greift|greifen} an", {"unit": "Stark Bowmen 2"})
'{unit} greifen an'
>>> agreed("{unit} {unit:greift|greifen} an", {"unit": "Varys, the Spider"})
'{unit} greift an'
>>> english("{unit} turns its front to {target}", {"unit": "Stark Bowmen", "target": "Varys"})
'{unit} turn their front to {target}'
>>> english("{unit} goes to {place} and attacks {foe}.", {"unit": "Stark Bowmen"})
'{unit} go to {place} and attack {foe}.'
>>> english("{unit} cannot retreat and loses {n} figure", {"unit": "Stark Bowmen"})
'{unit} cannot retreat and lose {n} figure'
>>> english("{name} has none left and passes", {"name": "Anna & Cleo"})
'{name} have none left and pass'
>>> english("{side} is done", {"side": "Anna & Cleo"})
'{side} are done'
>>> english("Round {round}: {first} goes first", {"round": 2, "first": "Anna & Cleo"})
'Round {round}: {first} go first'
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from models.message import CONTEXT, NOTHING, LazyMessage, ShortName, SingleName

FORMS = re.compile(r"{(\w+):([^{}|]*)\|([^{}|]*)}")
HEAD = re.compile(r",| \(| \d| (?:of|from|in|with) ")
"""What follows the word that says whether a name means one or several."""
SEVERAL = re.compile(
    r"(?:[^suioya']s|[Mm]en|folk|Folk|ful|Chosen|Heavy Inf(?:antry|\.)|Winterfell Guard)$"
)
ONE = re.compile(r"(?:Coldhands|Sixskins|Ben Bones|Sevenstringers)$")
"""Persons whose names sound like several."""
PAIR = re.compile(r" (?:and|&) ")


SUBJECT = re.compile(
    r"(?<!\bof )(?<!\bon )(?<!\bto )(?<!\bby )(?<!\bat )(?<!\band )(?<!\bfor )(?<!\bwith )(?<!es )"
    r"{(unit|target|attacker|defender|enemy|side|name|first)} ([a-z]+s|cannot)\b"
)
"""A name and the verb that it is the subject of, in an English sentence."""
ASKED = re.compile(r"\b([Dd]oes|[Ii]s|[Hh]as|[Ww]as) {(unit|target|enemy)}")
LATER = re.compile(
    r"(\b(?:and|or)|:) (stays|stops|has|is|holds|forgoes|rolls|attacks|ignores|loses|passes|lets"
    r"|reveals)\b"
)
"""A second verb of the same subject."""
PRONOUN = re.compile(r"\bit ([a-z]+s|may)\b")
THINGS = ("{piece}", "{token}")
"""Other things in a sentence that "it" may be."""
THEY = ("unit", "target", "attacker", "defender", "enemy")
PLAYERS = ("side", "name", "player", "first")
"""Players, of whom only a team is several: James is one."""
VERBS = {"is": "are", "has": "have", "was": "were", "may": "may", "cannot": "cannot"}


def english(pattern: str, values: Mapping[str, Any]) -> str:
    """An English template with the verbs for the names in these values."""
    many = {key for key in THEY if key in values and several(values[key])}
    many |= {key for key in PLAYERS if key in values and team(values[key])}
    if not many:
        return pattern

    def verb(found: re.Match[str]) -> str:
        return f"{{{found[1]}}} {plural(found[2])}" if found[1] in many else found[0]

    def question(found: re.Match[str]) -> str:
        return f"{plural(found[1])} {{{found[2]}}}" if found[2] in many else found[0]

    put = ASKED.sub(question, SUBJECT.sub(verb, pattern))
    if put == pattern and not any(one[1] in many for one in SUBJECT.finditer(pattern)):
        return pattern
    put = LATER.sub(lambda found: f"{found[1]} {plural(found[2])}", put)
    if not any(thing in pattern for thing in THINGS):
        put = PRONOUN.sub(lambda found: f"they {plural(found[1])}", put)
        put = put.replace("does it ", "do they ").replace(" itself", " themselves")
        put = re.sub(r"\bits\b", "their", put)
    return put


def plural(verb: str) -> str:
    """The form of a verb for several, from that for one.

    >>> [plural(one) for one in ("is", "Does", "carries", "marches", "loses", "attacks")]
    ['are', 'Do', 'carry', 'march', 'lose', 'attack']
    """
    if verb.lower() in VERBS:
        many = VERBS[verb.lower()]
        return many.capitalize() if verb[0].isupper() else many
    if verb.endswith("ies"):
        return f"{verb[:-3]}y"
    return verb[:-2] if re.search(r"(?:ch|sh|ss|x|z|o)es$", verb) else verb[:-1]


def agreed(pattern: str, values: Mapping[str, Any], told: Mapping[str, str] = NOTHING) -> str:
    """A template with the forms for the names in these values, and for what a language tells of
    those that mean one in one language and several in the other.

    >>> [agreed("{side} {side:passt|passen}", {"side": who}) for who in ("James", "Anna & Cleo")]
    ['{side} passt', '{side} passen']
    """

    def form(found: re.Match[str]) -> str:
        value = values.get(found[1])
        many = team(value) if found[1] in PLAYERS else several(value, told)
        return found[3 if many else 2]

    return FORMS.sub(form, pattern)


def team(name: object) -> bool:
    """Whether these are several players.

    >>> team("James"), team("Anna & Cleo")
    (False, True)
    """
    joined = isinstance(name, LazyMessage) and "part1" in name.values
    return joined or bool(PAIR.search(str(name)))


def several(name: object, told: Mapping[str, str] = NOTHING) -> bool:
    """Whether a name, or a list of names, means more than one.

    >>> several("Bran and Hodor"), several("Ranger Vanguards 2")
    (True, True)
    >>> several("Ranger Vanguards 2", {f"number{CONTEXT}Ranger Vanguards": "one"})
    False
    """
    if isinstance(name, SingleName):
        return False
    if isinstance(name, LazyMessage) and "part1" in name.values:
        return True
    own = re.sub(r" \d+$", "", str(name))
    context = "short number" if isinstance(name, ShortName) else "number"
    if known := told.get(f"{context}{CONTEXT}{own}"):
        return known == "several"
    head = HEAD.split(own, maxsplit=1)[0]
    return bool(PAIR.search(head) or SEVERAL.search(head) and not ONE.search(head))
