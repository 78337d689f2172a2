"""Rivals: fair, in the log, undone with their step, and able to play a game to its end."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.cli.balance import begun, decided, searching
from companion.engine.files import draft as drafts
from companion.engine.files.draft import Draft
from companion.engine.rival_turn import PROMPT, RivalThinker, advice, undecided
from companion.engine.turn.client import Client
from companion.engine.turn.running_game import RunningGame
from companion.engine.turn.turn_records import TurnView
from companion.games.api.play import Accepted, Plain
from companion.games.api.prompt import Choice, Prompt
from companion.games.api.rival import Line, RivalSeat
from companion.games.shared.search import RankedLine, Search, Trial, key, varied
from companion.games.tactics.cards.coins import Coins
from companion.games.tactics.play.state import PlayTask, battle_position
from companion.games.tactics.rival import NEAR, holding
from companion.games.tactics.rules.position import BattlePosition
from companion.games.tactics.rules.space_effects import LOOT_MARKS, marked
from companion.games.westeros.play.state import BattleTask
from companion.session.game_lookup import find_play, find_rival, find_screen
from companion.session.session import Session
from models.board import Cell, cell_text, parse_cell
from models.field import Field
from tests.rival.announced import announcing, check
from tests.rival.battles import burning_ford, crowded_yard, joust
from tests.rival.scripted import scripted

GAMES = ("tactics", "westeros")
SIDES = {"tactics": ("blue", "red"), "westeros": ("stark", "lannister")}


def with_rival(folder: Path, game: str, level: str = "apprentice") -> Session:
    """A practice game in which the app plays the second side."""
    session = Session.open(folder / "solo.game")
    set_up, *opening = find_screen(game).practice(game)
    rival = {"seat": SIDES[game][1], "level": level, "temper": "bold"}
    for command in ({**set_up, "rivals": [rival]}, *opening):
        answer = session.answer(command)
        assert answer["ok"], answer
    return session


def until_rival(client: Client) -> TurnView:
    """The view in which the rival has decided; people pass, and every die is rolled."""
    play = client.game.here.play
    assert play is not None
    for _ in range(60):
        view = client.view()
        if any(one.id == PROMPT for one in view.prompts):
            return view
        here = client.game.here
        options = [one for given in play.options(here.state) for one in given["options"]]
        plain = [one for one in options if one["do"] in ("pass", "end", "end-turn")]
        assert client.game.post([(plain or options)[0]]).done
    raise AssertionError("the rival is never asked")


def proposal(view: TurnView) -> Any:
    return next(one for one in view.prompts if one.id == PROMPT)


@pytest.fixture
def westeros(tmp_path: Path) -> Iterator[Session]:
    with with_rival(tmp_path, "westeros") as session:
        yield session


# -- fairness --------------------------------------------------------------------------------------


def before_an_attack(game: str) -> tuple[Any, str]:
    """A state in which a side may attack, and that side."""
    rival = find_rival(game)
    assert rival is not None
    play, state = rival.play, begun(game, 5)
    people = scripted(play, 5)
    for _ in range(200):
        side = play.pending(state)[0].side or SIDES[game][0]
        lines = list(rival.lines(state, side))
        if any(one["do"] in ("attack", "charge") for line in lines for one in line.commands):
            return state, side
        for command in people(state, side):
            state = decided(play.decide(state, command))
    raise AssertionError("nobody comes to blows")


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_coming_dice_change_no_choice(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two worlds that differ only in the dice to come; who sees the dice would choose by them."""
    rival = find_rival(game)
    assert rival is not None
    state, side = before_an_attack(game)
    other = replace(state, seed=state.seed + 1)
    search = Search(rival, RivalSeat(side, "commander"), longest_s=600.0, seconds=600.0)
    assert search.ranked(state) == search.ranked(other)
    monkeypatch.setattr(type(rival.play), "veiled", lambda play, state, side, seed: state)
    assert search.ranked(state) != search.ranked(other)


