"""What the app keeps on disk: drafts, preferences, seats, saved games, backups, exports."""
