"""A kept game told: battle report, replay, export."""
