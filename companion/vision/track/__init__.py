"""Tags and trays from frame to frame."""
