"""The app's tests; kivy is told before its first import that it has no display."""

import conftest  # noqa: F401
