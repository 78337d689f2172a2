"""A toy on hexes: two seats move scouts over a board and fight with dice."""
