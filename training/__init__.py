"""Training code lives here."""
