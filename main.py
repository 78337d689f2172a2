"""Android's entry: the app on the tablet's own storage."""

from companion.app.device.tablet import run

run()
