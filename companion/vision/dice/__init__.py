"""Dice seen by the camera: the net that finds them, the reader that asks when unsure, the mat."""
