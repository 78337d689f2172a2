"""Setting up: terrain, tokens, deployment, objectives."""
