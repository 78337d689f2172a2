"""Unit reference cards, commanders, command cards, battle plans and skirmish cards."""
