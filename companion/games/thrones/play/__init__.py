"""Playing the card game: set-up, rounds, challenges, everything that is counted."""

from companion.games.thrones.play.game_play import ThronesPlay

PLAY = ThronesPlay()

__all__ = ["PLAY", "ThronesPlay"]
