"""What the device offers: storage, permissions, sound, vibration, memory."""
