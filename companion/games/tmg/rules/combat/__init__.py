"""Shots, melee, dice, odds and morale tests."""
