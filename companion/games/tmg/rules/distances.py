"""The distances the rules define, in inches, each with its rule."""

from __future__ import annotations

CONTACT_IN = 0.02
"""Trays whose gap or overlap is at most this (plus the uncertainty) are in contact."""
CLEAR_IN = 1.0
"""TMG-MOV-7: no move but a charge ends closer than this to an enemy (OR-13)."""
ROUGH_IN = 1.0
"""TMG-TER-17: the cost of a move over Rough ground."""
SHIFT_IN = 2.0
"""TMG-RNG-5: the longest shift."""
HIGHEST_ROLL = 6
"""TMG-CHG-4: the most inches a D6 adds to Speed, in a charge and in a retreat."""
RANGES_IN = {"short": 6.0, "long": 12.0}
"""TMG-RNG-8: Short and Long Range."""
