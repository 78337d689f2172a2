"""What the game and the session say, in German and Russian: whole, and with the same values."""

from __future__ import annotations

import ast
import copy
import io
import json
import pickle
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

from companion import games
from companion.cli.program import main
from companion.games.tmg.figures.report_figure import meaning
from companion.games.tmg.play import PLAY
from companion.games.tmg.play.names import GameNames
from companion.games.tmg.play.state import play_rules
from companion.games.tmg.rules.modes.mode_facts import modes
from companion.games.tmg.rules.setup.quadrants import QUADRANTS
from companion.games.tmg.screen.unit_views import ability_line
from companion.session.protocol import converse
from companion.session.report.markdown_report import markdown
from companion.session.report.story import build_story
from companion.session.session import Session
from companion.session.step import LogStep
from companion.session.storage import read
from companion.text import translation
from companion.text.translation import (
    catalogue,
    entries,
    read_po,
    set_language,
    translate,
    translate_all,
)
from models import BadInput, CompanionError, UnknownName
from models.board import parse_cell
from models.catalogue import catalogue as cards
from models.field import Field
from models.message import LazyMessage, Name, joined, say
from models.terrain import KEYWORDS
from tests.play import battle, test_games_2018, test_games_2021
from tests.play.battle import LANNISTER, STARK
from tests.sentences import GAME, ROOT, TRANSLATED, loose, numbers, prose, said, sources, worded
from tests.test_game_words import fields

COMPANION = ROOT / "companion"
OF_THE_GAME = COMPANION / "games" / "tmg" / "locale"
OF_ALL = COMPANION / "locale"
SHARED = (
    COMPANION / "games" / "shared",
    COMPANION / "games" / "api",
    COMPANION / "session",
    COMPANION / "engine" / "turn",
    COMPANION / "overlay",
    COMPANION / "web",
    COMPANION / "text" / "verdicts.py",
    ROOT / "models",
)
OTHERS = pytest.mark.parametrize("language", TRANSLATED)

FORMATS = {"Combat Units:", "Non-Combat Units:", "tactics cards", "tactics deck"}
"""Words of army lists as other programs write them."""

GERMAN, RUSSIAN = partial(catalogue, "de", game="tmg"), partial(catalogue, "ru", game="tmg")
NUMBERS = re.compile(r"TMG-[A-Z0-9-]+")


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    yield
    set_language("en")


@cache
def of_the_game() -> dict[str, str]:
    """Everything the game's code says."""
    found = said(GAME) | said(GAME / "play", whole=True)
    found |= dict.fromkeys((one.words for one in games.find("tmg-2021").switches()), "")
    return {
        one: many
        for one, many in found.items()
        if one not in FORMATS and worded(NUMBERS.sub("", one))
    }


@cache
def of_all() -> dict[str, str]:
    """Everything the rooms say that know no game."""
    return said(*SHARED) | said(COMPANION / "session" / "builtin_commands.py", whole=True)


def vocabulary() -> set[str]:
    """Words that stand in sentences as values: the game's own, from its tables."""
    found = {
        *play_rules.ZONES,
        *play_rules.CONDITIONS,
        *play_rules.ACTIONS,
        *QUADRANTS,
        "panic",
        "morale",
    }
    found |= {"attack", "defense", "attacker", "defender", "melee", "ranged", "nobody", "nothing"}
    found |= {"set-up", "activation", "clean-up", "turn", "round", "blue", "red", "front", "rear"}
    found |= {word.replace("-", " ") for word in KEYWORDS}
    for game in PLAY.games:
        found |= {name for piece in cards(game).pieces for name in (piece, piece.replace("-", " "))}
        for mode in modes(game):
            found |= {mode.name, *(token.name for token in mode.facts.tokens)}
    return {word for word in found if len(word) > 1}


# -- whole ----------------------------------------------------------------------------------------


@OTHERS
def test_every_sentence_is_translated(language: str) -> None:
    shared = read_po(OF_ALL / f"{language}.po").keys()
    game = read_po(OF_THE_GAME / f"{language}.po").keys()
    assert of_the_game().keys() - game - shared == set()
    screens = read_po(COMPANION / "engine" / "locale" / f"{language}.po")
    assert of_all().keys() - shared - screens.keys() == set()


@OTHERS
def test_every_word_in_a_sentence_is_translated(language: str) -> None:
    assert vocabulary() - catalogue(language, game="tmg").forms.keys() == set()


@OTHERS
def test_nothing_is_translated_that_nobody_says(language: str) -> None:
    known = {source for source in read_po(OF_THE_GAME / f"{language}.po") if " " in source}
    assert known - of_the_game().keys() - vocabulary() - {""} == set()