def test_hidden_agendas_are_dealt_anew() -> None:
    """TAC-AGD-1: the rival of red knows its own agenda, and of blue's only how many there are."""
    play, state = find_play("tactics"), begun("tactics", 3)
    cards = ("A1", "A2", "A3", "A4", "A5")
    worlds = []
    for mine in ("A1", "A4"):
        deck = tuple(one for one in cards if one != mine)
        blue = replace(state.squads[0], agenda=(mine,), deck=deck)
        red = replace(state.squads[1], agenda=("A5",), deck=cards[:4])
        worlds.append(replace(state, squads=(blue, red)))
    seen = [play.veiled(one, "red", 7) for one in worlds]
    assert seen[0] == seen[1]
    assert seen[0].squad("red").agenda == ("A5",)
    assert len({play.veiled(worlds[0], "red", n).squad("blue").agenda for n in range(20)}) > 1
    assert play.veiled(worlds[0], "blue", 1).squad("blue").agenda == ("A1",)


# -- trying ----------------------------------------------------------------------------------------


def test_a_trial_is_never_logged(westeros: Session) -> None:
    session, before = westeros, westeros.history
    answer = session.answer(
        {"do": "try", "commands": [{"do": "begin"}, {"do": "orders"}], "samples": 8}
    )
    assert answer["ok"]
    assert len(answer["tries"]) == 8
    assert len({str(one["log"]) for one in answer["tries"]}) > 1, "every sample has dice of its own"
    assert session.history is before
    assert session.answer({"do": "try", "commands": [{"do": "follow"}]})["why"].startswith("BOW")


@pytest.mark.rule("BOW-KEY-4", "BOW-KEY-16", "BOW-FIR-14", "BOW-FIR-15")
@pytest.mark.parametrize(
    ("unit", "cell", "do", "told"),
    [
        ("s9", "7,6", "hounds", "Stark Kennelmasters sets its hounds on Lannisport Guards"),
        ("l2", "6,8", "scorch", "Gregor Clegane sets fire to"),
        ("s1", "fire", "fight-fire", "Maege Mormont fights the fire. That costs"),
    ],
)
def test_what_a_unit_may_do_instead_of_attacking(unit: str, cell: str, do: str, told: str) -> None:
    """War hounds, Scorched earth and the fire under a unit are thought of like an attack."""
    state = begun("westeros", 2, burning_ford(2))
    play = find_play("westeros")
    side = state.unit(unit).side
    while state.phase != "command" or state.active != side:
        options = play.options(state)[0]["options"]
        state = decided(
            play.decide(state, next((o for o in options if o["do"] == "pass"), options[0]))
        )
    fires = [one for one, words in state.board.ground.items() if "fire-2" in words]
    there = fires[0] if cell == "fire" else parse_cell(cell)
    state = state.with_unit(replace(state.unit(unit), cell=there))
    rival = find_rival("westeros")
    assert rival is not None
    lines = [one for one in rival.lines(state, side) if one.commands[-1]["do"] == do]
    line = next(one for one in lines if one.commands[0]["unit"] == unit)
    assert str(rival.told(state, line.commands).text).startswith(told)
    assert rival.facts(state, line.commands)
    for command in line.commands:
        state = decided(play.decide(state, command))


def test_a_figure_without_action_points_needs_no_tap_to_end() -> None:
    """The end of its activation comes with its move; not while something is asked."""
    rival, state = find_rival("tactics"), begun("tactics", 0)
    assert rival is not None
    side = rival.waits(state)[0]
    figure = next(one.id for one in state.of(side))
    state = decided(rival.play.decide(state, {"do": "activate", "figure": figure}))
    assert rival.closing(state, side) == ()
    spent = replace(state, activation=replace(state.activation, ap=0))
    assert rival.closing(spent, side) == ({"do": "end"},)
    assert rival.closing(spent, rival.play.moment(state).sides[1]) == ()
    assert decided(rival.play.decide(spent, {"do": "end"})).activation is None


# -- in a session ----------------------------------------------------------------------------------


