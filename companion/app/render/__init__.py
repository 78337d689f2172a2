"""The renderer: display lists, vertex batches, cached layers and the views that show them."""
