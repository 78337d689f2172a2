"""Tests of companion/engine/moves."""
