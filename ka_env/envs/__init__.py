"""Thin shells over the engine: PettingZoo, Gymnasium, Stable-Baselines3, OpenSpiel. No rules here."""
