"""A word is looked up in the game being played, then in what all games share."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

from companion.games import package_of
from companion.games.api.new_game import SeatView
from companion.games.tactics.cards.figure_card import shipped_cards
from companion.games.tmg.play import PLAY
from companion.text import translation
from companion.text.agreement import FORMS
from companion.text.translation import (
    catalogue,
    files,
    read_po,
    set_game,
    set_language,
    translate,
)
from models.message import Name, joined, say, word
from tests.sentences import TRANSLATED, numbers, said, worded

HEAD = 'msgid ""\nmsgstr "Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n\n'


def entry(source: str, told: str) -> str:
    return f'msgid "{source}"\nmsgstr "{told}"\n\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Shared words and two games, of which both know a claim."""
    texts = {
        "locale": entry("claim", "Anspruch") + entry("round", "Runde"),
        "games/aaa/locale": entry("claim", "Zone besetzen"),
        "games/zzz/locale": entry("claim", "Machtanspruch") + entry("plot", "Plan"),
    }
    for place, text in texts.items():
        (tmp_path / place).mkdir(parents=True)
        (tmp_path / place / "de.po").write_text(HEAD + text, encoding="utf-8")
    monkeypatch.setattr(translation, "PACKAGE", tmp_path)
    catalogue.cache_clear()
    yield
    set_language("en")
    set_game("")
    catalogue.cache_clear()


@pytest.mark.usefixtures("folder")
def test_the_game_being_played_comes_first() -> None:
    set_language("de")
    assert translate("claim") == "Anspruch"
    for game, told in (("aaa", "Zone besetzen"), ("zzz", "Machtanspruch"), ("none", "Anspruch")):
        set_game(game)
        assert translate("claim") == told
        assert translate("round") == "Runde"
    set_language("en")
    assert translate("claim") == "claim"


@pytest.mark.usefixtures("folder")
def test_words_of_other_games_are_not_read() -> None:
    assert not any("zzz" in path.parts for path in files("de", "aaa"))
    assert catalogue("de", game="aaa").translate("plot") == "plot"
    assert catalogue("de", game="zzz").translate("plot") == "Plan"


ROOM = Path(translation.__file__).parents[1]


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("game", ["tmg", "thrones", "tactics", "westeros"])
def test_a_word_has_two_translations_only_with_a_context(language: str, game: str) -> None:
    """The words of the app and those of a game are loaded together; neither hides the other."""
    app = read_po(ROOM / "engine" / "locale" / f"{language}.po")
    shared = read_po(ROOM / "locale" / f"{language}.po")
    own = read_po(ROOM / "games" / game / "locale" / f"{language}.po")
    for one, other in ((app, own), (app, shared)):
        both = (one.keys() & other.keys()) - {""}
        assert {source for source in both if one[source] != other[source]} == set()


# -- whole ----------------------------------------------------------------------------------------

VALUES = {
    "tactics": {
        "gold", "silver",
        *(ability.text for card in shipped_cards().values() for ability in card.abilities),
    },
    "thrones": {
        "insight", "intimidate", "pillage", "stealth", "ambush", "limited", "no attachments",
        "terminal", "plot", "agenda", "assault", "bestow", "shadow",
    },
    "westeros": {"An invented battle to try the companion with."},
}  # fmt: skip
"""Words that stand in sentences as values."""


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("game", VALUES)
def test_a_game_translates_what_it_says_and_nothing_else(game: str, language: str) -> None:
    """It may say in its own words what all games say."""
    own, shared = said(ROOM / "games" / game), said(ROOM / "games" / "shared")
    known = read_po(ROOM / "games" / game / "locale" / f"{language}.po")
    of_all = read_po(ROOM / "locale" / f"{language}.po").keys()
    missing = {one for one in own if worded(one)} - known.keys() - of_all
    assert not missing, f"not in {language}.po of {game}: {sorted(missing)}"
    dead = known.keys() - own.keys() - shared.keys() - VALUES[game] - {""}
    assert not dead, f"in {language}.po of {game}, and said by nobody: {sorted(dead)}"
    counted = {one for one, many in (own | shared).items() if many}
    for source, forms in known.items():
        assert len(forms) == (numbers(language) if source in counted else 1), source
        for form in forms if source else ():
            assert fields(form) == fields(source), (source, form)


def fields(template: str) -> set[tuple[str, str | None, str | None]]:
    """The values of a template and how they are shown; words that agree are none."""
    found = Formatter().parse(FORMS.sub("", template))
    return {(name, spec, how) for _, name, spec, how in found if name is not None}


# -- names ----------------------------------------------------------------------------------------


def test_a_name_is_no_word() -> None:
    """The will of a figure is a word of Tactics; a player called Will keeps the name."""
    words = catalogue("ru", game="tactics")
    assert "Will" in words.forms
    assert words.translate(Name("Will")) == "Will"
    assert words.translate(say("{figure} fails the Will test", figure="Will")).startswith("Will")
    plots = catalogue("de", game="thrones")
    for plot in ("A Clash of Kings", "A Storm of Swords", "Fire and Blood"):
        assert plots.translate(Name(plot)) == plot


