"""Numbers, compiled: what every game shares and no game's words are in. Rules of a game live in its own package."""
