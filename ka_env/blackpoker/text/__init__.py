"""BlackPoker as text: tokens, positions, records."""
