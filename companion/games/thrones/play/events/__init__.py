"""What happens in a game: how each event type changes the state, and its title."""
