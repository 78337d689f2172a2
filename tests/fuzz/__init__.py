"""Fuzzers: random inputs for everything that reads what players or other programs wrote."""
