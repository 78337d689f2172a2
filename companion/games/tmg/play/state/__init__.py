"""The state of a game as frozen records, and what the table shows of it."""
