"""Tests of companion/engine/camera."""
