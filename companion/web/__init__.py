"""Pages for phones, tablets and a television in the same network: what each screen of a running
game shows, and the taps that come back."""
