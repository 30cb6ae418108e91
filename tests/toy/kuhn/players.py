"""The rules-based player `honest`, who is also the guide of the tree search."""

from kuhn import STYLES as STYLES
from kuhn.kernels import rules
from kuhn.rules import ANSWER, BET, PASS

from ka_env.engine import improve, ismcts
from ka_env.engine.ismcts import Guide
from ka_env.engine.jit import entry, kernel


@kernel
def choose(s, p):
    """Bet on a king, call with a queen, never bluff."""
    return BET if s.cards[p] == 2 or (s.cards[p] == 1 and s.kind == ANSWER) else PASS


@kernel
def lead(s, p):
    """As the logit of the chances to win."""
    return 0.5 * (s.chips if p == 0 else -s.chips)


@kernel
def secret(s, action):
    return False  # nothing is decided face down


@kernel
def guide():
    return Guide(choose, lead, secret)


@entry
def choose_games(records, players, style, out):
    for i in range(records.size):
        if players[i] >= 0:
            out[i] = choose(records[i], players[i])


@entry
def search_games(search, lo, hi, how):
    ismcts.search_slice(search, lo, hi, rules(), guide(), how)


@entry
def root_visits(roots, trees, out):
    ismcts.count_root_visits(roots, trees, out)


@entry
def graft(tree, action, out):
    return ismcts.graft_tree(tree, action, out)


@entry
def improve_games(asked, desk, how):
    improve.improve_all(asked, desk, rules(), guide(), how)
