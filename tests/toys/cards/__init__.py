"""A toy card game without a table: two to four seats choose a card in secret, the highest wins."""
