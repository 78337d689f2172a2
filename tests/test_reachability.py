"""What the product reaches is told from what only tests reach."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reachability import MODULE, Program, cited, product, read, spelled

SOURCES = {
    "shop": "",
    "shop.main": """
from shop import stock
from shop.till import Till, register
from shop import shelf as rack

def main():
    till = Till()
    till.pay(stock.price())
    return rack.Shelf.of()
""",
    "shop.stock": """
def price():
    return _round(1)  # A-PAY-1

def _round(value):
    \"\"\"Rounds (A-PAY-4..6).\"\"\"
    return value

def old_price():
    return 0  # A-PAY-2
""",
    "shop.till": """
from shop.hooks import registered

class Till:
    def __init__(self):
        self.start()

    def start(self):
        ...

    def pay(self, value):
        def inner():
            from shop import late
            return late.fee()
        return inner()

    def refund(self):
        return "A-PAY-3"

def register():
    ...
""",
    "shop.hooks": """
ALL = []
def kind(name):
    return ALL.append

@kind("x")
def registered():
    ...

def plain():
    ...
""",
    "shop.late": "def fee(): ...\n\ndef unused(): ...\n",
    "shop.shelf": """
class Shelf:
    @classmethod
    def of(cls):
        return cls()
    def empty(self):
        ...
""",
    "shop.attic": "def price(): ...\n",
}


@pytest.fixture
def shop(tmp_path: Path) -> Program:
    paths = []
    for name, text in SOURCES.items():
        path = tmp_path / f"{name}.py" if name != "shop" else tmp_path / "__init__.py"
        path.write_text(text, encoding="utf-8")
        paths.append((name, path))
    return read(paths)


def test_names_are_followed_from_the_entry(shop: Program) -> None:
    reached = {spelled(place) for place in shop.reached([("shop.main", "main")])}
    every = {spelled((one.name, name)) for one in shop.modules.values() for name in one.definitions}
    assert every - reached == {
        "shop.stock.old_price",
        "shop.till.Till.refund",
        "shop.till.register",
        "shop.hooks.plain",
        "shop.late.unused",
        "shop.shelf.Shelf.empty",
        "shop.attic",
        "shop.attic.price",
    }


def test_a_number_belongs_to_the_function_it_stands_in(shop: Program) -> None:
    assert {number: set(map(spelled, places)) for number, places in cited(shop).items()} == {
        "A-PAY-1": {"shop.stock.price"},
        "A-PAY-2": {"shop.stock.old_price"},
        "A-PAY-3": {"shop.till.Till.refund"},
        "A-PAY-4": {"shop.stock._round"},
        "A-PAY-5": {"shop.stock._round"},
        "A-PAY-6": {"shop.stock._round"},
    }


def test_the_products_own_entries_are_found() -> None:
    program, reached = product()
    assert ("companion.cli.program", "main") in reached
    assert ("companion.games.tmg.game", MODULE) in reached
    assert ("companion.games.tmg.play.flow.attacks", "accept") in reached
    assert len(reached) > 0.9 * sum(len(one.definitions) for one in program.modules.values())
