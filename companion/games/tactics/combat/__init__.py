"""Attacks: hits, defence, and their exact odds."""
