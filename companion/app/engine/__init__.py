"""The parts of the app that need no kivy: game controller, worker threads, snapshots, caches."""
