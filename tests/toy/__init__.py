"""A toy third game: everything neutral must work with it, and nothing neutral may know it."""
