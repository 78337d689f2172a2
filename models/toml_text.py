"""Values written as TOML.

>>> print(document("cards/1", "figure", [{"id": "a", "cost": {"gold": 2}}]), end="")
format = "cards/1"
<BLANKLINE>
[[figure]]
id = "a"
cost = { gold = 2 }
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any


def toml(value: Any) -> str:
    """One value as TOML writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007F")
    if isinstance(value, list):
        return f"[{', '.join(toml(item) for item in value)}]"
    if isinstance(value, dict):
        return (
            "{ " + ", ".join(f"{key(name)} = {toml(item)}" for name, item in value.items()) + " }"
        )
    return repr(value)


def key(name: str) -> str:
    """The name of a member: bare where TOML allows it."""
    bare = name.isascii() and name.replace("-", "").replace("_", "").isalnum()
    return name if bare else toml(name)


def members(plain: Mapping[str, Any]) -> list[str]:
    """`key = value` lines."""
    return [f"{key(name)} = {toml(value)}" for name, value in plain.items()]


def document(form: str, name: str, items: Iterable[Mapping[str, Any]]) -> str:
    """A file of one format with a list of tables of one name."""
    lines = [f"format = {toml(form)}"]
    for item in items:
        lines += ["", f"[[{name}]]", *members(item)]
    return "\n".join(lines) + "\n"
