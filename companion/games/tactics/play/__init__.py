"""Playing Tactics: set-up, turns, attacks step by step, loot, agendas, points."""

from companion.games.tactics.play.game_play import TacticsPlay

PLAY = TacticsPlay()

__all__ = ["PLAY", "TacticsPlay"]
