"""A Song of Ice & Fire: the miniatures game, editions 2021 and 2018."""
