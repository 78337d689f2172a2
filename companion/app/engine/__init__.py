"""Everything behind the screen that needs no kivy: workers, the game controller, snapshots."""
