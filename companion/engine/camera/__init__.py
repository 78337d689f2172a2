"""The live camera of a game: its worker thread, its sources, profiles and calibration."""