@OTHERS
@pytest.mark.parametrize("folder", [OF_THE_GAME, OF_ALL], ids=["game", "all"])
def test_values_and_counts_are_kept(folder: Path, language: str) -> None:
    counted = {one for one, many in (of_the_game() | of_all()).items() if many}
    wanted = numbers(language)
    for source, forms in read_po(folder / f"{language}.po").items():
        if source:
            assert len(forms) == (wanted if source in counted else 1), source
        for form in forms:
            assert fields(form) == fields(source) or not source, (source, form)


def test_sentences_of_the_game_are_said_and_not_only_written() -> None:
    """A sentence put together in place could be told in no other language."""
    found = [
        f"{path.name}: {text}"
        for path, tree in sources(GAME / "play")
        if path.name not in ("army_lists.py", "army_text.py")  # lists as other programs write them
        for text in loose(tree)
    ]
    # The names of nameless cards.
    assert set(found) == {"roster.py: card ", "army_rules.py: : card "}


def test_prose_is_found_and_documentation_is_not() -> None:
    tree = ast.parse('"""A docstring."""\nx = "two words"\ny = "a b".split()\nz = f"{x} is so"')
    assert list(prose(tree)) == ["two words"]
    assert list(loose(tree)) == [" is so"]


# -- translated -------------------------------------------------------------------------------


def test_a_sentence_is_english_and_remembers_how_it_was_made() -> None:
    told_so = say("{unit}: {n} wound", "{unit}: {n} wounds", unit="r2", n=3)
    assert told_so == "r2: 3 wounds"
    assert json.dumps({"say": told_so}) == '{"say": "r2: 3 wounds"}'
    assert isinstance(str(told_so), LazyMessage)
    for again in (copy.deepcopy(told_so), pickle.loads(pickle.dumps(told_so))):
        assert (again, again.pattern, again.values) == (told_so, told_so.pattern, told_so.values)
    assert say("50 % of {nothing}") == "50 % of {nothing}"


@pytest.mark.parametrize(
    ("count", "german", "russian"),
    [
        (1, "r2: 1 Wunde", "r2: 1 рана"),
        (3, "r2: 3 Wunden", "r2: 3 раны"),
        (5, "r2: 5 Wunden", "r2: 5 ран"),
        (11, "r2: 11 Wunden", "r2: 11 ран"),
        (21, "r2: 21 Wunden", "r2: 21 рана"),
    ],
)
def test_numbers_have_their_forms(count: int, german: str, russian: str) -> None:
    wounds = say("{unit}: {n} wound", "{unit}: {n} wounds", unit="r2", n=count)
    assert GERMAN().translate(wounds) == german
    assert RUSSIAN().translate(wounds) == russian


def test_sentences_in_sentences_are_told_too() -> None:
    cause = say("attacked by {unit}", unit="b1")
    test = say("{unit} takes a {kind} test: {causes}", unit="r1", kind="panic", causes=cause)
    assert GERMAN().translate(test) == "r1 legt eine Panikprobe ab: Angriff durch b1"
    assert RUSSIAN().translate(test) == "r1 проходит проверку на панику: атакует b1"
    assert GERMAN().translate(joined([cause, "b1 {so}"], "; ")) == "Angriff durch b1; b1 {so}"


def test_only_sentences_of_an_answer_are_told() -> None:
    answer = {"say": say("{unit} is not engaged", unit="b1"), "kind": "panic", "of": ("charge",)}
    assert translate_all(answer) is answer
    set_language("de")
    assert translate_all(answer) == {
        "say": "b1 ist nicht im Nahkampf",
        "kind": "panic",
        "of": ("charge",),
    }
    set_language("xx")
    assert (translation.language(), translate("panic")) == ("en", "panic")


def test_errors_hand_on_their_sentence() -> None:
    with pytest.raises(BadInput) as bad:
        Field({"zone": 3}, "a.json").member("zone").text()
    assert str(bad.value) == "a.json: zone: 3 is not a text"
    assert GERMAN().translate(str(bad.value)) == "a.json: zone: 3 ist kein Text"
    with pytest.raises(UnknownName) as unknown:
        battle.Battle().state.unit("b9")
    assert GERMAN().translate(str(unknown.value)).startswith("keine Kampfeinheit „b9“; es gibt:")


def test_what_somebody_typed_is_no_word_and_quoted_as_the_language_quotes() -> None:
    missing = say("field {key!r} is missing", key="unit")
    assert GERMAN().translate(missing) == "das Feld „unit“ fehlt"
    assert RUSSIAN().translate(missing) == "нет поля «unit»"
    with pytest.raises(BadInput) as bad:
        Field({"cards": -1}, "keep").member("cards").whole(0, 10**6)
    assert str(bad.value) == "keep: cards: -1 is outside 0 to 1000000"
    assert GERMAN().translate(str(bad.value)).startswith("keep: cards: -1 liegt nicht zwischen 0")
    with pytest.raises(CompanionError) as no_cell:
        parse_cell("b5")
    assert GERMAN().translate(str(no_cell.value)).startswith("„b5“ ist kein Feld")


