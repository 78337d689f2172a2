"""From a camera's picture to the tags, and the trays, that stand on the table."""
