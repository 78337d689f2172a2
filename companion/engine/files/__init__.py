"""Files of the players: drafts, preferences, seats, saved games, backups and exports."""
