"""The interface between a game and everything else: what a game package imports from here.

`GameRules` (rules of a table), `Play` (a game in play) and `GameScreen` (what it shows) are what a
game implements; the others are the records they exchange.
"""
