"""Answers as shapes for the overlay."""
