"""`ka serve`: people play against agents in the browser, in one process.

`lobby` knows all tables and whose they are, `table` is one person's game, `lesson` one that teaches, `protocol` the
messages, `limits` how much of everything there may be, `guard` who may come in, `room` who sits where and agents that
think, `connection` one socket, `app` the pages.

What lies on a table comes from the `viewer` room of a game, which also serves `ka view`: `table_data`, the position as
one player may know it; `table_facts`, words and cards that depend on no deal; `handles`, the places that stand for a
choice; `quiet_answer`, what nearly everybody says to a question that asks nothing; `frames`, `mirrored` and `LESSONS`.
"""
