"""Reference tags: where they really lie, and the table's pose from them."""