def test_a_negative_number_counts_like_its_amount() -> None:
    lost = say("{n} point", "{n} points", n=-1)
    assert (GERMAN().translate(lost), RUSSIAN().translate(lost)) == ("−1 Punkt", "−1 очко")


@pytest.mark.parametrize(
    ("unit", "told"),
    [
        ("Thorn Watch", "Armbrustschützen der Dornen-Garde sind im Nahkampf"),
        ("Ranger Vanguards 2", "Vorhut der Grenzer 2 ist im Nahkampf"),
        ("Bran and Hodor", "Bran und Hodor sind im Nahkampf"),
    ],
)
def test_a_verb_follows_the_name_of_its_own_language(unit: str, told: str) -> None:
    assert GERMAN().translate(say("{unit} is engaged", unit=Name(unit))) == told


def test_an_order_among_the_abilities_has_its_word() -> None:
    line = ability_line(["Cavalry", "Order: Set For Charge"], GameNames({}, {}, re.compile("(?!)")))
    assert line == "Cavalry · Order: Set For Charge"
    assert GERMAN().translate(line) == "Kavallerie · Befehl: Speerwall"


def test_nothing_is_read_before_another_language_is_asked_for() -> None:
    code = (
        "import companion.cli.program, companion.text.translation as w, sys;"
        "print(w.catalogue.cache_info().misses, w.translate('charge'))"
    )
    told_there = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert told_there.stdout.split() == [b"0", b"charge"]


# -- kept -----------------------------------------------------------------------------------------


def test_a_log_keeps_how_a_sentence_was_made() -> None:
    from companion.games.api.play import Event

    why = say("{told} ({note})", told=say("{n} hit", "{n} hits", n=2), note="Longsword")
    step = LogStep.after(None, 0, "x", [Event("wounds", {"unit": "r1", "why": [why], "n": 1})])
    (event,) = step.events()
    assert event.data == {"unit": "r1", "why": ["2 hits (Longsword)"], "n": 1}
    assert RUSSIAN().translate(event.data["why"][0]) == "2 попадания (Longsword)"
    old = LogStep(1, 0, "x", '[["wounds",1,{"unit":"r1","why":"attacked by b1"}]]', "")
    assert old.events()[0].data["why"] == "attacked by b1"


def played(path: Path) -> None:
    """A short kept game with a charge, panic, points, an undo and the clock."""
    commands: list[dict[str, Any]] = [
        {"do": "set-up", "game": "tmg-2021", "mode": "GOT", "armies": [STARK, LANNISTER]}
        | {"unchecked": True, "seed": 7, "ready": True, "first": "blue", "points": 30},
        {"do": "continue"},
        {"do": "deploy"},
        {"do": "clock", "action": "set", "minutes": 60},
        {"do": "objective", "token": "o1", "unit": "b2"},
        {"do": "activate", "unit": "b1"},
        {
            "do": "action",
            "action": "charge",
            "target": "r1",
            "zone": "front",
            "distance": 7,
            "faces": [5],
        },
        {"do": "roll", "faces": [6, 5, 5, 4, 2, 1, 1], "keep": True},
        {"do": "roll", "faces": [1, 1, 6, 6], "keep": True},
        {"do": "panic", "faces": [1, 2], "d3": 2, "keep": True},
        {"do": "continue"},
        {"do": "undo"},
        {"do": "redo"},
        {"do": "end-turn"},
        {"do": "activate", "unit": "rn1"},
        {"do": "claim", "zone": "crown"},
        {"do": "score", "side": "blue", "set": 3},
    ]
    with Session.open(path) as session:
        for command in commands:
            answer = session.answer(command)
            assert answer["ok"], (command, answer)


def test_a_kept_game_is_reported_in_russian(tmp_path: Path) -> None:
    played(tmp_path / "a.game")
    set_language("ru")
    report = markdown(build_story(read(tmp_path / "a.game").steps))
    assert "Проверка на панику: Crossbowmen: проверка провалена (3 против 7+), 2 раны" in report
    assert foreign(report) == set()


def foreign(text: str) -> set[str]:
    """English words in a Russian text; names, ids and numbers of rules are nobody's language."""
    names = {"Stark", "Lannister", "tmg", *NAMES}
    found = re.findall(r"(?<![\w-])[A-Za-z][A-Za-z']{2,}", NUMBERS.sub("", text.replace("\\", "")))
    return {word for word in found if word.strip("'") not in names}