def test_seat_and_level_are_in_the_log(westeros: Session, tmp_path: Path) -> None:
    wanted = (RivalSeat("lannister", "apprentice", "bold"),)
    assert westeros.history.now.rivals.seats == wanted
    westeros.answer({"do": "begin"})
    westeros.close()
    with Session.open(tmp_path / "solo.game") as again:
        assert again.history.now.rivals.seats == wanted
        assert again.answer({"do": "rival", "seat": "lannister", "level": "none"})["ok"]
        assert not again.history.now.rivals.seats
        assert again.answer({"do": "undo"})["ok"]
        assert again.history.now.rivals.seats == wanted


@pytest.mark.parametrize(
    "command",
    [
        {"do": "rival", "seat": "stark", "level": "king"},
        {"do": "rival", "seat": "nobody", "level": "captain"},
        {"do": "rival", "seat": "stark", "level": "captain", "temper": "mad"},
        {"do": "rival", "seat": "stark", "level": "captain", "dice": 6},
        {"do": "rival", "without": 5},
        {"do": "coach", "on": "perhaps"},
        {"do": "try", "commands": [], "samples": 3},
        {"do": "try", "commands": [{"do": "begin"}], "samples": 1000},
    ],
)
def test_bad_values_are_refused_in_one_line(westeros: Session, command: dict[str, Any]) -> None:
    before = westeros.history
    answer = westeros.answer(command)
    assert not answer["ok"]
    assert "\n" not in answer["say"]
    assert westeros.history is before


def test_nobody_needs_the_consent_of_a_rival(westeros: Session) -> None:
    """A player with a screen of their own rolls for the rival, and takes its step back."""
    game = RunningGame(westeros)
    client = Client(game, "stark")
    until_rival(client)
    done = client.act({"tap": proposal(client.view()).choices[0].tap})
    assert isinstance(done, TurnView)
    assert isinstance(client.act({"undo": True}), TurnView)


# -- on a screen -----------------------------------------------------------------------------------


def test_the_rival_proposes_and_a_tap_carries_it_out(westeros: Session) -> None:
    client = Client(RunningGame(westeros))
    view = until_rival(client)
    asked_now, seq = proposal(view), view.seq
    assert asked_now.text
    assert 1 <= len(asked_now.facts) <= 4
    assert client.view().seq == seq, "nothing happens before a tap"
    assert view.offers == (), "nobody else's buttons stand beside it"
    state = westeros.history.now.state
    assert isinstance(client.act({"tap": asked_now.choices[0].tap}), TurnView)
    assert westeros.history.now.state != state
    client.act({"undo": True})
    assert westeros.history.now.state == state, "one Undo takes the whole line back"
    assert proposal(client.view()).text == asked_now.text


def test_its_first_move_says_what_it_leaves_to_people(westeros: Session) -> None:
    client = Client(RunningGame(westeros))
    rival = find_rival("westeros")
    assert rival is not None
    first = proposal(until_rival(client))
    assert [one.text for one in first.facts].count(str(rival.note)) == 1
    gold = next(one for one in first.choices if one.look == "primary")
    assert isinstance(client.act({"tap": gold.tap}), TurnView)
    later = proposal(until_rival(client))
    assert str(rival.note) not in [one.text for one in later.facts]


def test_what_does_not_fit_is_replaced(westeros: Session) -> None:
    client = Client(RunningGame(westeros))
    first = proposal(until_rival(client))
    texts = [first.text]
    for _ in range(2):
        now = proposal(client.view())
        assert isinstance(client.act({"tap": now.choices[1].tap}), TurnView)
        texts.append(proposal(client.view()).text)
    assert len(set(texts)) == 3
    client.act({"undo": True})
    assert proposal(client.view()).text == texts[1]


def test_thinking_waits_beside_the_game(westeros: Session) -> None:
    ready = threading.Event()
    thinker = RivalThinker(ready.set)
    client = Client(RunningGame(westeros))
    until_rival(client)
    westeros.history.now.memo.clear()  # nobody has thought about it yet
    game = RunningGame(westeros, thinker=thinker)
    waiting = Client(game).view()
    assert proposal(waiting).choices == ()
    assert ready.wait(60)
    assert proposal(Client(game).view()).choices
    thinker.stop()


