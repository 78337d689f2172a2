"""The version of this release; CHANGELOG.md says what is in it."""

VERSION = "0.2.0"
