"""The report answers as recorded, table by table; the slow reference agreed when it was."""

from __future__ import annotations

import pytest

from models import Table
from tests.reference.recorded import answers, differences, load, tables, words

TABLES = dict(tables())
KNOWN = words(load())


@pytest.mark.rule(
    "TMG-GLO-11",
    "TMG-LOS-1",
    "TMG-LOS-2",
    "TMG-LOS-8",
    "TMG-CHG-1",
    "TMG-CHG-2",
    "TMG-CHG-3",
    "TMG-CHG-4",
    "TMG-CHG-9",
    "TMG-CHG-10",
    "TMG-CHG-17",
    "TMG-RNG-2",
    "TMG-RNG-3",
    "TMG-RNG-4",
    "TMG-RNG-5",
    "TMG-RNG-7",
    "TMG-RET-7",
)
@pytest.mark.parametrize("name", TABLES)
def test_the_report_answers_as_recorded(name: str) -> None:
    table: Table = TABLES[name]
    recorded, now = load()[name], answers(table)
    assert list(differences(recorded, now, known=KNOWN)) == []
