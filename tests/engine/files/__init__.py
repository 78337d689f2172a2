"""Tests of companion/engine/files."""
