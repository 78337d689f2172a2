"""A toy card game without a table: two to six seats choose in secret, the highest card wins."""