def test_the_wizard_seats_a_rival(tmp_path: Path) -> None:
    """From the draft to the log; a draft of an earlier version has people on every seat."""
    draft = Draft.fresh("westeros")
    assert drafts.rivals(draft) == {}
    seat = replace(draft.seats[1], rival="captain", temper="careful")
    draft = draft.seated(seat)
    assert draft.called(seat) == "Rival"
    assert Draft.read(Field(draft.to_json())) == draft
    with Session.open(tmp_path / "wizard.game") as session:
        assert session.answer({**drafts.set_up(draft), **drafts.rivals(draft)})["ok"]
        assert session.history.now.rivals.seats == (RivalSeat("lannister", "captain", "careful"),)


def test_a_hand_that_people_hold_is_not_taken_over(tmp_path: Path) -> None:
    """The app plays a deck that it has shuffled itself, and no other."""
    with Session.open(tmp_path / "two.game") as session:
        for command in find_screen("thrones").practice("thrones"):
            session.answer(command)
        seat = session.history.now.play.moment(session.history.now.state).sides[0]  # type: ignore[union-attr]
        answer = session.answer({"do": "rival", "seat": seat, "level": "captain"})
        assert answer["why"] == "RIVAL"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "decisions"), [("tactics", 40), ("westeros", 60), ("thrones", 60)]
)
def test_what_it_announces_it_does(game: str, decisions: int) -> None:
    """Who attacks whom and where a piece goes, of both sides; whole games in `self_play`."""
    rival = find_rival(game)
    assert rival is not None
    state = begun(game, 4, joust(4) if game == "thrones" else ())
    sides = rival.play.moment(state).sides
    players = {one: announcing(rival, searching(rival, "apprentice", one)) for one in sides}
    for _ in range(decisions):
        if state.winner:
            break
        side = next(iter(rival.waits(state)), sides[0])
        for command in players[side](state, side):
            state = decided(rival.play.decide(state, command))


def test_all_that_a_figure_does_is_told() -> None:
    """Loot after a move, and a rider who gets off; nothing else is called the end of a turn."""
    rival = find_rival("tactics")
    assert rival is not None
    state = begun("tactics", 0)
    for command in ({"do": "activate", "figure": "b1"}, {"do": "end"}):
        state = decided(rival.play.decide(state, command))
    lines = [one.commands for one in rival.lines(state, "red")]
    loot = next(one for one in lines if one[-1]["do"] == "loot" and len(one) > 2)
    assert rival.told(state, loot).text.endswith(" and takes the loot.")
    rider = decided(rival.play.decide(state, {"do": "activate", "figure": "r1"}))
    off = next(one for one in rival.play.options(rider)[0]["options"] if one["do"] == "dismount")
    told = rival.told(rider, (off,))
    assert (told.piece, told.cell) == ("r1", parse_cell(off["to"]))
    assert "dismounts at" in told.text
    assert (off,) not in [one.commands for one in rival.lines(rider, "red")]


def test_the_guide_speaks_of_the_rivals_move_while_it_is_asked(westeros: Session) -> None:
    """Nobody is sent to buttons that are not there, or told to decide what the rival decides."""
    client = Client(RunningGame(westeros))
    westeros.answer({"do": "guide", "on": True})
    view = until_rival(client)
    assert view.guide is not None
    assert view.guide.text == "Do on the table what the card says, then tap the gold button."
    assert not view.guide.piece
    assert "use a token" not in view.result


def test_a_command_card_that_is_known_is_played() -> None:
    """It orders units for command tokens, which cost no order token (BOW-CRD-1, -2)."""
    rival = find_rival("westeros")
    assert rival is not None
    play, state = rival.play, begun("westeros", 2, burning_ford(2))
    while state.phase != "command":
        state = decided(play.decide(state, play.options(state)[0]["options"][0]))
    chosen: list[Any] = []
    whose = ""
    while not chosen or state.active == whose:
        side = rival.waits(state)[0]
        commands = searching(rival, "commander", side)(state, side)
        if commands[0]["do"] == "card" or chosen:
            whose = state.active
            chosen += [one for one in commands if side == whose]
            assert "plays the command card" in rival.told(state, commands).text or chosen[1:]
        for command in commands:
            state = decided(play.decide(state, command))
    assert [one["do"] for one in chosen][:2] == ["card", "units"]
    acted = {one["unit"] for one in chosen[2:] if "unit" in one}
    assert acted, "a unit that the card orders acts"
    assert acted <= set(chosen[1]["units"])


