"""How fast scorepad is, and how large: `make bench`."""
