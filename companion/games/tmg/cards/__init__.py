"""The cards that only this game has, its catalogue with them, and the army lists made of them."""
