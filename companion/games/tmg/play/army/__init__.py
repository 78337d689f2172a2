"""Army lists: read, checked, built and written."""
