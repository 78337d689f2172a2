"""The rules of a table as pure functions: queries in, answers out."""
