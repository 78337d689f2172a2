"""What each mode adds to the flow of a game, as data: points, cards, returns, special rules."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.tmg.play.state.game_state import GameState
from companion.games.tmg.rules.modes import Mode, mode


@dataclass(frozen=True, slots=True)
class ModePlay:
    """One mode of one edition in play; rules about positions are in its `Mode`."""

    scoring_rule: str = ""
    """The rule by which tokens score from round 2 on; empty: they do not (TMG-OBJ-5)."""
    commander_bonus: int = 0
    """TMG-OBJ-6."""
    combat: bool = True
    """TMG-VIC-8, TMG-MODE-WOW-9."""
    token_cards: str = ""
    """The rule by which each token gets an objective card."""
    chosen_cards: bool = False
    """TMG-MODE-COK-4."""
    marked: int = 0
    """The number of units per side to be marked (TMG-MODE-FAB-3)."""
    carried: str = ""
    """The rule by which a token goes to an enemy after a failed test or destruction."""
    taken_rule: str = ""
    """The rule by which a stronger attacker takes a token."""
    one_token: bool = False
    """TMG-MODE-FFC-8."""
    carrier_speed: int | None = None
    """TMG-MODE-DWD-5, TMG-MODE-DWD-6."""
    commander_kills: int = 0
    """TMG-MODE-COK-11."""
    commander_prize: int = 0
    """TMG-MODE-COK-12."""
    prize_once: bool = False
    siege: bool = False
    reserve_rule: str = ""
    deployed_units: int | None = None
    """The number of units that start on the table, the rest in reserve (TMG-MODE-COK-13)."""
    reserve_half: str = ""
    """The defender's reserve: half by 'number' or by 'points' (TMG-MODE-SOS-10)."""
    reserve_round: int = 0
    reserve_is_activation: bool = False
    """Whether entering is the activation (TMG-MODE-COK-15), or precedes the action (SOS-12)."""
    fallen_to_reserve: bool = False
    """TMG-MODE-COK-16."""
    redeploys: str = ""
    """The units that return at the start of a round: commander, all (attacker), one."""
    redeploy_rule: str = ""
    missions: str = ""
    """hand, secret or row."""
    quadrants: bool = False
    wall_hits: bool = False
    """TMG-MODE-HAR-8."""
    zone_instead: str = ""
    """What may replace a zone's effect: hits (HAR-10) or missions (DWW-7)."""
    morale_tokens: bool = False
    """TMG-MODE-FFC-17..19 of 2018."""
    new_piles: str = ""
    """Who places the Corpse Pile of a destroyed infantry unit: owner or opponent (FFC-14)."""

    @property
    def returning(self) -> bool:
        """Whether units can return, so that a side without units is not eliminated."""
        return bool(self.redeploys or self.reserve_rule)


PLAYS: dict[tuple[str, str], ModePlay] = {
    ("tmg-2021", "GOT"): ModePlay(
        scoring_rule="TMG-MODE-GOT-6", commander_bonus=1, token_cards="TMG-MODE-GOT-4"
    ),
    ("tmg-2021", "COK"): ModePlay(
        scoring_rule="TMG-MODE-COK-10",
        commander_bonus=1,
        chosen_cards=True,
        commander_kills=1,
        commander_prize=2,
        prize_once=True,
        redeploys="commander",
        redeploy_rule="TMG-MODE-COK-7",
    ),
    ("tmg-2021", "SOS"): ModePlay(
        siege=True,
        reserve_rule="TMG-MODE-SOS-10",
        reserve_half="number",
        reserve_round=3,
        redeploys="all",
        redeploy_rule="TMG-MODE-SOS-8",
    ),
    ("tmg-2021", "FFC"): ModePlay(
        scoring_rule="TMG-MODE-FFC-16",
        commander_bonus=1,
        token_cards="TMG-MODE-FFC-5",
        carried="TMG-MODE-FFC-11",
        taken_rule="TMG-MODE-FFC-13",
        one_token=True,
        new_piles="owner",
    ),
    ("tmg-2021", "DWD"): ModePlay(
        scoring_rule="TMG-MODE-DWD-11",
        commander_bonus=1,
        token_cards="TMG-MODE-DWD-3",
        carried="TMG-MODE-DWD-8",
        taken_rule="TMG-MODE-DWD-10",
        carrier_speed=2,
    ),
    ("tmg-2021", "WOW"): ModePlay(missions="hand"),
    ("tmg-2021", "HAR"): ModePlay(
        scoring_rule="TMG-MODE-HAR-11", commander_bonus=1, wall_hits=True, zone_instead="hits"
    ),
    ("tmg-2021", "FAB"): ModePlay(marked=2),
    ("tmg-2021", "HWS"): ModePlay(quadrants=True, redeploys="one", redeploy_rule="TMG-MODE-HWS-10"),
    ("tmg-2021", "DWW"): ModePlay(
        scoring_rule="TMG-MODE-DWW-11",
        commander_bonus=1,
        missions="row",
        zone_instead="missions",
    ),
    ("tmg-2018", "GOT"): ModePlay(scoring_rule="TMG-MODE-GOT-6", token_cards="TMG-MODE-GOT-4"),
    ("tmg-2018", "COK"): ModePlay(
        scoring_rule="TMG-MODE-COK-10",
        commander_prize=2,
        reserve_rule="TMG-MODE-COK-13",
        deployed_units=2,
        reserve_round=2,
        reserve_is_activation=True,
        fallen_to_reserve=True,
    ),
    ("tmg-2018", "SOS"): ModePlay(
        siege=True,
        reserve_rule="TMG-MODE-SOS-10",
        reserve_half="points",
        reserve_round=3,
        redeploys="all",
        redeploy_rule="TMG-MODE-SOS-8",
    ),
    ("tmg-2018", "FFC"): ModePlay(morale_tokens=True, new_piles="opponent"),
    ("tmg-2018", "WOW"): ModePlay(combat=False, missions="secret"),
}


def play_of(state: GameState) -> ModePlay:
    """What the mode of a game adds."""
    return PLAYS[state.game, state.mode]


def mode_of(state: GameState) -> Mode:
    """The set-up data of a game's mode."""
    return mode(state.game, state.mode)
