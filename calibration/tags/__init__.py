"""Tags on trays: their mounts, sightings and the trays' poses."""