def test_it_passes_only_where_no_order_helps() -> None:
    """A token is neither left over nor spent on a unit that does nothing."""
    rival = find_rival("westeros")
    assert rival is not None
    play, state = rival.play, begun("westeros", 0)
    while state.phase != "command":
        state = decided(play.decide(state, play.options(state)[0]["options"][0]))
    side = rival.waits(state)[0]
    lines = [line.commands for line in rival.lines(state, side)]
    assert lines
    assert all(one[-1]["do"] not in ("pass", "order") for one in lines)
    assert all("move" in [two["do"] for two in one] for one in lines if one[-1]["do"] == "end-turn")
    houses = tuple(replace(one, pool=()) for one in state.houses)
    (line,) = rival.lines(replace(state, houses=houses), side)
    assert line.commands[0]["do"] == "pass"
    told = rival.facts(replace(state, houses=houses), line.commands)
    assert [str(one.text) for one in told] == ["It has no order token left"]
    spent = tuple(replace(one, active=False) for one in state.units)
    told = rival.facts(replace(state, units=spent), ({"do": "pass", "side": side},))
    assert [str(one.text) for one in told] == [
        "Its order tokens fit no unit that may still be ordered"  # BOW-ORD-2 to -5, -9
    ]


def test_what_it_says_it_keeps_it_keeps() -> None:
    """BOW-RND-18: a card is kept only where the command says so."""
    rival = find_rival("westeros")
    assert rival is not None
    state = begun("westeros", 0)
    side = state.houses[0].side
    task = BattleTask("keep", side)
    houses = tuple(replace(one, pool=("R",), hand=2) for one in state.houses)
    state = replace(state, houses=houses, tasks=(task,), phase="regroup")
    keeps = ({"do": "keep", "token": "R"}, "1 card"), ({"do": "keep", "cards": 0}, "0 cards")
    for command, cards in keeps:
        told, done = rival.told(state, (command,)).text, rival.play.decide(state, command)
        assert isinstance(done, Accepted)
        titles = [str(rival.play.title(one)) for one in done.events]
        assert cards in str(told)
        assert any(cards in one and "keeps" in one for one in titles)


def test_facts_of_a_move_tell_who_may_come_and_what_is_near() -> None:
    rival = find_rival("westeros")
    assert rival is not None
    state = begun("westeros", 0)
    kevan = next(one for one in state.units if one.name == "Kevan Lannister")

    def facts(cell: str) -> list[str]:
        line = ({"do": "move", "unit": kevan.id, "to": cell},)
        return [str(one.text) for one in rival.facts(state, line)]

    column, row = state.plan.victory.sites[0].cell
    assert facts(cell_text((column, row + 1)))[0] == "1 hex from a place that brings points"
    bridge = cell_text((column, row))
    assert facts(bridge) == [  # Maege, two war hosts and both archers
        "It holds a place that brings points",
        "5 active enemies can reach and attack it",
    ]


def test_the_wounds_it_tells_are_those_of_the_dice() -> None:
    """TAC-ABL-2: a banner beside the hero counts in the reason as in the attack."""
    rival = find_rival("tactics")
    assert rival is not None
    state = begun("tactics", 0)
    state = state.with_figure(replace(state.figure("r6"), cell=(3, 2)))

    def told(bannerman: tuple[int, int]) -> str:
        there = state.with_figure(replace(state.figure("b2"), cell=bannerman))
        attack = ({"do": "activate", "figure": "r6"}, {"do": "attack", "target": "b1"})
        return str(rival.facts(there, attack)[0].text)

    assert told((0, 5)) == "0.5 wounds on average"  # 2 dice, 6 of 10 hit, 4 of 10 go through
    assert told((2, 1)) == "0.4 wounds on average"


