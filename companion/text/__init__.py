"""Language and lengths: how sentences are translated and measures are written."""
