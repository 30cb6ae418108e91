"""Measuring speed: `timing` has the clockwork and the engine's rows, `environments` the other rows and the peers,
`learning` the trainer's."""
