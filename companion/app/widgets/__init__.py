"""Buttons, layouts, dialogs and the other widgets that the screens are made of."""
