"""Everything behind a screen, without kivy: open games, the turn, moves, the camera, files."""
