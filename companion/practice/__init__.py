"""The practice table: a virtual camera that renders any Table, with the ground truth."""
