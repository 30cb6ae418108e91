"""What a player can know: observations as numbers, and re-drawing the rest."""