NAMES = {
    word
    for game in PLAY.games
    for card in cards(game).units.values()
    for text in (card.name, *(attack.name for attack in card.attacks))
    for word in re.findall(r"[A-Za-z']+", text)
} | {"Catelyn", "Sansa", "Cersei", "Tyrion"}


class Ear:
    """Hears everything the scripted games say."""

    def __init__(self) -> None:
        self.heard: set[LazyMessage] = set()

    def listen(self, value: Any) -> None:
        match value:
            case LazyMessage():
                self.heard.add(value)
            case dict():
                for one in (*value, *value.values()):
                    self.listen(one)
            case list() | tuple():
                for one in value:
                    self.listen(one)


@pytest.fixture(scope="module")
def heard() -> set[LazyMessage]:
    """Titles, prompts, reminders and the whole view after every command of fifteen games."""
    ear, do = Ear(), battle.Battle.do

    def listened(self: battle.Battle, word: str, **asked: Any) -> battle.Battle:
        do(self, word, **asked)
        ear.listen([self.titles, self.answer, self.view()])
        return self

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(battle.Battle, "do", listened)
        for module in (test_games_2018, test_games_2021):
            for name, game in vars(module).items():
                if name.startswith("test_"):
                    game()
    return ear.heard


@OTHERS
def test_whatever_scripted_games_say_is_translated(heard: set[LazyMessage], language: str) -> None:
    forms = catalogue(language, game="tmg").forms
    waiting, unknown = list(heard), set()
    while waiting:
        sentence = waiting.pop()
        waiting += [one for one in sentence.values.values() if isinstance(one, LazyMessage)]
        if sentence.one not in forms and worded(NUMBERS.sub("", sentence.one)):
            unknown.add(sentence.one)
    assert len(heard) > 500
    assert unknown <= WORDS_OF_PLAYERS


WORDS_OF_PLAYERS = {"the crows", "a dragon's shadow"}
"""What the players of the scripted games gave as their reasons."""


# -- spoken ---------------------------------------------------------------------------------------


def test_a_conversation_in_german(tmp_path: Path) -> None:
    played(tmp_path / "a.game")
    asked = b'{"do": "activate", "unit": "b1"}\n{"do": "hat"}\n{"do": "state"}\n'
    answers = io.BytesIO()
    with Session.open(tmp_path / "a.game") as session:
        set_language("de")
        converse(session, io.BytesIO(asked), answers)
    busy, unknown, state = map(json.loads, answers.getvalue().splitlines())
    assert busy["say"].startswith("zuerst: rn1 beansprucht die Zone „Krone“: 1 feindliche Einheit")
    assert unknown["say"] == "kein Befehl „hat“; help zeigt alle Befehle"
    assert state["state"]["mode_name"] == "Spiel um Throne"
    assert state["state"]["undo"] == "Blau: SP von 0 auf 3 gesetzt"
    assert state["state"]["phase"] == "activation"


def test_the_report_command_speaks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    played(tmp_path / "a.game")
    assert main(["report", str(tmp_path / "a.game"), "--language", "de"]) == 0
    german = capsys.readouterr().out
    assert german.startswith("# Spielbericht: Stark (Blau) – Lennister (Rot)\n")
    assert "Panikprobe: Armbrustschützen: nicht bestanden (3 gegen 7+), 2 Wunden" in german
    assert main(["report", str(tmp_path / "a.game")]) == 0
    assert "Panic test: Crossbowmen: failed (3 against 7+)" in capsys.readouterr().out
    out = tmp_path / "a.html"
    assert main(["report", str(tmp_path / "a.game"), "--language", "ru", "--html", str(out)]) == 0
    page = out.read_text(encoding="utf-8")
    assert '<html lang="ru">' in page
    assert "Счёт по раундам" in page


def test_replay_and_rules_speak(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    played(tmp_path / "a.game")
    assert main(["replay", str(tmp_path / "a.game"), "--language", "ru", "--step", "12"]) == 0
    assert "отменено: Stark Sworn Swords: активация завершена" in capsys.readouterr().out
    table = ROOT / "models" / "data" / "practice.table.json"
    assert main(["rules", str(table), "--language", "de"]) == 0
    assert "keine Einheit" not in (german := capsys.readouterr().out)
    assert re.search(r"Ansturm +r1 Lannister Guardsmen +7,|braucht 3\+", german)
    assert translate(meaning("shot")) == "Schuss"


@pytest.mark.parametrize(
    "path", sorted(COMPANION.glob("**/locale/*.po")), ids=lambda path: path.parts[-3] + path.stem
)
def test_no_text_is_translated_twice(path: Path) -> None:
    found = Counter(source for source, _ in entries(path.read_text(encoding="utf-8")))
    assert [source for source, count in found.items() if count > 1] == []
