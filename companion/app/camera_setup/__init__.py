"""The wizard that sets up a camera: print, lens, table, trays, check."""
