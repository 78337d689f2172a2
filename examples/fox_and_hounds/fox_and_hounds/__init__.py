"""Fox and hounds on the dark squares of a chessboard: a game that lives outside the companion."""
