"""Cards, deck lists and titles: names and numbers, no card text."""
