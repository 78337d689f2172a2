"""Cards under a camera: the practice table of a card game, and the clip-on tags of a real one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

import pytest

from calibration.printing.sheets import TRAY_IDS
from calibration.setup import OtherTag
from companion.engine.camera.game_source import CardSource, card_source, clipped
from companion.engine.tag_assignment import clip_setup
from companion.games.api.game_screen import CameraQuestion, PlacedPiece, SeenPiece
from companion.games.thrones.screen import SCREEN
from companion.vision.look import look
from companion.vision.sources.frame import CameraFrame
from models.pose import Pose
from tests.games.thrones.driver import CardGame, as_words


def questions(source: CardSource, game: CardGame) -> list[CameraQuestion]:
    """What the game asks about the next picture of the practice camera."""
    source.follow(SCREEN.piece_places(game.state, source.size))
    return looked(source, game)


def looked(
    source: CardSource, game: CardGame, known: Mapping[int, str] = MappingProxyType({})
) -> list[CameraQuestion]:
    frame = source.read()
    assert isinstance(frame, CameraFrame)
    trays = look(frame, source.setup).trays
    tags = ((OtherTag.of(tag).number, one.pose) for one in trays for tag in one.used)
    seen = [SeenPiece(tag, pose, known.get(tag, "")) for tag, pose in tags]
    return list(SCREEN.camera_questions(game.state, seen, source.size))


@pytest.mark.slow
@pytest.mark.rule("AGOT-OR-22", "AGOT-CMP-6", "AGOT-CMP-7", "AGOT-ATT-1")
def test_cards_of_the_practice_camera_are_tagged_turned_and_kept_or_refused() -> None:
    game = CardGame(2).until("AW3")
    robb, keep = game.put("p1", "Robb Stark"), game.put("p1", "Gates of Winterfell")
    ice = game.put("p1", "Ice", host=robb)
    tywin = game.put("p2", "Tywin Lannister")
    source = card_source()
    asked = questions(source, game)
    fitting = {one.id: [each.commands[0]["card"] for each in one.choices] for one in asked}
    clips = {card: f"tag-{tag}" for card, tag in source._tags.items()}
    assert fitting.keys() == set(clips.values())
    assert [fitting[clips[one]][0] for one in (robb, keep, tywin)] == [robb, keep, tywin]
    assert ice not in fitting[clips[keep]], "an attachment lies on another card"
    assert looked(source, game, source.carriers) == [], "the practice table knows its cards"
    source.turn(tywin)
    (turned,) = looked(source, game, source.carriers)
    assert turned.choices[-1].commands[0] == {"do": "kneel", "cards": [tywin]}
    for card, tag in source._tags.items():
        game.do("tag", card=card, tag=tag)
    (turned,) = questions(source, game)
    assert turned.id == "kneel"
    assert not game.card(tywin).kneeling, "nothing is taken for granted"
    game.do(**as_words(turned.choices[-1].commands[0]))
    assert game.card(tywin).kneeling
    source.follow(SCREEN.piece_places(game.state, source.size))
    source.turn(tywin)
    assert [one.id for one in looked(source, game)] == ["stand"]


def test_a_tag_stays_on_its_card_and_is_never_on_two() -> None:
    def lying(card: str, tag: int | None = None) -> PlacedPiece:
        return PlacedPiece(card, tag, Pose(0, 0, 0))

    first = clipped({}, [lying("c1"), lying("c2")])
    assert first == {"c1": 10, "c2": 11}
    assert clipped(first, [lying("c2"), lying("c3")]) == {"c2": 11, "c3": 10}
    assert clipped(first, [lying("c1"), lying("c2", 10)]) == {"c2": 10, "c1": 11}
    many = [lying(f"c{n}") for n in range(len(TRAY_IDS) + 3)]
    assert len(clipped({}, many)) == len(TRAY_IDS)


def test_a_real_camera_looks_for_the_printed_card_tags() -> None:
    setup = card_source().setup
    measured = replace(setup, trays=setup.trays[:2])
    trays = replace(setup, trays=(replace(setup.trays[5], unit="#40"),))
    for before, kept in ((measured, measured.trays), (trays, ())):
        found = clip_setup(before)
        assert found.trays[: len(kept)] == kept
        assert {tag.id for one in found.trays for tag in one.tags} == set(TRAY_IDS)
        assert {tag.size_mm for one in found.trays for tag in one.tags} == {15.0}