@pytest.mark.rule("TAC-LOT-2")
def test_nobody_walks_to_loot_that_an_enemy_takes_first() -> None:
    """A step nearer is worth something while no enemy is in contact with it."""
    position = battle_position(begun("tactics", 0))
    guard, foe = (position.by_id[one] for one in ("b3", "r5"))
    assert (6, 8) in marked(position.field, *LOOT_MARKS)

    def gained(enemy: Cell) -> float:
        """What the guard gains by a step towards it."""
        ways = [(guard.at(one), foe.at(enemy)) for one in ((6, 6), (6, 5))]
        near, far = (holding(BattlePosition(position.field, one), "blue", 1) for one in ways)
        return near - far

    assert gained((0, 13)) == pytest.approx(gained((6, 9)) + NEAR)


@pytest.mark.rule("TAC-ATK-6", "TAC-COI-4")
def test_spare_copper_is_spent_on_an_attack() -> None:
    """A star comes back when the round ends; those that figures need to act are kept."""
    rival = find_rival("tactics")
    assert rival is not None
    state = begun("tactics", 0)
    state = state.with_figure(replace(state.figure("r4"), cell=(3, 2)))
    for command in ({"do": "activate", "figure": "b1"}, {"do": "attack", "target": "r4"}):
        state = decided(rival.play.decide(state, command))

    def next_with(copper: int) -> Plain:
        squads = tuple(replace(one, coins=Coins(copper=copper)) for one in state.squads)
        (line,) = rival.lines(replace(state, squads=squads), "blue")
        return line.commands[0]

    assert next_with(11) == {"do": "announce", "dice": 3}  # six figures are left
    assert next_with(6) == {"do": "roll"}


@pytest.mark.rule("TAC-CHG-7")
def test_coins_of_a_charge_are_paid_with_it_and_told() -> None:
    """The wounds it tells are those of the paid attack."""
    rival = find_rival("tactics")
    assert rival is not None
    state = begun("tactics", 0)
    state = state.with_figure(replace(state.figure("b4"), cell=(3, 8)))
    first, end = {"do": "activate", "figure": "b5"}, {"do": "end"}
    for command in (first, end, {"do": "activate", "figure": "r1"}):
        state = decided(rival.play.decide(state, command))
    charges = [one for one in rival.lines(state, "red") if one.commands[0]["do"] == "charge"]
    paid = next(one.commands for one in charges if one.commands[0].get("effects"))
    assert paid[0]["effects"] == ["Full Gallop"]
    unpaid = tuple({**one, "effects": []} for one in paid)
    wounds, told, *_ = (str(one.text) for one in rival.facts(state, paid))
    assert told == "Before the roll that takes coins for Full Gallop."
    assert wounds > str(rival.facts(state, unpaid)[0].text)


@pytest.mark.rule("TAC-CHG-5", "TAC-TER-16")
def test_a_charge_through_a_stake_pit_tells_whom_it_attacks() -> None:
    """The attack waits for the pit's roll; when it comes, its target is named and drawn."""
    rival = find_rival("tactics")
    assert rival is not None
    state = begun("tactics", 3, crowded_yard(3))
    charge = {"do": "charge", "target": "r4", "to": "1,6", "attack": "Every Blow Costs"}
    announced = ({"do": "activate", "figure": "b1"}, charge)
    check(rival, state, announced, rival.told(state, announced))
    way = {"do": "way", "path": ["4,6", "3,6", "2,6", "1,6"]}
    for command in (*announced, way, {"do": "roll"}):
        state = decided(rival.play.decide(state, command))
    assert [one.kind for one in state.tasks] == ["charge-attack"]
    strike = ({"do": "strike"},)
    told = rival.told(state, strike)
    assert (told.piece, told.target) == ("b1", "r4")
    check(rival, state, strike, told)


