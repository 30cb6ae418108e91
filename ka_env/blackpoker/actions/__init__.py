"""One file per action (the four summonings share one): what happens when it resolves.

`resolve(s)` starts the effect of the request on top of the stage (bulwark and search: of the immediate request being
made). It returns True when the effect is over, False when it asks for a decision; then `answer(s, choice)` goes on
with what was chosen and returns the same. When an action may be requested, and at what it may be aimed, is data:
see rulesets/.
"""
