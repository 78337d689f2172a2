"""The rules on hexes: terrain, sight, movement, retreat, command range, fire; exact."""
