"""The column beside the table and the strip under it: what happened, and what to do now."""
