"""Playing Battles of Westeros: rounds, orders, command cards, combat, fire, morale, victory."""

from companion.games.westeros.play.game_play import WesterosPlay

PLAY = WesterosPlay()

__all__ = ["PLAY", "WesterosPlay"]
