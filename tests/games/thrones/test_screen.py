"""What the screen shows: every button is accepted, secrets stay secret, texts hold no ids."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

import companion.games.thrones
from companion.cli.program import main
from companion.games.api.play import Accepted, Refusal
from companion.games.api.prompt import Entry
from companion.games.thrones.play import PLAY
from companion.games.thrones.play.numbers import CARD_STATS, strength
from companion.games.thrones.play.prompts.window_prompts import WINDOWS
from companion.games.thrones.play.state import ThronesState
from companion.games.thrones.rules.draw_odds import card_odds
from companion.games.thrones.screen import SCREEN
from companion.overlay.icons import ICONS
from companion.text.verdicts import percent
from models import CompanionError
from tests.games.thrones.decks import challenges, fight, game
from tests.games.thrones.driver import CardGame
from tests.games.thrones.referee import Referee

SOURCE = Path(companion.games.thrones.__file__).parent
IDS = re.compile(r"(?<![\w-])(?:c\d+|p[1-6]|faction:)(?![\w.])")


def moments() -> Iterator[ThronesState]:
    """States of a random melee, one for every step and window."""
    referee = Referee(5, 4)
    seen: dict[str, ThronesState] = {}
    step = referee.game.do

    def noted(word: str, **asked: Any) -> CardGame:
        found = step(word, **asked)
        seen.setdefault(found.state.step, found.state)
        return found

    referee.game.do = noted  # type: ignore[method-assign]
    referee.play()
    yield from seen.values()
    fresh = game(ready=False)
    yield fresh.state
    yield fresh.do("mulligan", take=False).do("mulligan", take=True).state
    fresh.do("place", cards=["Strength 3", "Sword"]).do("place", cards=[])
    yield fresh.state


@pytest.fixture(scope="module")
def states() -> list[ThronesState]:
    return list(moments())


def buttons(state: ThronesState) -> Iterator[Sequence[Mapping[str, Any]]]:
    """The commands of every button, in their order."""
    for seat in (None, *state.seats):
        for prompt in SCREEN.prompts(state, seat):
            for choice in prompt.choices:
                yield choice.commands
        for page in SCREEN.pages(state, seat):
            for section in page.sections:
                for card in section.cards:
                    for choice in card.choices:
                        yield choice.commands
    for piece in (
        *(one.id for one in state.cards[:6]),
        *(f"faction:{one}" for one in state.living),
    ):
        for offer in SCREEN.offers(state, None, piece):
            if offer.verdict == "yes":
                yield offer.commands


@pytest.mark.slow
def test_every_button_is_accepted(states: list[ThronesState]) -> None:
    steps = {state.step for state in states}
    assert len(steps) > 12, steps
    for state in states:
        for commands in buttons(state):
            now = state
            for command in commands:
                decision = PLAY.decide(now, command)
                assert isinstance(decision, Accepted), (state.step, command, decision)
                now = decision.after


def test_another_program_is_offered_what_is_accepted(states: list[ThronesState]) -> None:
    for state in states:
        assert len(PLAY.pending(state)) == len(PLAY.options(state))
        for seat in state.seats:
            for asked in PLAY.options(state, seat):
                for command in asked["options"]:
                    assert not isinstance(PLAY.decide(state, command), Refusal)


READ = ("text", "title", "detail", "lines", "reason", "name", "short", "how", "help", "odds")


def texts(record: Any) -> Iterator[str]:
    """Every text that a player reads in records."""
    if isinstance(record, Entry):
        yield from (record.text, *(text for _, text in record.options))
    elif is_dataclass(record):
        for one in fields(record):
            value = getattr(record, one.name)
            if isinstance(value, tuple):
                yield from texts(value)
            elif one.name in READ and isinstance(value, str):
                yield value
    elif isinstance(record, tuple):
        for value in record:
            yield from (value,) if isinstance(value, str) and " " in value else texts(value)


def test_no_text_holds_an_id(states: list[ThronesState]) -> None:
    for state in states:
        shown = (
            SCREEN.prompts(state, "p1"),
            tuple(SCREEN.pieces(state)),
            SCREEN.score(state),
            SCREEN.pages(state, "p1"),
            SCREEN.offers(state, None, "c1"),
        )
        found = list(texts(shown))
        assert len(found) > 20
        for text in found:
            assert not IDS.search(text), (state.step, text)
        assert SCREEN.headline(state)


def test_secrets_are_for_their_own_seat(states: list[ThronesState]) -> None:
    for state in states:
        for prompt in SCREEN.prompts(state):
            if prompt.secret:
                assert not prompt.choices
                assert not any(form.entries for form in prompt.forms)
        for seat in state.seats:
            for page in SCREEN.pages(state, seat):
                for section in page.sections:
                    assert all(card.seat == seat for card in section.cards if card.secret)


def test_a_challenge_tells_what_is_missing_and_offers_say_why_not() -> None:
    found = challenges()
    strong, weak = found.put("p1", "Strength 5"), found.put("p2", "Strength 3")
    found.until("4.2")
    offers = SCREEN.offers(found.state, None, weak)
    assert not any(one.kind == "attack" for one in offers)
    found.do("challenge", type="power", attackers=[strong]).until("4.2.1")
    prompt = SCREEN.prompts(found.state)[0]
    assert [fact.text for fact in prompt.facts] == [
        "Boris needs +6 to win",
        "If Anna wins: claim 1, 1 power if unopposed",
    ]
    assert [(one.seat, one.total) for one in prompt.totals] == [("p1", 5), ("p2", 0)]
    (refused,) = [one for one in SCREEN.offers(found.state, None, strong) if one.kind == "defend"]
    assert (refused.verdict, refused.rules) == ("no", ("AGOT-CHL-17",))
    assert refused.reason == "Boris does not control Strength 5"


def test_the_outcome_says_what_happened_and_what_comes() -> None:
    found = challenges()
    before = found.state
    fight(found, "power", [found.put("p1", "Strength 5")], [])
    outcome = SCREEN.outcome(before, found.events, found.state)
    assert outcome is not None
    assert outcome.text == "5 : 0, Anna wins unopposed"
    assert outcome.follows == "Anna wins unopposed"
    assert outcome.big
    found.set("p1", "power", 14).do("continue")
    score = SCREEN.score(found.state)
    assert (score.winner, score.how) == ("p1", "15 power")
    assert SCREEN.headline(found.state) == "Anna has won"


def test_every_card_to_marshal_is_accepted_and_shown_to_its_owner_alone() -> None:
    found = game().plots().until("AW3")
    seat = found.state.active
    (form, *_) = SCREEN.prompts(found.state)[0].forms
    assert (form.command["do"], form.seat, form.entries) == ("marshal", seat, ())
    (form, *_) = SCREEN.prompts(found.state, seat)[0].forms
    (card,) = form.entries  # no attachment: there is nothing that takes one (AGOT-MAR-11)
    names = {text for _value, text in card.options}
    assert "Strength 5 (5 gold)" in names
    assert "Strength 6 (6 gold)" not in names  # 5 gold
    assert "Sword (1 gold)" not in names
    found.put(seat, "Strength 1")
    found.put(seat, "Alone")  # takes no attachments
    found.put(seat, "Castle")
    (form, elsewhere, *_) = SCREEN.prompts(found.state, seat)[0].forms
    card, host = form.entries
    assert [text for _value, text in host.options] == ["Strength 1"]
    for code, _text in card.options:
        for goes in host.options if code in host.only_for else [None]:
            more = {"host": goes[0]} if goes else {}
            decision = PLAY.decide(found.state, {**form.command, "card": code, **more})
            assert isinstance(decision, Accepted), (code, decision)
    _card, host, text, *_ = elsewhere.entries  # the players say that its text allows it
    for goes, _words in host.options:
        command = {**elsewhere.command, "card": "sw", "host": goes, text.field: True}
        assert isinstance(PLAY.decide(found.state, command), Accepted), goes
    assert "faction:p1" in dict(host.options)


def test_a_new_attachment_is_asked_once_for_what_it_gives() -> None:
    """AGOT-MOD-2: it counts while it is there, for every copy, and not while it is blank."""
    found = game().plots().until("AW3")
    seat = found.state.active
    knight, other = found.put(seat, "Strength 3"), found.put(seat, "Strength 2")
    sword = found.put(seat, "Sword", host=knight)
    (prompt,) = SCREEN.prompts(found.state, seat)
    assert prompt.title == "What does Sword give Strength 3?"
    assert [one.text for one in prompt.choices][1] == "+1 strength"
    found.do(**words(prompt.choices[2].commands[0]))
    assert found.titles[-1] == "Sword: +2 strength"
    assert strength(found.state, found.state.card(knight)) == 5
    assert (SCREEN.prompts(found.state, seat)[0]).id == "window"
    second = found.put(seat, "Sword", host=other)  # the same card: not asked again
    assert SCREEN.prompts(found.state, seat)[0].id == "window"
    assert strength(found.state, found.state.card(other)) == 4
    found.do("attach", card=second, host=knight)
    assert strength(found.state, found.state.card(knight)) == 7
    assert strength(found.state, found.state.card(other)) == 2
    found.do("modify", target=sword, stat="blank", value=1, why="text")
    assert strength(found.state, found.state.card(knight)) == 5
    found.do("leave", cards=[second], how="discarded")
    assert strength(found.state, found.state.card(knight)) == 3
    gains = ["icon-power", "keyword-stealth"]
    found.do("gives", card=sword, gains=gains, loses=["icon-military"], strength=-1)
    found.do("leave", cards=[sword], how="discarded").put(seat, "Sword", host=other)
    view = PLAY.view(found.state)["cards"][other]
    assert (view["strength"], view["icons"]) == (1, ["intrigue", "power"])
    assert view["keywords"] == ["stealth"]


def test_a_challenge_says_what_it_comes_to_before_it_is_declared() -> None:
    found = challenges()
    strong, weak = found.put("p1", "Strength 5"), found.put("p2", "Strength 3")
    other = found.put("p2", "Strength 4")
    found.until("4.2")
    (form, *_) = SCREEN.prompts(found.state)[0].forms
    assert form.command == {"do": "challenge", "type": "military", "against": "p2"}
    assert form.entries[0].worth == (5,)
    assert form.tallies[5] == "Attack 5"
    found.do("challenge", type="military", attackers=[strong]).until("4.2.1")
    (form,) = SCREEN.prompts(found.state)[0].forms
    assert [key for key, _text in form.entries[0].options] == [weak, other]
    assert form.entries[0].worth == (3, 4)
    assert form.tallies[4] == "4 against 5: Anna wins"
    assert form.tallies[7] == "7 against 5: Boris wins"
    found.do("defend", defenders=[weak]).until("AW4B")
    prompt = SCREEN.prompts(found.state)[0]
    assert [(one.seat, one.total) for one in prompt.totals] == [("p1", 5), ("p2", 3)]
    quick = prompt.choices[0]
    assert quick.text == "All pass: Anna wins"
    (gold,) = [one for one in prompt.choices if one.look == "primary"]
    assert (gold.text, gold.by) == ("Anna passes", ("p1",)), "nobody passes for another by gold"
    assert len(quick.commands) == 1
    found.do(**words(quick.commands[0]))
    assert found.state.step == "4.2.2"  # reactions to the result come now
    (result,) = SCREEN.prompts(found.state)
    (_, dies, _) = result.choices
    assert dies.text == "No reactions: Strength 3 is killed"
    for command in dies.commands:
        found.do(**words(command))
    assert found.state.find_card(weak) is None


@pytest.mark.rule("AGOT-GEN-2")
def test_every_number_is_set_by_hand_with_its_reason() -> None:
    found = challenges()
    card = found.put("p1", "Strength 5")
    for piece in SCREEN.pieces(found.state):
        assert piece.forms
        for form in (one for one in piece.forms if not one.opens):
            assert "why" in [one.field for one in form.entries] or form.command["do"] == "tokens"
            filled = {one.field: sample(one) for one in form.entries}
            decision = PLAY.decide(found.state, {**form.command, **filled})
            assert isinstance(decision, Accepted), (form.command, filled, decision)
    (form,) = [
        one
        for piece in SCREEN.pieces(found.state)
        for one in piece.forms
        if one.command == {"do": "modify", "target": card}
    ]
    assert {value for value, _ in form.entries[0].options} == set(CARD_STATS)


def sample(entry: Entry) -> Any:
    """A value that a player could enter."""
    if entry.options:
        return entry.options[-1][0]
    return "card text" if entry.kind == "text" else entry.value


def words(command: Any) -> dict[str, Any]:
    return {"word": command["do"], **{k: v for k, v in command.items() if k != "do"}}


def player_name(state: ThronesState) -> str:
    """Who may act in the window."""
    assert state.window is not None
    return state.house(state.window.holder).name


def test_every_step_has_a_name_to_undo_it_by() -> None:
    referee = Referee(3, 3)
    step = referee.game.do
    unnamed = set()

    def noted(word: str, **asked: Any) -> CardGame:
        before = referee.game.state
        found = step(word, **asked)
        outcome = SCREEN.outcome(before, found.events, found.state)
        if outcome is None or not outcome.undo:
            unnamed.add(word)
        elif word == "pass":  # the step, not what followed from it
            window = before.window.id if before.window else ""
            names = {f"{WINDOWS[window]}: all pass", f"{player_name(before)} passes"}
            if before.active:
                names.add(f"All but {before.house(before.active).name} pass")
            assert str(outcome.undo) in names
        return found

    referee.game.do = noted  # type: ignore[method-assign]
    referee.play()
    assert not unnamed


# -- a new game ------------------------------------------------------------------------------------


def test_the_steps_of_a_new_game_name_what_is_missing() -> None:
    draft: dict[str, Any] = {"seats": [{"id": "p1", "name": "Anna"}, {"id": "p2", "name": "Boris"}]}
    steps = {one.id: one for one in SCREEN.steps("thrones", draft)}
    assert [one.text for one in steps["decks"].problems] == ["no deck yet"] * 2
    draft["decks"] = {"p1": "sample stark", "p2": "3x Arya Stark (Core)"}
    steps = {one.id: one for one in SCREEN.steps("thrones", draft)}
    stops = [one for one in steps["decks"].problems if one.stops]
    assert {one.rule for one in stops} == {"AGOT-DECK-3", "AGOT-DECK-7"}
    assert steps["begin"].problems[0].rule == "AGOT-DECK-3"
    draft["decks"]["p2"] = "3x Aria Stark"
    problem, *_ = {one.id: one for one in SCREEN.steps("thrones", draft)}["decks"].problems
    assert (problem.seat, "near: Arya Stark" in problem.text) == ("p2", True)
    draft["decks"]["p2"] = "sample lannister"
    draft["game"] = {"first": "p2", "begin": "ready"}
    assert not any(one.problems for one in SCREEN.steps("thrones", draft))
    command = SCREEN.set_up("thrones", draft)
    assert (command["first"], command["ready"]) == ("p2", True)
    assert not isinstance(PLAY.prepare("thrones", {**command, "seed": 1}), Refusal)


# -- odds ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "chance"),
    [
        ({"copies": 3}, 0.3154),
        ({"copies": 3, "round": 2}, 0.4616),
        ({"copies": 3, "mulligan": True}, 0.5313),
        ({"copies": 1, "hand": 5}, 0.2),
        ({"copies": 1, "hand": 5, "claim": 2}, 0.4),
        ({"copies": 2, "deck": 10, "draws": 10}, 1.0),
    ],
)
def test_the_odds_of_cards(asked: dict[str, Any], chance: float) -> None:
    odds = card_odds(asked)
    assert float(odds.chance) == pytest.approx(chance, abs=1e-4)
    assert sum(odds.hits.values()) == 1


def test_the_odds_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "--game", "thrones", "--copies", "3", "--round", "2"]) == 0
    assert capsys.readouterr().out.startswith("11 of 60 cards: at least one 46.16%")
    assert main(["odds", "--game", "thrones", "--copies", "5", "--hand", "3"]) == 2
    assert "5 copies do not fit into a hand of 3" in capsys.readouterr().err
    with pytest.raises(CompanionError, match="copies"):
        card_odds({})


def test_a_late_melee_is_answered_with_little_work() -> None:
    """Counted in calls, which do not depend on the machine: 31,000 took up to 14 ms."""
    found = challenges(6)
    for seat in found.state.seats:
        for number in range(2, 8):
            found.put(seat, f"Strength {number}")
    calls = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    before = found.state
    sys.setprofile(count)
    try:
        decision = PLAY.decide(before, {"do": "pass", "all": True})
        assert isinstance(decision, Accepted)
        state = decision.after
        PLAY.view(state)
        PLAY.options(state)
        SCREEN.prompts(state)
        SCREEN.pages(state)
        SCREEN.pieces(state)
    finally:
        sys.setprofile(None)
    assert state.step == "4.2"
    assert calls < 22_500, calls


TEXTS: dict[str, dict[str, Any]] = {
    "put-into-play": {"card": "Hero", "from": "hand"},
    "put-face-down": {},
    "move": {"from": "deck", "to": "discard"},
    "reveal-plot": {"plot": "Quick Plot"},
    "move-power": {"target": "faction:p3"},
    "simultaneous-power": {"targets": ["faction:p1", "faction:p3"], "why": "a feast"},
    "extra-challenge": {"why": "a banner"},
    "trigger": {"what": "the king dies"},
    "each-chooses": {"what": "who kneels", "how": "knelt"},
    "delay": {"what": "he comes back"},
    "give-title": {},
    "unmodify": {},
    "sit": {"edge": "east"},
    "use": {},
}
"""What players type into the forms of card text, beside what they begin with."""


def test_what_card_text_does_is_entered_on_the_screen() -> None:
    found = challenges(3)
    card = found.put("p1", "Strength 5")
    for target in ("faction:p1", card):
        found.do("power", target=target, change=2)
    for target, stat in (("p1", "claim"), (card, "strength")):
        found.do("modify", target=target, stat=stat, value=1, until="game")
    pieces = {one.id: one for one in SCREEN.pieces(found.state)}
    words = set()
    for name in ("faction:p1", card):
        for form in (one for one in pieces[name].forms if one.opens):
            begun = {one.field: one.value for one in form.entries if one.value is not None}
            word = form.command["do"]
            if word == "unmodify":
                begun["modifier"] = form.entries[0].options[0][0]
            asked = {**form.command, **begun, **TEXTS[word]}
            if any(one.field == "host" for one in form.entries):
                asked |= {"card": "Sword", "host": card}
            decision = PLAY.decide(found.state, asked)
            assert isinstance(decision, Accepted), (asked, decision)
            required = {one.field for one in form.entries if one.required}
            assert required <= asked.keys(), word
            words.add(word)
    assert words == TEXTS.keys()
    told = {one.commands[0]["do"] for one in pieces["faction:p2"].corrections}
    assert told == {"set-first-player", "titles-off"}
    ends = [one.commands[0]["do"] for one in SCREEN.score(found.state).ends]
    assert ends == ["concede", "concede", "concede", "end-by-time"]


def test_every_command_of_the_game_is_on_the_screen() -> None:
    """But questions of other programs, and the picture of their cameras."""
    sources = [*SOURCE.glob("play/prompts/*.py"), *SOURCE.glob("screen/*.py")]
    sources.append(SOURCE / "play" / "commands" / "camera_commands.py")
    written = "".join(one.read_text(encoding="utf-8") for one in sources)
    shown = set(re.findall(r'"do": "([\w-]+)"', written)) | {"kneel", "stand"}
    words = {one.name for one in PLAY.help("thrones")} - {"set-up"}
    assert words - shown == {"cards", "intend", "matching", "seen"}


def test_what_a_challenge_would_win_and_the_odds_of_cards() -> None:
    found = challenges(3, "Bloody Plot")
    for seat, title in (("p1", "hand-of-the-king"), ("p2", "master-of-coin")):
        found.do("give-title", seat=seat)
        found.do("give-title", seat=seat, title=title)
    king, weak = found.put("p1", "King"), found.put("p2", "Strength 3")
    found.until("4.2").do("challenge", type="intrigue", against="p2", attackers=[king])
    prize = "If Anna wins: claim 2, 1 power by renown, 1 power if unopposed, 1 power for a rival"
    if found.state.step == "4.2.X":
        found.do("redirect", use=False)
    assert prize in [one.text for one in SCREEN.prompts(found.until("4.2.1").state)[0].facts]
    found.do("defend", defenders=[weak])
    shown = [one.text for one in SCREEN.prompts(found.until("AW4B").state)[0].facts]
    assert prize.replace(", 1 power if unopposed", "") in shown
    found.until("4.2.2").do("continue")
    (fact,) = SCREEN.prompts(found.state)[0].facts
    assert fact.chance == 2 / found.house("p2").hand
    assert SCREEN.score(found.state).seats[0].detail.startswith("Hand of the King · 3 gold")
    (piles,) = [one for one in SCREEN.pages(found.state) if one.id == "piles"]
    deck = next(one for one in piles.sections[0].cards if one.id == "p1-deck")
    size = found.house("p1").draw_deck
    chance = card_odds({"copies": 3, "deck": size, "draws": 2}).chance
    assert f"{percent(float(chance))}, " in deck.lines[2]


def test_every_page_has_an_icon_of_its_own(states: list[ThronesState]) -> None:
    """A small screen shows the pages by their icons alone."""
    icons = [one.icon for one in SCREEN.pages(states[-1])]
    assert len(set(icons)) == len(icons)
    assert set(icons) <= ICONS.keys()
