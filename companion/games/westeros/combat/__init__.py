"""The die, the number of attack dice and the exact odds of an attack."""
