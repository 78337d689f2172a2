"""The rules' answers as shapes for the overlay."""
