"""The slow reference: the same questions answered by dense sampling, written on its own."""
