"""The app's files: drafts, preferences, seats, saved games, backups, exports."""
