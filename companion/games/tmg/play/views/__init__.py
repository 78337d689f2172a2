"""The state as players see it and as a report tells it."""
