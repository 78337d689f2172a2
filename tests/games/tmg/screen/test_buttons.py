"""The words on every kind of button."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.tmg.play.army.army_lists import read_ids
from companion.games.tmg.play.commands.positions import with_tray
from companion.games.tmg.play.names import names_of
from companion.games.tmg.play.state.game_state import GameState
from companion.games.tmg.screen.choice_words import WORDERS, choice, words
from models import BadInput
from tests.games.tmg.sample_units import NEW, field, fighter
from tests.play.battle import battle_of

SWORDS, CROSSBOWS = "Stark Sworn Swords", "Lannister Crossbowmen"
BUTTONS: list[tuple[dict[str, Any], str]] = [
    ({"do": "choose-role", "role": "attacker"}, "Attack"),
    ({"do": "choose-role", "role": "defender"}, "Defend"),
    ({"do": "choose-zone", "zone": "somewhere"}, "somewhere"),
    ({"do": "first-player", "side": "red"}, "Red goes first"),
    ({"do": "terrain", "piece": "low-wall"}, "Place low wall"),
    ({"do": "terrain", "piece": "low-wall", "random": True}, "Roll for it; a 7 is low wall"),
    ({"do": "choose-card", "card": "6"}, "Objective card 6"),
    ({"do": "missions", "cards": ["1", "2"]}, "Missions 1, 2"),
    ({"do": "reserve", "units": []}, "Nobody in reserve"),
    ({"do": "reserve", "units": ["b1"]}, f"{SWORDS} in reserve"),
    (
        {"do": "reserve", "units": ["b1"], "leader": "r1"},
        f"{SWORDS} in reserve; {CROSSBOWS} leads",
    ),
    ({"do": "deploy", "unit": "b1"}, f"Deploy {SWORDS}"),
    ({"do": "deploy"}, "All are deployed"),
    ({"do": "mark", "unit": "b1"}, f"Mark {SWORDS}"),
    ({"do": "join", "player": "red", "unit": "b1"}, "Stark Sworn Swords"),
    ({"do": "mark-card", "unit": "b1", "card": "6"}, "Objective card 6"),
    ({"do": "redeploy", "unit": "b1"}, f"Put back {SWORDS}"),
    ({"do": "activate", "unit": "b1"}, SWORDS),
    ({"do": "play", "player": "blue", "card": "Rage"}, "Play Rage"),
    ({"do": "discard", "cards": ["Rage", "Fear"]}, "Discard Rage, Fear"),
    ({"do": "use-card", "card": "7"}, "Use objective card 7"),
    ({"do": "reveal", "card": "7"}, "Reveal mission 7"),
    ({"do": "lay-aside", "card": "7"}, "Lay mission 7 aside"),
    ({"do": "siege", "card": "7"}, "Play siege card 7"),
    ({"do": "order", "unit": "b1", "order": "Hold"}, f"{SWORDS}: order Hold"),
    ({"do": "claim", "zone": "wealth"}, "Claim Wealth"),
    ({"do": "quadrant", "quadrant": "lower-left"}, "To the lower-left quadrant"),
    ({"do": "swap-mission", "out": "1", "into": "2"}, "Replace mission 1 by 2"),
    ({"do": "swap-mission", "out": "1"}, "Replace mission 1"),
    ({"do": "vp-token", "unit": "b1"}, f"VP token on {SWORDS}"),
    ({"do": "action", "action": "forgo"}, "No action"),
    ({"do": "action", "action": "march"}, "March"),
    ({"do": "action", "action": "enter"}, "Come in from reserve"),
    ({"do": "action", "action": "charge", "target": "r1"}, f"Charge {CROSSBOWS}"),
    ({"do": "action", "action": "attack", "target": "r1"}, f"Attack {CROSSBOWS}"),
    (
        {"do": "action", "action": "attack", "target": "r1", "ranged": True},
        f"Shoot at {CROSSBOWS}",
    ),
    ({"do": "action", "action": "dance"}, "dance"),
    ({"do": "zone-effect", "skip": True}, "Without its effect"),
    ({"do": "zone-effect", "instead": "mission", "out": "1"}, "Replace mission 1"),
    ({"do": "zone-effect", "instead": "hits", "unit": "r1"}, f"Hits on {CROSSBOWS}"),
    ({"do": "zone-effect", "unit": "r1", "token": "weakened"}, f"{CROSSBOWS}: Weakened"),
    ({"do": "zone-effect", "unit": "b1", "target": "r1"}, f"{SWORDS}: attack on {CROSSBOWS}"),
    ({"do": "zone-effect", "unit": "b1", "action": "retreat"}, f"{SWORDS}: retreat"),
    ({"do": "zone-effect", "unit": "b1"}, SWORDS),
    ({"do": "zone-effect"}, "Draw 2 cards, no condition"),
    ({"do": "surge", "take": True}, "Surge forward"),
    ({"do": "surge", "take": False}, "Stay here"),
    ({"do": "grant", "unit": "b1"}, "A card or ability lets it act"),
    ({"do": "grant", "unit": "b1", "take": False}, "No free action after all"),
    ({"do": "spent", "take": True}, "It was spent"),
    ({"do": "spent", "take": False}, "It stays"),
    ({"do": "charge-result", "success": True}, "Yes, it is in contact"),
    ({"do": "charge-result", "success": False}, "No, it falls short"),
    ({"do": "retreat-result", "success": True}, "Yes, it got away"),
    ({"do": "retreat-result", "success": False}, "No, it could not"),
    ({"do": "ground", "holds": True}, "Yes"),
    ({"do": "ground", "holds": False}, "No"),
    ({"do": "eliminate", "side": "red", "out": True}, "Red is out of the game"),
    ({"do": "eliminate", "side": "red", "out": False}, "Red plays on"),
    ({"do": "place", "unit": "b1"}, f"{SWORDS} claims it"),
    ({"do": "place", "skip": True}, "No pile"),
    ({"do": "place"}, "It is placed"),
    ({"do": "reroll", "because": "luck", "places": [0]}, "Reroll 1 die: luck"),
    ({"do": "score", "confirm": True}, "Confirm the points"),
    ({"do": "score", "drop": 2}, "Strike out line 2"),
    ({"do": "mission", "side": "red", "mission": "3", "vp": 2}, "Red meets mission 3: 2 points"),
    (
        {"do": "quadrants", "unit": "b1", "quadrant": "lower-left"},
        "Stark Sworn Swords: lower-left quadrant",
    ),
    ({"do": "aim", "target": "b1"}, f"Shoot at {SWORDS} instead"),
    ({"do": "some-thing", "unit": "b1", "loud": True, "n": 3}, f"some thing · {SWORDS} · 3"),
]


@pytest.fixture(scope="module")
def state() -> GameState:
    return battle_of("GOT").state


@pytest.mark.rule("TMG-ACT-1", "TMG-NCU-3", "TMG-ZON-2", "TMG-SRG-1", "TMG-RND-13", "TMG-RER-1")
@pytest.mark.parametrize(("command", "text"), BUTTONS)
def test_a_button_in_words(state: GameState, command: dict[str, Any], text: str) -> None:
    assert str(words(state, names_of(state), command)) == text


@pytest.mark.rule("TMG-ACT-1", "TMG-OBJ-1")
def test_no_kind_of_button_is_forgotten(state: GameState) -> None:
    assert {str(one["do"]) for one, _ in BUTTONS} >= WORDERS.keys() - {"objective"}
    names = names_of(state)
    token = state.tokens[0].id
    told = [
        words(state, names, {"do": "objective", "token": token, **more})
        for more in ({}, {"unit": "b1"})
    ]
    assert told == [f"Nobody on {names.of(token)}", f"{SWORDS} on {names.of(token)}"]


@pytest.mark.rule("TMG-ACT-1", "TMG-RER-1")
def test_how_a_button_looks(state: GameState) -> None:
    def of(**command: Any) -> Any:
        return choice(state, names_of(state), command, "primary")

    assert [of(do=word).look for word in ("pass", "forgo", "deploy")] == [
        "quiet",
        "quiet",
        "primary",
    ]
    assert of(do="place", skip=True).look == of(do="surge", take=False).look == "quiet"
    assert of(do="surge", take=True).look == "primary"
    shot = of(do="action", action="attack", target="r1", by="red")
    assert (shot.piece, shot.seat, shot.dice) == ("r1", "red", None)
    both = of(do="zone-effect", unit="b1", target="r1", side="blue")
    assert (both.piece, both.seat) == ("b1", "blue")
    again = of(do="reroll", because="luck", places=[1, 3])
    assert again.dice is not None
    assert again.dice.count == 2


# -- limits ---------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-ARM-1")
def test_a_list_of_ids_has_a_limit() -> None:
    assert len(read_ids("stark;" + ",".join(["10201"] * 120), "tmg-2021").units) == 120
    with pytest.raises(BadInput, match="has 121 ids"):
        read_ids("stark;" + ",".join(["10201"] * 121), "tmg-2021")


@pytest.mark.rule("TMG-MODE-FFC-14")
def test_a_destroyed_tray_lies_where_it_was() -> None:
    old = field(NEW, fighter("b1", 10, 10), fighter("r1", 30, 30)).table
    found = field(NEW, fighter("b1", 12, 10)).table
    assert [one.id for one in with_tray(found, old, "r1").units] == ["b1", "r1"]
    assert with_tray(found, old, "b1") == found
    assert with_tray(found, old, "b9") == found
