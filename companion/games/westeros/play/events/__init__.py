"""The events of a battle, and what each does to the state."""
