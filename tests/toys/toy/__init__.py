"""A game package as a stranger would add it: just enough of a face to be asked everything."""
