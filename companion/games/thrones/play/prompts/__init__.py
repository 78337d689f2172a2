"""What a game waits for: questions with their buttons, for the screen and for programs."""
