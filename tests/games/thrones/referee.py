"""A second, independent count of the game: plays random games and compares after every command.

    python -m tests.games.thrones.referee 500

It knows the rules from the handbook and the cards from their list, and asks the game only for its
public view. A difference in gold, cards, power, strength, initiative, order or winner is an error.
"""

from __future__ import annotations

import random
import sys
from dataclasses import dataclass, field
from typing import Any

from tests.arguments import arguments
from tests.games.thrones.decks import CARDS, EXPANSIONS, wide_game

FACTS = {one["name"]: one for one in (*CARDS, *EXPANSIONS) if one["code"] != "he2"}
PLOTS = [one for one in CARDS if one["type"] == "plot"]
SUPPORTS = {
    "master-of-laws": "master-of-coin", "master-of-coin": "master-of-ships",
    "master-of-ships": "master-of-whisperers", "master-of-whisperers": "hand-of-the-king",
    "hand-of-the-king": "master-of-laws",
}  # fmt: skip
RIVALS = [
    {"hand-of-the-king", "master-of-coin"}, {"hand-of-the-king", "master-of-ships"},
    {"master-of-coin", "master-of-whisperers"}, {"master-of-laws", "master-of-whisperers"},
    {"master-of-laws", "master-of-ships"},
]  # fmt: skip
BONUS = {
    "power": "hand-of-the-king", "military": "master-of-ships", "intrigue": "master-of-whisperers",
}  # fmt: skip
ROUNDS = 14
GIVEN = [
    *(f"icon-{kind}" for kind in BONUS),
    *(f"keyword-{word}" for word in ("insight", "intimidate", "pillage", "renown", "stealth")),
]
"""Of what an attachment may give, the icons and keywords that the referee counts."""


@dataclass
class Card:
    """A character, location or attachment in play."""

    name: str
    seat: str
    kneeling: bool = False
    power: int = 0
    copies: int = 0
    gold: int = 0
    host: str = ""

    @property
    def is_character(self) -> bool:
        return bool(FACTS[self.name]["type"] == "character")


@dataclass
class Player:
    """What the referee counts of a player."""

    hand: int = 7
    deck: int = 0
    gold: int = 0
    power: int = 0
    plots: list[str] = field(default_factory=list)
    used: list[str] = field(default_factory=list)
    plot: str = ""
    title: str = ""
    limited: bool = False
    rivals: set[str] = field(default_factory=set)
    redirected: bool = False
    out: bool = False
    shadows: list[str] = field(default_factory=list)


class Over(Exception):
    """The game has ended as the referee says."""


