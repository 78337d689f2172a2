"""Army lists: reading, checking, building and writing them."""
