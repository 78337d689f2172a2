"""The distances the rules name, in inches, each with its rule."""

from __future__ import annotations

CONTACT_IN = 0.02
"""Trays whose gap is at most this (plus the uncertainty) touch; so much overlap is a touch too."""
CLEAR_IN = 1.0
"""TMG-MOV-7: no move but a charge ends nearer than this to an enemy (OR-13)."""
ROUGH_IN = 1.0
"""TMG-TER-17: what a move over Rough ground costs."""
SHIFT_IN = 2.0
"""TMG-RNG-5: the longest shift."""
RANGES_IN = {"short": 6.0, "long": 12.0}
"""TMG-RNG-8: Short and Long Range."""
