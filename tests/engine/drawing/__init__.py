"""Tests of companion/engine/drawing."""
