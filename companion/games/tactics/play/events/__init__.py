"""What happens in a battle: the events of its log."""