class Referee:
    """One random game."""

    def __init__(self, seed: int, players: int) -> None:
        self.dice = random.Random(f"{seed}/{players}")
        self.game = wide_game(players, seed=seed)
        self.players = {seat: Player() for seat in self.game.state.seats}
        self.cards: dict[str, Card] = {}
        self.gives: dict[str, dict[str, int]] = {}
        """What each attachment gives the character it is on, as the players said once."""
        self.first = "p1"
        self.winner = ""
        self.commands = 0
        view = self.view()["seats"]
        for seat, one in self.players.items():
            one.deck = view[seat]["deck"]
            one.plots = [plot["name"] for plot in PLOTS]

    # -- the table ---------------------------------------------------------------------------

    def view(self) -> dict[str, Any]:
        from companion.games.thrones.play import PLAY

        return dict(PLAY.view(self.game.state))

    def do(self, word: str, **asked: Any) -> None:
        self.game.do(word, **asked)
        self.commands += 1

    def compare(self) -> None:
        """Every number must be the same."""
        view = self.view()
        assert view["winner"] == (self.winner or None), (view["winner"], self.winner)
        for seat, mine in self.players.items():
            theirs = view["seats"][seat]
            assert theirs["eliminated"] == mine.out, seat
            if mine.out:
                continue
            counted = {"hand": mine.hand, "deck": mine.deck, "gold": mine.gold}
            assert {key: theirs[key] for key in counted} == counted, (seat, self.game.titles)
            assert theirs["power"] == self.total(seat), (seat, self.game.titles)
            assert theirs.get("title", "") == mine.title
            assert theirs.get("shadows", 0) == len(mine.shadows), (seat, self.game.titles)
            if mine.plot and self.game.state.challenge is None:  # in it a location may be blank
                values = {one: self.value(seat, one) for one in ("gold", "initiative", "reserve")}
                assert {one: theirs["plot"][one] for one in values} == values, seat
        assert view["first"] == self.first
        assert view["cards"].keys() == self.cards.keys()
        for one, card in self.cards.items():
            shown = view["cards"][one]
            assert shown.get("kneeling", False) == card.kneeling, (card, self.game.titles)
            assert shown.get("power", 0) == card.power, card
            assert shown.get("strength", 0) == self.strength(one), (card, self.gives)
            assert shown.get("tokens", {}).get("gold", 0) == card.gold, card
        if self.winner:
            raise Over

    # -- cards -------------------------------------------------------------------------------

    def given(self, one: str, stat: str) -> int:
        """What the attachments on a card change together."""
        on_it = (card.name for card in self.cards.values() if card.host == one)
        return sum(self.gives[name].get(stat, 0) for name in on_it)

    def strength(self, one: str) -> int:
        value = FACTS[self.cards[one].name].get("strength", 0)
        return max(0, (value if isinstance(value, int) else 0) + self.given(one, "strength"))

    def has(self, one: str, word: str) -> bool:
        printed = word in FACTS[self.cards[one].name].get("keywords", "")
        return printed + self.given(one, f"keyword-{word}") > 0

    def fights(self, one: str, kind: str) -> bool:
        card = self.cards[one]
        printed = kind[0] in FACTS[card.name].get("icons", "")
        return card.is_character and printed + self.given(one, f"icon-{kind}") > 0

    def leave(self, one: str) -> Card:
        """A card leaves play; its attachments return to their owners, terminal ones are discarded
        (AGOT-ATT-5)."""
        for other in [two for two, card in self.cards.items() if card.host == one]:
            gone = self.cards.pop(other)
            self.players[gone.seat].hand += "terminal" not in FACTS[gone.name].get("keywords", "")
        return self.cards.pop(one)

    # -- players -----------------------------------------------------------------------------

    def total(self, seat: str) -> int:
        cards = sum(one.power for one in self.cards.values() if one.seat == seat)
        return self.players[seat].power + cards

    def value(self, seat: str, name: str) -> int:
        """A value of the revealed plot with the printed modifiers and the title."""
        mine = self.players[seat]
        titles = {"gold": ("master-of-coin", 2), "reserve": ("master-of-laws", 1)}
        title, bonus = titles.get(name, ("", 0))
        printed = sum(
            FACTS[one.name].get(name, 0) for one in self.cards.values() if one.seat == seat
        )
        held = bonus if mine.title and mine.title == title else 0
        return int(FACTS[mine.plot][name]) + printed + held

    def order(self) -> list[str]:
        seats = list(self.players)
        at = seats.index(self.first)
        return [one for one in seats[at:] + seats[:at] if not self.players[one].out]

    def check_end(self) -> None:
        """15 power, then empty decks."""
        there = [seat for seat in self.order() if self.total(seat) >= 15]
        if len(there) > 1:
            assert set(self.game.state.contest) == set(there), (there, self.game.titles)
            self.winner = self.dice.choice(there)
            self.do("winner", seat=self.winner)
            return
        if there:
            self.winner = there[0]
            return
        empty = [seat for seat in self.order() if self.players[seat].deck == 0]
        if empty and len(empty) == len(self.order()):
            names = [one for one in self.players if one in empty]
            assert self.game.state.contest == tuple(names)
            chosen = self.dice.choice(empty)
            self.do("winner", seat=chosen)
            self.winner = chosen
            return
        for seat in empty:
            before = self.order()
            mine = self.players[seat]
            mine.out, mine.gold, mine.power, mine.title = True, 0, 0, ""
            for one in [one for one, card in self.cards.items() if card.seat == seat]:
                if one in self.cards:
                    self.leave(one)
            if self.first == seat and self.order():
                self.first = next(one for one in before[1:] if not self.players[one].out)
        if empty and len(self.order()) == 1:
            self.winner = self.order()[0]

    def step(self, step: str) -> bool:
        return self.game.state.step == step

    def close(self, *steps: str) -> None:
        """Close the window if one of these is open."""
        if self.game.state.step in steps:
            self.out_of_shadows()
            self.do("pass", all=True)

    def out_of_shadows(self) -> None:
        """Now and then a player brings a card out of shadows before all pass (AGOT-SHD-15)."""
        window = self.game.state.window
        assert window is not None
        seat = window.holder  # who has passed waits for the next opportunity
        mine = self.players[seat]
        if not mine.shadows or self.dice.random() < 0.5:
            return
        name = self.dice.choice(mine.shadows)
        cost = int(str(FACTS[name]["keywords"]).removeprefix("shadow "))
        held = [card for card in self.cards.values() if (card.name, card.seat) == (name, seat)]
        if cost > mine.gold or (self.dead(seat, name) and not held):
            assert self.game.refused("out-of-shadows", seat=seat, card=name)
            return
        before = set(self.cards)
        self.do("out-of-shadows", seat=seat, card=name)
        mine.shadows.remove(name)
        mine.gold -= cost
        if held and FACTS[name].get("unique"):
            held[0].copies += 1
        else:
            (new,) = set(self.game.view_cards()) - before
            self.cards[new] = Card(name, seat)
        self.compare()

    # -- a game ------------------------------------------------------------------------------

    def play(self) -> int:
        """Play until somebody wins or for some rounds; how many commands it took."""
        try:
            for _ in range(ROUNDS):
                self.plot_phase()
                self.draw_phase()
                self.marshaling()
                self.challenges()
                self.evening()
        except Over:
            pass
        return self.commands

    def plot_phase(self) -> None:
        order = self.order()
        for seat in order:
            mine = self.players[seat]
            chosen = self.dice.choice(mine.plots)
            self.do("choose-plot", seat=seat, plot=chosen)
            mine.plots.remove(chosen)
            if mine.plot:
                mine.used.append(mine.plot)
            mine.plot = chosen
        value = {seat: self.value(seat, "initiative") for seat in order}
        best = [seat for seat in order if value[seat] == max(value.values())]
        least = min(self.total(seat) for seat in best)
        best = [seat for seat in best if self.total(seat) == least]
        if len(best) > 1:
            assert self.step("1.3.I"), "a tie that chance decides"
            assert set(self.game.state.leaders) == set(best)
            best = [self.dice.choice(best)]
            self.do("toss", seat=best[0])
        assert self.game.state.leaders == tuple(best)
        self.first = self.dice.choice(order)
        self.do("first-player", seat=self.first)
        self.do("continue")
        for mine in self.players.values():
            mine.limited, mine.redirected, mine.rivals = False, False, set()
            if not mine.plots:
                mine.plots, mine.used = mine.used, []
        self.titles()
        self.compare()

    def titles(self) -> None:
        if len(self.players) == 2:
            return
        chosen = {}
        for seat in self.order():
            left = self.game.titles_left()
            if not left:
                break
            chosen[seat] = self.dice.choice(left)
            self.do("choose-title", seat=seat, title=chosen[seat])
        for seat, title in chosen.items():
            self.players[seat].title = title

    def draw_phase(self) -> None:
        self.close("AW1")
        for seat in self.order():
            mine = self.players[seat]
            count = min(mine.deck, 2 + (mine.title == "master-of-laws"))
            mine.hand, mine.deck = mine.hand + count, mine.deck - count
        self.check_end()
        self.compare()
        self.close("AW2")

    def marshaling(self) -> None:
        for seat in self.order():
            mine = self.players[seat]
            mine.gold += self.value(seat, "gold")
            self.compare()
            for _ in range(self.dice.randrange(5)):
                self.marshal(seat)
            while self.step("AW3") and self.game.state.active == seat:
                self.close("AW3")  # nobody passes for a player who marshals

    def marshal(self, seat: str) -> None:
        """A random card that may be marshaled, or the refusal of one that may not."""
        mine = self.players[seat]
        name = self.dice.choice([one for one, card in FACTS.items() if playable(card)])
        facts = FACTS[name]
        before = set(self.cards)
        held = [card for card in self.cards.values() if (card.name, card.seat) == (name, seat)]
        left = self.game.state.copies_left(seat, facts["code"])
        refused = mine.hand < 1 or left < 1 or self.dead(seat, name)
        if not (facts.get("unique") and held):
            refused = refused or facts["cost"] > mine.gold
            refused = refused or (mine.limited and "limited" in facts.get("keywords", ""))
        if facts["type"] == "attachment":
            self.attach(seat, name, refused)
            return
        if self.dice.random() < 0.5 and "shadow" in facts.get("keywords", ""):
            self.into_shadows(seat, name, mine.hand > 0 and left > 0 and mine.gold >= 2)
            return
        if refused:
            assert self.game.refused("marshal", seat=seat, card=name)
            return
        self.do("marshal", seat=seat, card=name)
        mine.hand -= 1
        if facts.get("unique") and held:
            held[0].copies += 1
        else:
            mine.gold -= facts["cost"]
            mine.limited = mine.limited or "limited" in facts.get("keywords", "")
            (new,) = set(self.game.view_cards()) - before
            self.cards[new] = Card(name, seat)
            if "bestow" in facts.get("keywords", "") and mine.gold:
                gold = self.dice.randint(0, min(2, mine.gold))
                self.do("bestow", gold=gold)
                self.cards[new].gold, mine.gold = gold, mine.gold - gold
        self.compare()

    def attach(self, seat: str, name: str, refused: bool) -> None:
        """An attachment on any character; what it gives is said once (AGOT-ATT-3, AGOT-MOD-2)."""
        mine, hosts = self.players[seat], [one for one, c in self.cards.items() if c.is_character]
        host = self.dice.choice(hosts) if hosts else ""
        asked = {"seat": seat, "card": name, **({"host": host} if host else {})}
        if refused or not host or self.has(host, "no attachments"):
            assert self.game.refused("marshal", **asked)
            return
        before = set(self.cards)
        self.do("marshal", **asked)
        (new,) = set(self.game.view_cards()) - before
        self.cards[new] = Card(name, seat, host=host)
        mine.hand, mine.gold = mine.hand - 1, mine.gold - FACTS[name]["cost"]
        if name not in self.gives:
            strength = self.dice.randint(-2, 3)
            gains, loses = self.dice.sample(GIVEN, 2), self.dice.sample(GIVEN, 1)
            self.do("gives", card=new, strength=strength, gains=gains, loses=loses)
            self.gives[name] = {"strength": strength}
            for stat in GIVEN:
                self.gives[name][stat] = (stat in gains) - (stat in loses)
        self.compare()

    def into_shadows(self, seat: str, name: str, legal: bool) -> None:
        """A card goes face down into shadows for 2 gold (AGOT-SHD-5)."""
        if not legal:
            assert self.game.refused("into-shadows", seat=seat, card=name)
            return
        self.do("into-shadows", seat=seat, card=name)
        mine = self.players[seat]
        mine.hand, mine.gold = mine.hand - 1, mine.gold - 2
        mine.shadows.append(name)
        self.compare()

    def dead(self, seat: str, name: str) -> bool:
        """Whether a copy of a unique card lies in the dead pile."""
        return bool(FACTS[name].get("unique")) and name in self.view()["seats"][seat]["dead"]

    # -- challenges --------------------------------------------------------------------------

    def challenges(self) -> None:
        for seat in self.order():
            if self.players[seat].out:
                continue
            self.close("AW4")
            for kind in self.dice.sample(["military", "intrigue", "power"], 3):
                if self.players[seat].out or not self.step("4.2"):
                    break
                self.challenge(seat, kind)
            if self.step("4.2") and not self.players[seat].out:
                self.do("no-challenge")
        self.close("AW4")

    def standing(self, seat: str, kind: str) -> list[str]:
        return [
            one
            for one, card in self.cards.items()
            if card.seat == seat and not card.kneeling and self.fights(one, kind)
        ]

    def challenge(self, seat: str, kind: str) -> None:
        able = self.standing(seat, kind)
        title = self.players[seat].title
        foes = [
            one
            for one in self.order()
            if one != seat and SUPPORTS.get(title, "-") != (self.players[one].title or "?")
        ]
        if not able or not foes or self.dice.random() < 0.2:
            return
        against = self.dice.choice(foes)
        attackers = self.dice.sample(able, self.dice.randint(1, len(able)))
        stealth = self.stealth(attackers, against)
        more = self.assault(attackers, against)
        self.do(
            "challenge", type=kind, against=against, attackers=attackers, stealth=stealth, **more
        )
        for one in attackers:
            self.cards[one].kneeling = True
        against, stealth = self.redirect(seat, against, attackers, stealth)
        self.compare()
        self.close("AW4A")
        hall = more.get("assault", "") if self.cards.get(more.get("assault", "")) else ""
        hall = hall if hall and self.cards[hall].seat == against else ""
        self.resolve(seat, against, kind, attackers, set(stealth.values()), hall)

    def assault(self, attackers: list[str], against: str) -> dict[str, str]:
        """A location of the defender that costs less than an attacker with assault."""
        costs = [FACTS[self.cards[one].name]["cost"] for one in attackers
                 if self.has(one, "assault")]  # fmt: skip
        halls = [
            one
            for one, card in self.cards.items()
            if card.seat == against
            and FACTS[card.name]["type"] == "location"
            and FACTS[card.name]["cost"] < max(costs, default=-1)
        ]
        return {"assault": self.dice.choice(halls)} if halls else {}

    def stealth(self, attackers: list[str], against: str) -> dict[str, str]:
        targets = [
            one
            for one, card in self.cards.items()
            if card.seat == against and card.is_character and not self.has(one, "stealth")
        ]
        sneaky = [one for one in attackers if self.has(one, "stealth")]
        return {one: self.dice.choice(targets) for one in sneaky if targets}

    def redirect(
        self, seat: str, against: str, attackers: list[str], stealth: dict[str, str]
    ) -> tuple[str, dict[str, str]]:
        holders = [
            one
            for one in self.order()
            if self.players[one].title == "crown-regent" and not self.players[one].redirected
        ]
        others = [one for one in self.order() if one not in (seat, against)]
        if not holders or not others:
            assert not self.step("4.2.X")
            return against, stealth
        use = self.dice.random() < 0.5
        self.do("redirect", use=use)
        if not use:
            return against, stealth
        self.players[holders[0]].redirected = True
        against = self.dice.choice(others)
        stealth = self.stealth(attackers, against)
        self.do("redirect-to", against=against, stealth=stealth)
        return against, stealth

    def resolve(
        self,
        seat: str,
        foe: str,
        kind: str,
        attackers: list[str],
        bypassed: set[str],
        hall: str = "",
    ) -> None:
        able = [one for one in self.standing(foe, kind) if one not in bypassed]
        defenders = self.dice.sample(able, self.dice.randint(0, len(able)))
        self.do("defend", defenders=defenders)
        for one in defenders:
            self.cards[one].kneeling = True
        self.close("AW4B")
        attack, defence = self.sum(seat, kind, attackers), self.sum(foe, kind, defenders)
        winner = loser = ""
        if attack >= defence and attack >= 1:
            winner, loser = seat, foe
        elif defence > attack and defenders:
            winner, loser = foe, seat
        shown = self.view()["challenge"]
        assert (shown["attack"], shown["defence"]) == (attack, defence)
        assert shown["winner"] == (winner or None)
        if hall and winner == seat:
            self.cards[hall].kneeling = True
        self.compare()
        self.do("continue")
        if winner:
            self.bonuses(winner, loser, winner == seat and defence == 0)
            if winner == seat:
                self.claim(seat, foe, kind)
            self.keywords(
                winner,
                loser,
                [one for one in (attackers if winner == seat else defenders) if one in self.cards],
                abs(attack - defence),
                winner == seat,
            )
        self.check_end()
        self.compare()
        self.close("AW4")

    def sum(self, seat: str, kind: str, cards: list[str]) -> int:
        bonus = bool(cards) and self.players[seat].title == BONUS[kind]
        return sum(map(self.strength, cards)) + bonus

    def bonuses(self, winner: str, loser: str, unopposed: bool) -> None:
        mine = self.players[winner]
        titles = {mine.title, self.players[loser].title}
        rival = titles in RIVALS and loser not in mine.rivals
        if rival:
            mine.rivals.add(loser)
        mine.power += unopposed + rival
        self.check_end()
        if self.winner:
            self.compare()

    def claim(self, seat: str, foe: str, kind: str) -> None:
        mine, his = self.players[seat], self.players[foe]
        value = FACTS[mine.plot]["claim"]
        if kind == "military" and mine.title == "master-of-ships":
            value += {mine.title, his.title} in RIVALS
        if kind == "power":
            moved = min(value, his.power)
            mine.power, his.power = mine.power + moved, his.power - moved
            self.check_end()
            if self.winner:
                self.compare()
            return
        if kind == "intrigue":
            hit = [foe]
            others = [
                one
                for one, player in self.players.items()
                if one not in (seat, foe) and not player.out and player.hand
            ]
            if value and others and mine.title == "master-of-whisperers":
                also = self.dice.sample(others, self.dice.randint(0, len(others)))
                self.do("wide-claim", seats=also)
                hit += also
            for one in hit:
                count = min(value, self.players[one].hand)
                if count:
                    self.do("claim")
                    self.players[one].hand -= count
            return
        victims = [
            one for one, card in self.cards.items() if card.seat == foe and card.is_character
        ]
        chosen = self.dice.sample(victims, min(value, len(victims)))
        if not chosen:
            return
        saves = {
            one: self.dice.choice(("none", "duplicate")) for one in chosen if self.cards[one].copies
        }
        self.do("claim", cards=chosen, save=saves)
        for one in chosen:
            if saves.get(one) == "duplicate":
                self.cards[one].copies -= 1
            else:
                prized = self.has(one, "prized")
                gone = self.leave(one)
                if prized:  # AGOT-KEY-52
                    for other in self.order():
                        self.players[other].power += other != gone.seat
        self.check_end()
        if self.winner:
            self.compare()

    def keywords(
        self, winner: str, loser: str, fighters: list[str], difference: int, attacked: bool
    ) -> None:
        fighters = [one for one in fighters if one in self.cards]
        words = {
            word: [one for one in fighters if self.has(one, word)]
            for word in ("insight", "intimidate", "pillage", "renown")
        }
        kneeling = [
            one
            for one, card in self.cards.items()
            if card.seat == loser
            and card.is_character
            and not card.kneeling
            and self.strength(one) <= difference
        ]
        if not attacked or not kneeling:
            words["intimidate"] = []
        left = [word for word, cards in words.items() if cards]
        shown = self.game.state.challenge
        assert set(shown.keywords if shown else ()) == set(left), (left, self.game.titles)
        for word in self.dice.sample(left, len(left)):
            self.keyword(word, words[word], winner, loser, kneeling)
            self.check_end()
            if self.winner or self.players[winner].out or self.players[loser].out:
                self.compare()
                return

    def keyword(
        self, word: str, cards: list[str], winner: str, loser: str, kneeling: list[str]
    ) -> None:
        if self.dice.random() < 0.2:
            self.do("keyword", keyword=word, decline=True)
            return
        if word == "intimidate":
            target = self.dice.choice(kneeling)
            self.do("keyword", keyword=word, target=target)
            self.cards[target].kneeling = True
            return
        self.do("keyword", keyword=word)
        if word == "renown":
            for one in cards:
                self.cards[one].power += 1
        elif word == "insight":
            count = min(len(cards), self.players[winner].deck)
            self.players[winner].hand += count
            self.players[winner].deck -= count
        else:
            self.players[loser].deck -= min(len(cards), self.players[loser].deck)

    # -- the end of a round ------------------------------------------------------------------

    def evening(self) -> None:
        totals = {
            seat: self.players[seat].gold
            + 2 * (self.players[seat].title == "crown-regent")
            + sum(
                self.strength(one)
                for one, card in self.cards.items()
                if card.seat == seat and not card.kneeling
            )
            for seat in self.order()
        }
        best = [seat for seat, total in totals.items() if total == max(totals.values())]
        if len(best) == 1:
            self.players[best[0]].power += 1
        self.check_end()
        self.compare()
        self.close("AW5")
        for card in self.cards.values():
            card.kneeling = False
        self.compare()
        self.close("AW6")
        for seat in self.order():
            mine = self.players[seat]
            reserve = self.value(seat, "reserve")
            if mine.hand > reserve:
                self.do("reserve", seat=seat)
                mine.hand = reserve
        for mine in self.players.values():
            mine.gold, mine.title = 0, ""
        self.compare()
        if self.dice.random() < 0.05:
            seat = self.dice.choice(self.order())
            self.do("set", target=seat, what="deck", value=3, why="a short game")
            self.players[seat].deck = 3
        self.close("AW7")


def playable(card: dict[str, Any]) -> bool:
    """Whether the referee marshals such a card: it stays in play and has a price."""
    kinds = ("character", "location", "attachment")
    return card["type"] in kinds and isinstance(card.get("cost"), int)


def main(count: int) -> None:
    """Play that many games; a difference stops with its seed."""
    commands = 0
    for seed in range(count):
        players = (2, 3, 4, 2, 5, 6)[seed % 6]
        try:
            commands += Referee(seed, players).play()
        except AssertionError as error:
            sys.exit(f"seed {seed}, {players} players: {error!r}")
        print(f"{seed + 1} games, {commands} commands", flush=True)
    print(f"{count} games, {commands} commands, no disagreement")


if __name__ == "__main__":
    main(*arguments(games=500))
