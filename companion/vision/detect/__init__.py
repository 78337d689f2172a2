"""Tags in one picture."""
