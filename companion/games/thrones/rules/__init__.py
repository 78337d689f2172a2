"""What the rules say about values, challenges, initiative and dominance."""
