"""Names that several pieces share, numbered as players do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping


def numbered(names: Mapping[str, str]) -> dict[str, str]:
    """Names by id, numbered where several share one.

    >>> numbered({"b1": "Bowmen", "b2": "Bowmen", "b3": "Outriders"})
    {'b1': 'Bowmen 1', 'b2': 'Bowmen 2', 'b3': 'Outriders'}
    """
    twins = Counter(names.values())
    counted: Counter[str] = Counter()
    found: dict[str, str] = {}
    for key, name in names.items():
        counted[name] += 1
        found[key] = name if twins[name] == 1 else f"{name} {counted[name]}"
    return found
