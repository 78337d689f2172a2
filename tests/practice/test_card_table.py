"""From a picture of tagged cards to what the game proposes: the whole chain."""

from __future__ import annotations

import json

import pytest

from companion.practice.camera import PracticeCamera
from companion.practice.game_table import TABLE_IN, CardLying, card_scene
from companion.vision.look import look
from companion.vision.sources.frame import CameraFrame
from models.pose import Pose
from tests.games.thrones.decks import challenges


@pytest.mark.rule("AGOT-CARD-1", "AGOT-CARD-2", "AGOT-OR-22", "AGOT-ATT-1", "AGOT-CMP-7")
def test_a_picture_proposes_what_the_cards_show() -> None:
    width, depth = TABLE_IN
    found = challenges()
    mine, theirs = found.put("p1", "Strength 3"), found.put("p2", "Strength 4")
    sword = found.put("p1", "Sword", host=theirs)
    castle = found.put("p2", "Castle")
    lying = [
        CardLying("sword", "blue", Pose(12.1, 10.8, 92)),  # under its new host
        CardLying("mine", "blue", Pose(12, 9.6, 88)),
        CardLying("theirs", "red", Pose(20, depth - 9.6, 2)),  # kneels
        CardLying("castle", "red", Pose(26, depth - 4.4, 268)),  # its tag is new
        CardLying("crooked", "blue", Pose(26, 9.6, 134)),
    ]
    crooked = found.put("p1", "Strength 5")
    scene = card_scene(lying)
    tags = {tray.unit: tray.tags[0].id for tray in scene.setup.trays}
    known = {"sword": sword, "mine": mine, "theirs": theirs, "crooked": crooked}
    for name, card in known.items():
        found.do("tag", card=card, tag=tags[name])
    picture, _ = PracticeCamera(scene.setup, scene.view).frame(scene.table)
    sight = look(CameraFrame(picture, name="cards"), scene.setup)
    assert sight.missing == ()
    plain = json.loads(json.dumps(sight.to_json(scene.setup)))
    found.do("seen", trays=plain["trays"], width=width, depth=depth)
    proposals = {one["id"]: one["choices"][0]["commands"] for one in found.answer["proposals"]}
    assert proposals == {
        "kneel": [{"do": "kneel", "cards": [theirs]}],
        f"attach-{sword}": [{"do": "attach", "card": sword, "host": mine}],
        f"tag-{tags['castle']}": [{"do": "tag", "card": castle, "tag": tags["castle"]}],
    }
    assert found.answer["unsure"] == [crooked]
