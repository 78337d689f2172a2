"""Names, words and lengths in play: what is the same, what is too long, what each answer says."""

from __future__ import annotations

import pytest

from companion.games.tmg.cards.army_catalogue import TacticsCard
from companion.games.tmg.play import PLAY
from companion.games.tmg.play.army.army_lists import read_list
from companion.games.tmg.play.army.list_lines import LONGEST_LINE
from companion.games.tmg.play.prompt_options import options
from companion.games.tmg.play.state.unit_state import same_name, spelling
from companion.games.tmg.screen.choice_words import ANSWERS
from models import CompanionError, Sigma
from models.field import Field
from tests.games.tmg.play.sighted import NORTH, SOUTH, seen, slab
from tests.play.battle import LANNISTER, STARK, Battle, battle_of


@pytest.mark.rule("TMG-ABL-5", "TMG-ORD-1")
def test_another_spelling_is_the_same_name() -> None:
    for one, two in (
        ("Hold The Line!", "hold  the-line"),
        ("Order: Hold the Line", "Hold the Line"),
        ("Befehl: Halten", "halten"),
        ("Éclat", "eclat"),
    ):
        assert spelling(one) == spelling(two)
    assert spelling("Order:") != spelling("")
    assert spelling(" !? ") == "!?"
    assert same_name("swift-strike", ("Hold", "Swift Strike")) == "Swift Strike"
    assert same_name("swift", ("Hold", "Swift Strike")) == ""


@pytest.mark.rule("TMG-TER-9", "TMG-TER-14", "TMG-LOS-8")
def test_each_answer_has_its_own_words() -> None:
    for field, words in ANSWERS.items():
        assert len(set(words.values())) == len(words), field
        if field != "zone":
            assert list(words) == [True, False], field


@pytest.mark.rule("TMG-DECK-1")
@pytest.mark.parametrize(
    ("key", "most"), [("faction", 40), ("commander", 60), ("version", 40), ("removes", 60)]
)
def test_texts_of_a_tactics_card_have_their_lengths(key: str, most: int) -> None:
    def read(length: int) -> TacticsCard:
        text = "x" * length
        plain = {"name": "Fury", "faction": "stark", key: [text] if key == "removes" else text}
        return TacticsCard.read(Field(plain), "fury")

    read(most)
    with pytest.raises(CompanionError, match=key):
        read(most + 1)


@pytest.mark.rule("TMG-ARM-1")
def test_a_line_of_a_list_is_read_up_to_its_length() -> None:
    head = "Faction: Stark\n"
    assert read_list(f"{head}\n{'x' * LONGEST_LINE}\n", "tmg-2021", 40).faction == "stark"
    with pytest.raises(CompanionError, match="longer than"):
        read_list(f"{head}\n{'x' * (LONGEST_LINE + 1)}\n", "tmg-2021", 40)


@pytest.mark.rule("TMG-SET-1")
def test_a_table_that_gives_a_unit_to_the_other_side_is_refused() -> None:
    battle = seen(battle_of("GOT"), {"b1": (24.0, 10.0, NORTH), "r1": (24.0, 40.0, SOUTH)})
    table = PLAY.moment(battle.state).table
    assert table is not None
    plain = table.to_json()
    plain["units"][0]["side"] = "red"
    before = battle.state
    assert battle.refused("INPUT", "table", table=plain) == "b1 is blue's"
    assert battle.state == before


@pytest.mark.rule("TMG-SRG-1")
def test_a_surge_is_a_free_maneuver() -> None:
    battle = battle_of("GOT").do("engage", unit="b1", **{"with": ["r1"]}).do("activate", unit="b1")
    battle.do("action", action="attack", target="r1").fight(12).do("surge", take=True)
    acted = [event.data for event in battle.log if event.type == "acted"][-1]
    assert (acted["unit"], acted["action"]) == ("b1", "maneuver")
    assert (acted["free"], acted["moves"], acted["settled"]) == (True, True, False)


@pytest.mark.rule("TMG-UNT-11")
@pytest.mark.parametrize("key", ["vp_tokens", "cost", "wounds_per_model"])
def test_a_unit_that_stands_after_all_is_set_right_first_by_its_wounds(key: str) -> None:
    battle = battle_of("GOT").do("wounds", unit="r1", wounds=12, by="blue")
    battle.refused("INPUT", "correct", unit="r1", wounds=3, **{key: 1})
    battle.do("correct", unit="r1", wounds=3)
    assert battle.unit("r1").standing


@pytest.mark.rule("TMG-CARD-1", "TMG-MOR-1")
def test_who_has_no_morale_passes_its_own_test_and_no_other() -> None:
    crew = {"card": "Builder Scorpion Crew", "wounds_per_model": 4}
    army = {"side": "blue", "units": [STARK["units"][0], crew], "ncus": []}
    battle = Battle("GOT", "2018", armies=[army, LANNISTER]).deployed()
    assert battle.unit("b2").morale is None
    battle.do("test", unit="b1", why="fear").do("test", unit="b2", why="fear")
    assert [trial.unit for trial in battle.state.trials] == ["b1"]


@pytest.mark.rule("TMG-CARD-2")
def test_a_weapon_is_named_only_where_there_is_a_choice() -> None:
    battle = battle_of("GOT").do("activate", unit="b1")
    prompt = PLAY.pending(battle.state)[0]
    assert prompt.what == "action"
    one = [form for form in offered(battle) if form.get("action") == "charge"]
    assert one
    assert not any("weapon" in form for form in one)


def offered(battle: Battle) -> list[dict[str, object]]:
    """Every form that the game offers now."""
    return [form for prompt in options(battle.state) for form in prompt["options"]]


@pytest.mark.rule("TMG-TER-12", "TMG-TER-10")
@pytest.mark.parametrize(("holds", "words"), [(True, "feels"), (False, "feels no")])
def test_the_log_says_what_the_players_answered(holds: bool, words: str) -> None:
    battle = battle_of("GOT")
    near = slab(battle.game, "weirwood", (10, 12.4 + 5.99, 40, 20))
    seen(battle, {"b1": (17.0, 10.0, NORTH)}, (near,), sigma=Sigma(0.3))
    keyword = battle.do("test", unit="b1", why="fear").state.tasks[0].other
    battle.do("ground", holds=holds)
    assert battle.titles[0] == f"b1 {words} {keyword} ground"


@pytest.mark.rule("TMG-TER-19", edition="2021")
def test_only_a_destructible_piece_is_attacked() -> None:
    battle = battle_of("GOT")
    pieces = (slab(battle.game, "bog", (22, 13, 26, 14)),)
    seen(battle, {"b1": (24.0, 10.0, NORTH)}, pieces).do("activate", unit="b1")
    said = battle.refused("TMG-TER-19", "action", action="attack", piece="bog")
    assert said == "bog is not Destructible"
