"""A Song of Ice & Fire: Tactics, the skirmish game on squares."""
