"""Study: what went wrong in a game, where agents differ, what the machines found in many games."""
