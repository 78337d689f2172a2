"""The cards of a catalogue and the army lists made of them."""
