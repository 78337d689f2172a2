"""Cards and boards that the players enter themselves."""