def test_a_game_translates_its_own_names_with_their_numbers() -> None:
    words = catalogue("ru", game="westeros")
    moved = say("{unit} is eliminated", unit="War Host of the North 1")
    assert words.translate(moved).startswith("Войско Севера 1")
    assert words.name("Maege Mormont, Winterfell Riders") == "Мейдж Мормонт, Всадники Винтерфелла"
    assert (
        catalogue("de", game="tmg").name("Ironborn Bowmen 2") == "Bogenschützen der Eisenmänner 2"
    )
    assert catalogue("en", game="tmg").name("Stark Bowmen 2") == "Stark Bowmen 2"


@pytest.mark.parametrize(
    ("language", "unit", "told"),
    [
        ("de", "Stark Bowmen 2", "Bogenschützen von Haus Stark 2 sind im Nahkampf"),
        ("de", "Casterly Rock Honor Guard", "Ehrengarde von Casterlystein ist im Nahkampf"),
        ("de", "Varamyr Sixskins", "Varamyr Sechsleib ist im Nahkampf"),
    ],
)
def test_a_verb_agrees_with_the_name_before_it(language: str, unit: str, told: str) -> None:
    words = catalogue(language, game="tmg")
    assert words.translate(say("{unit} is engaged", unit=unit)) == told


def test_a_list_of_names_is_several() -> None:
    words = catalogue("ru", game="tmg")
    both = joined(["Ghost", "Summer"])
    assert words.translate(say("{unit} is destroyed", unit=both)).endswith("Summer уничтожены")
    assert words.translate(say("{unit} is destroyed", unit="Ghost")) == "Ghost уничтожен"


def test_sentences_begin_with_capitals_and_numbers_follow_the_language() -> None:
    words = catalogue("ru", game="thrones")
    both = joined(
        [say("{player} passes", player="Ann"), say("{player} is the first player", player="Ann")],
        ". ",
    )
    assert words.translate(both) == "Ann пасует. Первый игрок: Ann"
    ended = joined(["Ghost: 2.", say("Nobody holds {token} now", token="x")], " ")
    assert catalogue("ru", game="tmg").translate(ended).startswith("Ghost: 2. X: теперь никто")
    loss = say("{player} {change:+d} gold ({why})", player="Ann", change=-2, why="x")
    assert words.translate(loss) == "Ann: золото −2 (x)"
    assert catalogue("de", game="tmg").translate(say("{chance:.0%}", chance=0.5)) == "50 %"
    assert catalogue("ru", game="tmg").translate(Name("card 9")) == "№ 9"


def test_a_player_is_not_called_like_a_card() -> None:
    """Dirk is a weapon in Tactics, and a name; the houses of Westeros play under their own."""
    for language in ("de", "ru"):
        words = catalogue(language, game="tactics")
        assert words.translate(say("{player} passes", player="Dirk")).startswith("Dirk ")
        assert words.translate(SeatView("blue", "Dirk", 1).name) == "Dirk"
        assert words.translate(Name("Dirk")) != "Dirk"
    houses = catalogue("ru", game="westeros")
    assert houses.translate(say("{player} passes", player="Stark")) == "Старки: пас"
    assert houses.translate(SeatView("stark", "Stark", 1).name) == "Старки"


def test_a_word_with_a_context_is_english_without_it() -> None:
    assert word("camera", "lost") == "lost"
    assert catalogue("de").translate(word("camera", "lost")) == "Ausfall"
    assert catalogue("de").translate(word("piece", "lost")) == "nicht mehr im Spiel"
    assert catalogue("de").translate(word("nowhere", "lost")) == "lost"


def test_the_package_of_a_game() -> None:
    assert package_of(PLAY) == "tmg"
    assert package_of(None) == ""


# -- agreement ------------------------------------------------------------------------------------

UNIT = r"^{(?:unit|target|attacker|defender|enemy|foe)}"
"""Names that may mean several: those of units."""
ALONE = {
    "de": re.compile(UNIT + r" (?!vernichtet|eliminiert)(?:ist|hat|darf|kann|muss|[a-zäöüß]+t)\b"),
    "ru": re.compile(UNIT + r" (?:не |уже |ещё )?[а-яё]+(?:[еёи]т|[еёи]тся)\b"),
}
"""A verb in the form for one behind such a name, which begins the sentence."""


@pytest.mark.parametrize("language", ALONE)
@pytest.mark.parametrize("game", ["tmg", "westeros"])
def test_no_verb_stands_for_one_behind_the_name_of_a_unit(game: str, language: str) -> None:
    """ "Crossbowmen holds" is wrong in every language: such verbs have two forms."""
    known = read_po(ROOM / "games" / game / "locale" / f"{language}.po")
    told = [form for forms in known.values() for form in forms]
    assert [one for one in told if ALONE[language].search(one)] == []


def test_english_verbs_of_westeros_agree_with_numbered_units_too() -> None:
    """Only what is called `unit`, `target` and so on has its verb put right; persons are `name`."""
    known = read_po(ROOM / "games" / "westeros" / "locale" / "de.po")
    assert [one for one in known if re.match(r"{name} (?!leads\b)[a-z]+s\b", one)] == []
    rolled = say("{unit} rolls {symbols}", unit="Lannister Archers 2", symbols="green")
    assert catalogue("en", game="westeros").translate(rolled) == "Lannister Archers 2 roll green"
