"""The command lines of the small programs among the tests and benches: what they do not know they
refuse.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any


def arguments(_given: Sequence[str] | None = None, **defaults: Any) -> list[Any]:
    """The words of a command line in this order, each of the type of its default.

    >>> arguments(["7"], count=200, seed=1)
    [7, 1]
    """
    parser = argparse.ArgumentParser(allow_abbrev=False)
    for name, default in defaults.items():
        parser.add_argument(name, nargs="?", type=type(default), default=default)
    found = vars(parser.parse_args(_given))
    return [found[name] for name in defaults]
