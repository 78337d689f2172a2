"""Moving a tray by finger: a ghost that turns and snaps into contact, judged while it moves."""