def test_a_captive_is_told_by_what_it_brings() -> None:
    """TAC-END-3; where the captive stood and who could reach it says nothing about the choice."""
    rival = find_rival("tactics")
    assert rival is not None
    state = begun("tactics", 0)
    state = replace(state, tasks=(PlayTask("fate", "red", "b3"),))
    kill, capture = (({"do": "fate", "choose": one},) for one in ("kill", "capture"))
    points = "The most captives bring 1 victory point at the end of each round"
    assert [str(one.text) for one in rival.facts(state, capture)] == [points]
    assert not rival.facts(state, kill)


# -- the coach -------------------------------------------------------------------------------------


def test_the_coach_names_different_actions_and_records_nothing(westeros: Session) -> None:
    client = Client(RunningGame(westeros), "stark")
    for command in ({"do": "begin"}, {"do": "orders"}, {"do": "orders"}):
        assert westeros.answer(command)["ok"]
    westeros.answer({"do": "rival", "seat": "lannister", "level": "none"})
    westeros.answer({"do": "rival", "seat": "stark", "level": "none"})
    while westeros.history.now.state.active != "stark":
        assert westeros.answer({"do": "pass"})["ok"]
    seq = westeros.history.seq
    view = client.view()
    ask = next(one for one in view.prompts[0].choices if one.name == "coach")
    told = client.act({"tap": ask.tap})
    assert isinstance(told, TurnView)
    assert westeros.history.seq == seq
    lines = [one for one in told.prompts[0].choices if one.look == "shown"]
    assert 2 <= len(lines) <= 3
    assert len({one.text for one in lines}) == len(lines)
    assert len({one.name for one in lines}) == len(lines), "each is chosen by its own row"
    assert all(one.detail for one in lines if one.piece)
    done = client.act({"tap": lines[0].tap})
    assert isinstance(done, TurnView)
    assert westeros.history.seq > seq, "its commands are accepted as they stand"


