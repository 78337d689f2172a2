"""Charges: who may charge whom, along which path, and where the charge ends."""
