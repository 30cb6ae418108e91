"""What `ka selftest` tries: attacks on the arena, the trainers and everything that is read from files."""
