"""A camera: its lens, the lens board, and where it stands."""
