"""Parts that several games need: dice, exact distributions, commands as one undo step."""
