"""Square and hex grids in integer coordinates: neighbours, distances, lines, reach, chances."""
