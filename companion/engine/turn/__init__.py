"""A turn without a screen: what a viewer sees of it as records, and what its taps mean."""
