"""Cards: figures, equipment, squads and scenarios."""
