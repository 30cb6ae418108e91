"""How a game goes on: chance and passing, requests with costs, keys and targets, the stage, zones, what is legal."""
