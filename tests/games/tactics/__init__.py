"""Tests of Tactics."""
