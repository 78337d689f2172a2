"""From pixels to inches: the lens, the table's pose, the tags' mounts, and the sheets to print."""
