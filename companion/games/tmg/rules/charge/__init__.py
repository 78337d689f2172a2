"""Charges: who may charge whom, along which way, and where the charge ends."""
