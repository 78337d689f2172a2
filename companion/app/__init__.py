"""The face: the tablet app beside the table. It shows what the other rooms answer."""
