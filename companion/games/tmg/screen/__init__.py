"""What the miniatures game shows: the module whose `SCREEN` every screen asks."""

from companion.games.tmg.screen.game_view import MiniaturesScreen

SCREEN = MiniaturesScreen()
