"""The commands of a game, by what they are about, and the table of all of them."""
