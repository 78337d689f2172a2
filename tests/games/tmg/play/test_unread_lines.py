"""Lists as people write them: what is certain is taken with a note, the rest is asked about."""

from __future__ import annotations

import pytest

from companion.games.tmg.cards.army import Army
from companion.games.tmg.play.army.army_lists import WRITERS, read_lines
from companion.games.tmg.play.army.army_rules import check

GAME = "tmg-2021"
LISTED = """Faction: House Stark
Commander: Robb Stark – The Wolf Lord

Combat Units:
• Stark Sworn Swords (5)
  with Robb Stark – The Wolf Lord (0)
• House Umber Berserkers (6)
• Stark Bowmen (6)
"""
IDS = "stark;10201,20201,10203,10205"


def ids(army: Army) -> str:
    return WRITERS["ids"](army)


TAKEN = {
    "Umber Berserkers (6)": "House Umber Berserkers",
    "Berserkers (6)": "House Umber Berserkers",
    "House Umber Beserkers (6)": "House Umber Berserkers",
    "umber - berserkers (6)": "House Umber Berserkers",
}


@pytest.mark.rule("TMG-ARM-3")
@pytest.mark.parametrize("written", TAKEN)
def test_what_is_certain_is_taken_with_a_note(written: str) -> None:
    found = read_lines(LISTED.replace("House Umber Berserkers (6)", written), GAME)
    assert (ids(found), found.unread) == (IDS, ())
    assert [note for note in found.notes if "is taken as House Umber Berserkers" in note]


@pytest.mark.rule("TMG-ARM-3")
def test_a_dash_inside_a_name_is_no_title() -> None:
    listed = "Faction: Lannister\n• Lannister Guardsmen (5)\n  with Sentinel - Enforcer (1)\n"
    found = read_lines(listed, GAME)
    assert ids(found) == "lannister;10101,20123"
    assert found.notes == ("line 3: 'Sentinel - Enforcer' is taken as Sentinel Enforcer",)


FORMS = {
    "a blog": """The North Awakens – our first list
Commander: Robb Stark – The Wolf Lord
Points: 40 | Activations: 7
Combat Units:
- Stark Sworn Swords (5 pts)
with Robb Stark – The Wolf Lord (C) - House Umber Berserkers (6 pts)
- Stark Bowmen (6 pts)
""",
    "a forum": """WINTER IS COMING(40 pts)
- Commander: Robb Stark (The Wolf Lord)
- Stark Sworn Swords (5pts) + Robb Stark (The Wolf Lord) (5pts)
- Umber Berserkers (6pts)
- Stark Bowmen: 6
17/40 Points
""",
    "a chat": """stark
Sworn Swords w/ Robb Stark (the Wolf Lord)
1 House Umber Berserkers
Stark Bowmen
""",
    "markdown": """# House Stark
**Commander:** Robb Stark, The Wolf Lord
## Combat Units
* Stark Sworn Swords [5]
  * Robb Stark (C)
* **House Umber Berserkers** - 6
* Stark Bowmen 6 pts
""",
    "German": """Fraktion: Haus Stark
Heerführer: Robb Stark
Kampfeinheiten:
Geschworene Schwerter von Haus Stark (5)
  mit Robb Stark (H)
Berserker von Haus Umber (6)
Bogenschützen von Haus Stark (6)
""",
}


@pytest.mark.rule("TMG-ARM-3")
@pytest.mark.parametrize("form", FORMS)
def test_lists_as_people_write_them(form: str) -> None:
    found = read_lines(FORMS[form], GAME, 40)
    assert (ids(found), found.commander, found.unread) == (IDS, "20201", ())
    assert check(found) == ()


@pytest.mark.rule("TMG-ARM-3")
def test_every_unread_line_is_named_at_once_and_mended_by_one_choice_each() -> None:
    text = LISTED.replace("Stark Sworn Swords", "Stark Sworn Riders").replace(
        "• Stark Bowmen", "• Stark Bow Shooters"
    )
    found = read_lines(text, GAME)
    assert [line.number for line in found.unread] == [5, 8]
    for wanted in ("Stark Sworn Swords", "Stark Bowmen"):
        found = read_lines(text, GAME)
        line, put = next(
            (line, put) for line in found.unread for name, put in line.puts if name == wanted
        )
        text = line.mended(text, put)
    assert ids(read_lines(text, GAME)) == IDS
    left = read_lines(found.unread[-1].mended(text, ""), GAME)
    assert left.unread == ()


@pytest.mark.rule("TMG-ARM-3")
def test_a_misspelt_id_is_mended_by_one_choice() -> None:
    text = IDS.replace("20201", "2o201")
    (line,) = read_lines(text, GAME).unread
    put = next(put for name, put in line.puts if name == "Robb Stark, The Wolf Lord")
    assert ids(read_lines(line.mended(text, put), GAME)) == IDS


@pytest.mark.rule("TMG-ARM-3")
def test_a_name_of_several_cards_is_asked_about() -> None:
    text = "Faction: Stark\n• Stark Sworn Swords\n  with Robb Stark\n"
    (line,) = read_lines(text, GAME).unread
    assert "more than one card" in str(line)
    assert {name for name, _ in line.puts} >= {
        "Robb Stark, The Wolf Lord",
        "Robb Stark, The Young Wolf",
    }
