"""What a camera sees of tagged cards: proposals that the players confirm, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.thrones.play import PLAY
from models.message import CompanionError
from tests.games.thrones.decks import challenges, game
from tests.games.thrones.driver import CardGame, as_words, copy_of

SIZE = {"width": 48, "depth": 36}


def tray(tag: int, x: float, y: float, heading: float, sigma: float = 0.5) -> dict[str, Any]:
    """A card as `companion look` prints it."""
    text = {"unit": f"tag{tag}", "tray": {"width": 2.48, "depth": 3.46, "arc": 45.0}}
    return {**text, "x": x, "y": y, "heading": heading, "tags": [tag],
            "sigma": {"xy": 0.02, "heading": sigma}}  # fmt: skip


def seen(found: CardGame, *trays: dict[str, Any], **asked: Any) -> dict[str, Any]:
    """The proposals by their id; the command changes nothing."""
    before = found.state
    found.do("seen", trays=list(trays), **SIZE, **asked)
    assert found.state == before
    assert not found.events
    return {one["id"]: one for one in found.answer["proposals"]}


def confirm(found: CardGame, proposal: dict[str, Any], choice: int = 0) -> None:
    for command in proposal["choices"][choice]["commands"]:
        found.do(**as_words(command))


@pytest.fixture
def tagged() -> tuple[CardGame, str, str]:
    found = challenges()
    mine, theirs = found.put("p1", "Strength 3"), found.put("p2", "Strength 4")
    found.do("tag", card=mine, tag=11).do("tag", card=theirs, tag=12)
    return found, mine, theirs


@pytest.mark.rule("AGOT-CARD-1", "AGOT-CARD-2", "AGOT-OR-22", "AGOT-CARD-4")
def test_kneeling_is_proposed_relative_to_the_seat_and_never_applied(
    tagged: tuple[CardGame, str, str],
) -> None:
    found, mine, theirs = tagged
    upright = tray(11, 10, 9, 90), tray(12, 10, 27, 270)
    assert seen(found, *upright) == {}
    proposed = seen(found, tray(11, 10, 9, 181), upright[1])
    assert list(proposed) == ["kneel"]
    assert not found.card(mine).kneeling, "the players confirm it"
    confirm(found, proposed["kneel"])
    assert found.card(mine).kneeling
    assert seen(found, tray(11, 10, 9, 181), upright[1]) == {}
    stands = seen(found, *upright)
    assert stands["stand"]["choices"][0]["commands"] == [{"do": "stand", "cards": [mine]}]
    both = seen(found, upright[0], tray(12, 10, 27, 180))
    assert set(both) == {"stand", "kneel"}
    assert both["kneel"]["choices"][0]["commands"][0]["cards"] == [theirs]


def test_what_is_too_close_to_call_proposes_nothing(tagged: tuple[CardGame, str, str]) -> None:
    found, mine, _ = tagged
    assert seen(found, tray(11, 10, 9, 90 + 44)) == {}
    assert found.answer["unsure"] == [mine]
    assert seen(found, tray(11, 10, 9, 160, sigma=12)) == {}
    assert found.answer["unsure"] == [mine]
    assert seen(found, tray(11, 10, 9, 181), tray(11, 30, 9, 90)) == {}, "seen in two places"
    assert seen(found) == {}, "a tag that is not seen says nothing"


@pytest.mark.rule("AGOT-CHL-10", "AGOT-CHL-16")
def test_kneeling_at_its_moment_is_a_declaration(tagged: tuple[CardGame, str, str]) -> None:
    found, mine, theirs = tagged
    found.until("4.2")
    attack = seen(found, tray(11, 10, 9, 0))["kneel"]
    words = [one["commands"][0] for one in attack["choices"]]
    assert [one["do"] for one in words] == ["challenge"] * 3 + ["kneel"]
    confirm(found, attack, 2)
    assert found.state.challenge is not None
    assert found.state.challenge.attackers == (mine,)
    assert found.state.challenge.type == "power"
    assert seen(found, tray(11, 10, 9, 0), tray(12, 10, 27, 270)) == {}
    found.until("4.2.1")
    defence = seen(found, tray(11, 10, 9, 0), tray(12, 10, 27, 0))["kneel"]
    confirm(found, defence)
    assert found.state.challenge.defenders == (theirs,)


@pytest.mark.rule("AGOT-ATT-1", "AGOT-MAR-11", "AGOT-ATT-8")
def test_an_attachment_at_another_card_is_proposed(tagged: tuple[CardGame, str, str]) -> None:
    found, mine, theirs = tagged
    sword = found.put("p1", "Sword", host=theirs)
    found.do("tag", card=sword, tag=13)
    cards = tray(11, 10, 9, 90), tray(12, 10, 27, 270)
    assert seen(found, *cards, tray(13, 10.2, 28, 90)) == {}, "it lies where the game has it"
    at_mine = tray(13, 10.3, 10.2, 90)
    proposed = seen(found, *cards, at_mine)
    assert proposed[f"attach-{sword}"]["choices"][0]["commands"] == [
        {"do": "attach", "card": sword, "host": mine}
    ]
    assert seen(found, cards[0], at_mine) == {}, "its host is hidden: it may lie under both"
    confirm(found, proposed[f"attach-{sword}"])
    assert found.card(sword).host == mine
    between = seen(found, cards[1], tray(11, 10, 9, 90), tray(13, 30, 9, 90))
    assert between == {}, "off its host, but at no other card: asked by nobody"


@pytest.mark.rule("AGOT-CMP-6", "AGOT-CMP-7", "AGOT-ZONE-3")
def test_a_new_tag_is_asked_for_by_row(tagged: tuple[CardGame, str, str]) -> None:
    found, mine, _ = tagged
    castle, man = found.put("p1", "Castle"), found.put("p1", "Strength 5")
    sword = found.put("p1", "Sword", host=mine)

    def asked(*trays: dict[str, Any], **more: Any) -> list[str]:
        (one,) = seen(found, *trays, **more).values()
        return [choice["commands"][0]["card"] for choice in one["choices"]]

    assert asked(tray(20, 20, 9, 90)) == [man]
    assert asked(tray(20, 20, 3, 90)) == [castle]
    assert asked(tray(20, 20, 6.5, 90)) == [sword, man, castle], "between the rows: any"
    assert asked(tray(11, 10, 9, 90), tray(20, 10.2, 10.1, 90)) == [sword]
    assert asked(tray(20, 20, 9, 90), card=castle)[0] == castle, "the tapped card comes first"
    proposal = seen(found, tray(20, 20, 3, 90))["tag-20"]
    confirm(found, proposal)
    assert found.card(castle).tag == 20
    assert seen(found, tray(20, 20, 3, 90)) == {}


def test_a_tag_is_on_one_card_and_goes_with_it() -> None:
    found = game()
    one, two = found.put("p1", "Strength 3"), found.put("p1", "Strength 4")
    found.do("tag", card=one, tag=15)
    assert found.refused("tag", card=one, tag=15) == "INPUT"
    found.do("tag", card=two, tag=15)
    assert found.card(one).tag is None
    assert PLAY.view(found.state)["cards"][two]["tag"] == 15
    assert found.refused("tag", card=one) == "INPUT"
    found.do("leave", cards=[two], how="discarded")
    assert "tag-15" in seen(found, tray(15, 20, 9, 90)), "the tag is free for another card"
    found.do("tag", card=one, tag=16).do("tag", card=one)
    assert found.card(one).tag is None
    assert copy_of(found) == found.state


@pytest.mark.rule("AGOT-OR-22")
def test_players_may_sit_elsewhere(tagged: tuple[CardGame, str, str]) -> None:
    found, mine, _ = tagged
    assert "kneel" in seen(found, tray(11, 10, 9, 0))
    found.do("sit", seat="p1", edge="west", line=8)
    assert seen(found, tray(11, 10, 9, 0)) == {}
    assert found.state.place("p1").line_in == 8
    assert found.state.place("p2").edge == "north"
    assert found.card(mine).tag == 11


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"trays": "x", **SIZE}, "seen: trays"),
        ({"trays": [{"x": 1}], **SIZE}, "trays[0]: key 'heading' is missing"),
        ({"trays": [{**tray(1, 1, 1, 1), "heading": "east"}], **SIZE}, "trays[0].heading"),
        ({"trays": [], "width": 3, "depth": 36}, "seen: width"),
    ],
)
def test_a_broken_picture_names_its_place(asked: dict[str, Any], words: str) -> None:
    with pytest.raises(CompanionError) as error:
        PLAY.decide(game().state, {"do": "seen", **asked})
    assert words in str(error.value)
