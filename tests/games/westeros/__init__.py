"""Tests of Battles of Westeros."""
