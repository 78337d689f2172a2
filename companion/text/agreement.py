"""Words that agree with a name: "{unit:attacks|attack}" is the first form for one, the second for
several. English names tell which, as the cards print them.

>>> agreed("{unit} {unit:greift|greifen} an", {"unit": "Stark Bowmen 2"})
'{unit} greifen an'
>>> agreed("{unit} {unit:greift|greifen} an", {"unit": "Varys, the Spider"})
'{unit} greift an'
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from models.message import LazyMessage

FORMS = re.compile(r"{(\w+):([^{}|]*)\|([^{}|]*)}")
HEAD = re.compile(r",| \(| \d| (?:of|from|in|with) ")
"""What follows the word that says whether a name means one or several."""
SEVERAL = re.compile(
    r"(?:[^suioya']s|[Mm]en|folk|Folk|ful|Chosen|Heavy Inf(?:antry|\.)|Winterfell Guard)$"
)
ONE = re.compile(r"(?:Coldhands|Sixskins|Ben Bones|Sevenstringers)$")
"""Persons whose names sound like several."""


def agreed(pattern: str, values: Mapping[str, Any]) -> str:
    """A template with the forms for the names in these values."""
    return FORMS.sub(lambda form: form[3 if several(values.get(form[1])) else 2], pattern)


def several(name: object) -> bool:
    """Whether a name, or a list of names, means more than one."""
    if isinstance(name, LazyMessage) and "part1" in name.values:
        return True
    head = HEAD.split(str(name), maxsplit=1)[0]
    return bool(SEVERAL.search(head)) and not ONE.search(head)
