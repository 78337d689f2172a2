"""The screens outside the two wizards."""
