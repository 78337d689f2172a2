"""What the rules say of a table: pure questions and answers."""
