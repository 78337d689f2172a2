"""The tests; they mirror the packages."""