def test_the_coach_does_not_name_one_thing_for_three_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is done comes before who does it; what is much worse stays behind another figure."""
    ways = [("b4", "3,6", 5.0), ("b5", "3,6", 4.9), ("b2", "3,6", 4.8), ("b3", "0,9", 4.0)]
    ways.append(("b6", "1,5", 1.0))
    lines = [
        RankedLine(({"do": "activate", "figure": who}, {"do": "move", "to": cell}), value)
        for who, cell, value in ways
    ]
    monkeypatch.setattr(Search, "ranked", lambda *_: lines)
    with with_rival(tmp_path, "tactics") as session:
        found = advice(session.history.now, "blue")
    assert [one.told.piece for one in found] == ["b4", "b5", "b3"]


def test_who_answers_is_named_for_the_coach_speaks_of_people_too() -> None:
    """In other languages "it" would be the opponent of whom the coach advises."""
    for game, command, told in (
        ("westeros", {"do": "pass", "side": "stark"}, "Anna passes and takes no more"),
        ("tactics", {"do": "zone", "side": "blue", "zone": "gold"}, "Anna takes"),
    ):
        rival = find_rival(game)
        assert rival is not None
        state = begun(game, 0)
        changed = {
            name: tuple(replace(one, player="Anna") for one in getattr(state, name))
            for name in ("houses", "squads")
            if hasattr(state, name)
        }
        assert told in rival.told(replace(state, **changed), (command,)).text


def test_no_coach_in_this_game(westeros: Session) -> None:
    client = Client(RunningGame(westeros))
    assert westeros.answer({"do": "coach", "on": False})["ok"]
    for _ in range(3):
        assert not any(one.name == "coach" for p in client.view().prompts for one in p.choices)
        options = westeros.history.now.play.options(westeros.history.now.state)  # type: ignore[union-attr]
        westeros.answer(options[0]["options"][0])
    assert "No coach in this game" in client.view().log


def test_an_apprentice_thinks_of_one_action_at_a_time() -> None:
    """Others weigh what a figure does afterwards, too; what comes first is tried once."""
    rival = find_rival("tactics")
    assert rival is not None
    state = begun("tactics", 0)
    found = {
        level: [one.commands for one in Search(rival, RivalSeat("blue", level)).lines(state, ())]
        for level in ("apprentice", "commander")
    }
    assert {len(one) for one in found["apprentice"]} == {2}
    assert max(map(len, found["commander"])) > 2
    names = [key(one) for one in found["apprentice"]]
    assert len(set(names)) == len(names)


def test_every_action_is_tried_before_a_second_end_of_any() -> None:
    """So that few tries see many actions, and the coach has three different ones."""

    def line(unit: str, x: int) -> Line:
        return Line(({"do": "activate", "unit": unit}, {"do": "table", "x": x}))

    lines = [line("a", 1), line("a", 2), line("b", 1), line("a", 3), line("b", 2)]
    assert varied(lines) == [lines[0], lines[2], lines[1], lines[4], lines[3]]


def test_one_roll_does_not_choose() -> None:
    """Who knows the odds keeps a good attack whose first imagined roll was bad; who knows exactly
    what a line brings goes by that alone."""
    rival = find_rival("westeros")
    assert rival is not None
    good = Trial(Line(({"do": "good"},), 1.5), total=1.0, tries=1)
    lucky = Trial(Line(({"do": "lucky"},), 0.2), total=1.6, tries=1)
    sure = Trial(Line(({"do": "sure"},), 9.0), total=1.2, tries=1, settled=True)
    orders = {}
    for level in ("captain", "commander"):
        search = Search(rival, RivalSeat("stark", level))
        worths = search.worths([good, lucky, sure])
        assert worths[2] == 1.2
        orders[level] = worths[0] > worths[1]
    assert orders == {"captain": False, "commander": True}


def test_coins_that_a_rival_keeps_are_not_spent_by_others() -> None:
    """While it rolls, its own choices are gone; those of others stay."""
    pays, reacts = Choice("pay", ({"do": "announce"},)), Choice("react", (), by=("blue",))
    assert undecided(
        Prompt("attack-roll", "", "", ("red",), choices=(pays, reacts)), "red"
    ).choices == (reacts,)


@pytest.mark.parametrize("game", ["tmg-2021", "tactics", "thrones"])
def test_who_practises_alone_sees_the_rivals_name(game: str) -> None:
    command = drafts.against_rival(find_screen(game).practice(game)[0], Draft.fresh(game).alone())
    assert "'Rival'" in str(command)
    assert str(command).count("Ben") == 0


def test_nobody_walks_away_and_back() -> None:
    """TAC-MOV-1: two Moves that end where the figure stood are no line."""
    rival = find_rival("tactics")
    assert rival is not None
    state = begun("tactics", 0)
    goal = marked(battle_position(state).field, "objective")[0]
    here = state.with_figure(replace(state.figure("b1"), cell=goal))
    lines = [one.commands for one in rival.lines(here, "blue")]
    twice = [one for one in lines if [two["do"] for two in one].count("move") == 2]
    mine = [one for one in twice if one[0].get("figure") == "b1"]
    assert len(twice) > len(mine) > 0
    assert all(one[2]["to"] != cell_text(goal) for one in mine)


@pytest.mark.rule("TAC-TER-17")
def test_nobody_walks_into_the_fire_with_the_last_wound() -> None:
    """Whatever else speaks for the place, and however hasty the level; others may."""
    rival = find_rival("tactics")
    assert rival is not None
    state = begun("tactics", 0)
    fire = marked(battle_position(state).field, "fire")[0]
    wounded = state.figure("b4")
    beside = (fire[0], fire[1] - 2)

    def into_fire(wounds: int) -> list[Line]:
        here = state.with_figure(replace(wounded, cell=beside, wounds=wounds))
        goals = {**here.board.marks, fire: ("fire", "objective")}
        here = replace(here, board=replace(here.board, marks=goals))
        lines = rival.lines(here, "blue")
        return [line for line in lines if any(one.get("to") == cell_text(fire)
                for one in line.commands if line.commands[0].get("figure") == "b4")]  # fmt: skip

    assert wounded.health > 1
    assert into_fire(0)
    assert not into_fire(wounded.health - 1)
