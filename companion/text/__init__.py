"""Translation of sentences and formatting of lengths."""
