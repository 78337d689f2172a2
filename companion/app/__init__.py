"""The tablet app beside the table: it shows what the other packages work out."""
