"""The miniatures game's implementation of the play and army building interfaces."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from random import Random

from companion.games.api.army_building import ArmyCandidate, ArmyMember, UncertainLine, Unknown
from companion.games.api.play import Refusal
from companion.games.tmg.cards.army import Army, cards_of
from companion.games.tmg.cards.army_catalogue import FIRST_SEASON, army_catalogue, seasons
from companion.games.tmg.play import prompt_options, state_view
from companion.games.tmg.play.army import army_builder, army_lists, army_rules
from companion.games.tmg.play.army.army_builder import ready_armies
from companion.games.tmg.play.authority import authority
from companion.games.tmg.play.events import event_log
from companion.games.tmg.play.events.event_log import dice
from companion.games.tmg.play.phase_play import MiniaturesPhases
from companion.games.tmg.play.state.game_state import GameState, Player
from models.field import Field


def shuffled(cards: Iterable[str], chance: Random) -> tuple[str, ...]:
    """The same cards in an order that tells nothing of how they lay."""
    found = sorted(cards)
    chance.shuffle(found)
    return tuple(found)


def redealt(player: Player, own: bool, chance: Random) -> Player:
    """A player's hidden cards dealt anew; of the own ones only the decks are hidden."""
    if own:
        deck, missions = shuffled(player.deck, chance), shuffled(player.mission_deck, chance)
        return replace(player, deck=deck, mission_deck=missions)
    deck = shuffled((*player.hand, *player.deck), chance)
    missions = shuffled((*player.missions, *player.mission_deck), chance)
    held, kept = len(player.hand), len(player.missions)
    return replace(
        player,
        hand=deck[:held],
        deck=deck[held:],
        missions=missions[:kept],
        mission_deck=missions[kept:],
    )


class MiniaturesPlay(MiniaturesPhases):
    """Both editions behind the play interface; `games/api/play.py` documents the methods."""

    @property
    def army_forms(self) -> tuple[str, ...]:
        return tuple(army_lists.WRITERS)

    def read_army(self, game: str, text: str, points: int | None = None) -> Army:
        return army_lists.read_lines(text, game, points)

    def army_problems(self, army: Army, mates: Sequence[Army] = ()) -> Sequence[Refusal]:
        cards, *theirs = (army_rules.every_card(one) for one in (army, *mates))
        shared = [army_rules.shared_characters([cards, one]) for one in theirs]
        return (*army_rules.check(army), *(one for found in shared for one in found))

    def army_notes(self, army: Army, text: str) -> Sequence[str]:
        return (*army.notes, *army_rules.notes(army))

    def army_unread(self, army: Army) -> Sequence[UncertainLine]:
        return army.unread

    def army_agreed(self, army: Army, agreed: Mapping[str, str]) -> Army:
        return army_builder.agreed(army, agreed)

    def write_army(self, army: Army, form: str) -> str:
        return army_lists.WRITERS[form](army)

    def sizes(self, game: str) -> Sequence[int]:
        return army_builder.SIZES

    factions = staticmethod(army_builder.factions)

    def seasons(self, game: str) -> Sequence[str]:
        return seasons(game)

    def season_of(self, army: Army) -> str:
        return army.season or FIRST_SEASON

    def in_season(self, army: Army, season: str, named: bool = True) -> Army:
        if not season or (army.names_season and not named):
            return army
        return army_builder.agreed(army, {"season": season})

    def ready_armies(self, game: str, points: int) -> Sequence[tuple[str, str]]:
        return ready_armies(game, points)

    def names_cards(self, game: str) -> bool:
        return len(army_catalogue(game).cards) > 0

    def new_army(self, game: str, faction: str, points: int) -> Army:
        return Army(game, faction, points)

    def saved_army(self, field: Field) -> Army:
        return Army.read(field)

    def resized(self, army: Army, points: int) -> Army:
        return replace(army, points=points)

    army_cost = staticmethod(army_rules.known_cost)

    def enlisted(self, army: Army) -> Sequence[ArmyMember]:
        return tuple(army_builder.enlisted(army))

    def recruits(self, army: Army) -> Sequence[ArmyCandidate]:
        return tuple(army_builder.recruits(army))

    recruit = staticmethod(army_builder.recruit)
    dismiss = staticmethod(army_builder.dismiss)

    def army_unknowns(self, army: Army) -> Sequence[Unknown]:
        return (*army_rules.unknowns(cards_of(army)), *army_rules.asked_claims(army))

    army_unchecked = staticmethod(army_rules.unchecked)
    question_answered = staticmethod(army_builder.question_answered)

    def veiled(self, state: GameState, side: str | None, seed: int) -> GameState:
        """Decks lie in another order, and the hands of the others are any cards that nobody has
        seen (TMG-DECK-5)."""
        players = tuple(
            redealt(one, one.side == side, Random(f"{seed} {one.id}")) for one in state.players
        )
        chance = Random(seed)
        return replace(
            state,
            seed=seed,
            players=players,
            mission_deck=shuffled(state.mission_deck, chance),
            card_deck=shuffled(state.card_deck, chance),
        )

    army_answered = staticmethod(army_builder.answered)
    fielded = staticmethod(army_builder.fielded)
    view = staticmethod(state_view.view)
    authority = staticmethod(authority)
    options = staticmethod(prompt_options.options)
    report_sentence = staticmethod(event_log.report_sentence)
    occasion = staticmethod(event_log.occasion)
    armies = staticmethod(event_log.army_summaries)
    dice = staticmethod(dice)
