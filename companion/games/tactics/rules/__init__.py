"""The rules on cells: sight, contact, movement, charges, exact in integers."""
