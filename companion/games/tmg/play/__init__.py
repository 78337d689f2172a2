"""The miniatures game in play: armies, rounds, attacks, panic, cards, modes, points."""

from companion.games.tmg.play.face import Playing

PLAY = Playing()

__all__ = ["PLAY", "Playing"]
