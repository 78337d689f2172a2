"""Parts that several games need: dice, exact distributions, event types, commands as undo steps."""
