"""Tests of companion/engine."""
