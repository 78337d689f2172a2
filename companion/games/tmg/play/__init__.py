"""Playing the miniatures game: armies, rounds, attacks, panic, cards, modes, points."""

from companion.games.tmg.play.game_play import MiniaturesPlay

PLAY = MiniaturesPlay()

__all__ = ["PLAY", "MiniaturesPlay"]
