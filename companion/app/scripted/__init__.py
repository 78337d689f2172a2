"""The app driven by scripts: tests, the off-screen demo and the screenshots."""
