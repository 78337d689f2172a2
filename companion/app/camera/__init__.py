"""The live camera of a game: its worker thread, its sources, what a board camera sees. No kivy."""
