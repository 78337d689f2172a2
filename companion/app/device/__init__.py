"""The device: storage, permissions, sound, vibration, memory."""
