"""The table companion: sees a table, knows the rules, remembers the game."""
