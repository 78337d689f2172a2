"""A Game of Thrones: The Card Game, second edition, at a real table for two to six players."""
