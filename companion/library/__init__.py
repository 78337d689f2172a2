"""What other programs import: the public names of `companion`, on top of everything but the app."""
