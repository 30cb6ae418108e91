"""Texts of pro, mast, the frames and setup that must be refused or accepted: one base position, one change each."""

import pytest

from . import RefGame, RefNotationError

MAST = {
    "ka": "1",
    "rules": "8.0-mast",
    "turn": "0",
    "chance": "1",
    "passed": "0",
    "life0": "7s Kd 2c",
    "hand0": "As 6c",
    "grave0": "9d",
    "field0": "0:b7d 1:s5c+Kc",
    "fog0": "-",
    "life1": "8s Ts",
    "hand1": "9d 5c",
    "grave1": "Jd 2h",
    "field1": "0:bQs 1:sX1",
    "stage": "0:0.end",
}
OLD = {"rules": "6.1-mast"}
FIGHT = {"field0": "0:b7d 1:s5c+Kc/d^", "stage": "0:0.damage"}
RARE = {"rules": "8.0-mast+rare", "pack0": "closed 3h 4h", "pack1": "open 3h", "rare0": "9h", "rare1": "-"}
SETUP = {"rules": "8.0-lite+setup", "field1": "0:bQs", "field0": "0:b7d 1:s5c~+3", "fog0": "+5s>0.1 2s>0.1"}
ROYAL = "(Ah,Th,Jh,Qh,Kh)"
DROP = None

REFUSED = [
    # rulesets
    {"rules": "6.1-std+pack"},
    {"rules": "8.0-lite+pack"},
    {"rules": "8.0-std+strategy"},
    {"rules": "8.0-std+setup"},
    {"rules": "8.0-mast+"},
    {"rules": "8.0-master"},
    # actions the ruleset lacks, or that are immediate
    {"rules": "8.0-std", "stage": "0:0.end 1:1.kill(2s,3s)>0.1"},
    {"rules": "8.0-pro", "stage": f"0:0.end 1:1.rsf{ROYAL}>p0"},
    {"rules": "8.0-std", "stage": "0:0.end 1:1.reverse(3s,3h)>0.0"},
    {"stage": "0:0.end 1:1.setup(3s)>0.1"},
    {**OLD, "stage": "0:0.bj(Ah,Jh)"},
    {"stage": "0:0.end 1:1.trap(9h)>#0"},
    {"stage": "0:0.end 1:1.raresummon(9h)"},
    {**RARE, "rules": "8.0-mast+pack", "rare0": DROP, "rare1": DROP, "stage": "0:0.end 1:1.raresummon(9h)"},
    {**RARE, "stage": "0:0.end 1:1.open"},
    {**RARE, "stage": "0:0.end 1:1.raredraw"},
    # timing
    {"stage": "0:0.quick(Ah)"},
    {"stage": "0:1.force(3h,4h)"},
    {"stage": "0:0.end 1:0.rain(2s,3s)"},
    {**OLD, "stage": "0:0.end 1:0.reverse(3s,3h)>0.0"},
    {**OLD, "stage": f"0:0.end 1:0.rsf{ROYAL}>p0"},
    {**OLD, "stage": f"0:1.rsf{ROYAL}>p0"},
    # keys
    {"stage": "0:0.end 1:1.kill(3s,2s)>0.1"},
    {"stage": "0:0.end 1:1.kill(2s,Js)>0.1"},
    {"stage": "0:0.end 1:1.kill(2s,3h)>0.1"},
    {"stage": "0:0.end 1:1.kill(2s)>0.1"},
    {"stage": "0:0.end 1:1.reunion(3h,3h)"},
    {"stage": "0:0.end 1:1.quick(2h)"},
    {"stage": "0:0.end 1:1.bj(Jh,Ah)"},
    {"stage": "0:0.end 1:1.bj(Ah,Jc)"},
    {"stage": "0:0.end 1:1.bj(Ah,Qh)"},
    {"stage": "0:0.end 1:1.rsf(Ah,Jh,Th,Qh,Kh)>p0"},
    {"stage": "0:0.end 1:1.rsf(Ah,Th,Jh,Qh)>p0"},
    {"stage": "0:0.end 1:1.rsf(Ah,Th,Jh,Qh,Kc)>p0"},
    {"stage": "0:0.recruit(3d,Qd)"},
    {"stage": "0:0.end 1:1.truce(3d,4d)"},
    # targets
    {"stage": f"0:0.end 1:1.rsf{ROYAL}"},
    {"stage": f"0:0.end 1:1.rsf{ROYAL}>-"},
    {"stage": f"0:0.end 1:1.rsf{ROYAL}>0.0"},
    {"stage": f"0:0.end 1:1.rsf{ROYAL}>p2"},
    {"stage": f"0:0.end 1:1.rsf{ROYAL}>#0"},
    {"stage": "0:0.end 1:1.kill(2s,3s)>p0"},
    {"stage": "0:0.end 1:1.kill(2s,3s)>#0"},
    {"stage": "0:0.end 1:1.kill(2s,3s)>0.9"},
    {"stage": "0:0.end 1:1.truce(3d,4d)>#0"},
    {**FIGHT, "stage": "0:0.damage 1:1.kill(2s,3s)>0.1 2:1.truce(3d,4d)>#1"},
    {"stage": "0:1.truce(3d,4d)>#1 1:0.damage"},
    {"stage": "0:0.end 1:1.redirect(2c,3c)>#1"},
    {"stage": "0:0.end 1:1.redirect(2c,3c)>#2"},
    {"stage": "0:0.end 1:1.redirect(2c,3c)>0.0"},
    {"stage": "0:0.end 1:1.counter(2c)>#1"},
    {"stage": "0:0.force(3h,4h) 1:1.counter(2c)>#0"},
    {"stage": "0:0.rain(2s,3s) 1:1.counter(2c)>#0"},
    {"stage": "0:0.recruit(3d,4d) 1:1.counter(2c)>#0"},
    {"stage": "0:0.surprise(3c,4c) 1:1.counter(2c)>#0"},
    {"stage": "0:0.end 1:1.reunion(3h,4h)>1.0"},
    {"stage": "0:0.surprise(3c,4c)>0.0"},
    {**RARE, "stage": "0:0.end 1:1.trap(9h)>#1"},
    {**RARE, "stage": "0:0.end 1:1.trap(9h)"},
    {**RARE, "stage": "0:0.end 1:1.raresummon(9h)>1.0"},
    # force
    {"rules": "8.0-pro", "force": "-"},
    {"rules": "6.1-pro", "force": "7"},
    {"force": "7"},
    {"force": "0"},
    {"force": "8", "fog0": "3h>all 4h>all"},
    {"force": "-", "fog0": "3h>all 4h>all"},
    {"fog0": "3h>all 4h>all"},
    {"force": "3", "fog0": "3h>all"},
    {"force": "12", "fog0": "3h>all 4h>all 5h>all"},
    {"force": "6", "fog0": "3h>all 3s>all"},
    {"force": "14", "fog0": "3h>all Jh>all"},
    {"force": "7", "fog1": "3h>all 4h>all"},
    {"rules": "8.0-pro", "fog0": "3h>all 4h>all"},
    {**OLD, "force": "7", "fog0": "3h>all 4h>all"},
    {**OLD, "force": "2"},
    {**OLD, "force": "0"},
    {**OLD, "force": "100"},
    {**OLD, "force": "07"},
    {**OLD, "force": "+7"},
    {**OLD, "force": "7 8"},
    # pack and rare
    {"pack0": "closed 3h"},
    {"pack0": "open -"},
    {"rare0": "-"},
    {"rules": "8.0-mast+pack", "rare0": "9h"},
    {"rules": "8.0-mast+pack", "rare0": "-"},
    {**RARE, "pack0": "3h 4h"},
    {**RARE, "pack0": "-"},
    {**RARE, "pack0": "shut 3h"},
    {**RARE, "pack0": "closed 3h 3h"},
    {**RARE, "pack0": "closed 7s"},
    {**RARE, "pack0": "closed 3x"},
    {**RARE, "pack0": "closed - 3h"},
    {**RARE, "rare0": "9h Th"},
    {**RARE, "rare0": "9d"},
    {**RARE, "rare0": "Zz"},
    {**RARE, "stage": "0:0.end 1:0.raresummon(Th)"},
    {**RARE, "stage": "0:0.end 1:0.trap(Th)>-"},
    {**RARE, "rare0": "-", "stage": "0:0.raresummon(Th) 1:0.trap(9h)>#0"},
    {**RARE, "known1": "9h@rare"},
    {**RARE, "known1": "3h@pack"},
    # setup
    {**SETUP, "fog0": "+5s>- 2s>0.1", "field0": "0:b7d 1:s5c~-2"},
    {**SETUP, "fog0": "+5h>0.1 2s>0.1"},
    {**SETUP, "fog0": "5s>0.1 2s>0.1"},
    {"rules": "8.0-lite", "field1": "0:bQs", "field0": "0:b7d 1:s5c~+5", "fog0": "+5s>0.1"},
    {"field0": "0:b7d 1:s5c~+5", "fog0": "+5s>0.1"},
    {**SETUP, "fog0": "+5s>0.1 2s>all"},
    {**SETUP, "stage": "0:0.end 1:1.setup(3h)>0.1"},
    {**SETUP, "stage": "0:0.end 1:1.setup(Js)>0.1"},
    {**SETUP, "stage": "0:0.end 1:1.setup(3s)"},
    {**SETUP, "stage": "0:0.end 1:1.kill(3s,4s)>0.1"},
]

ACCEPTED = [
    {},
    OLD,
    RARE,
    SETUP,
    {"force": "-"},
    {"force": "7", "fog0": "3h>all 4h>all"},
    {"force": "18", "fog0": "4h>all 3h>all 5h>all 6h>all"},
    {**OLD, "force": "3"},
    {**OLD, "force": "99"},
    {"rules": "8.0-pro", "stage": "0:0.end 1:1.kill(2s,3s)>0.1"},
    {"stage": "0:0.end 1:1.kill(2s,3s)>0.0"},  # meets no condition
    {"stage": "0:0.end 1:1.kill(2s,3s)>-"},
    {"stage": "0:0.end 1:1.quick(Ah)"},
    {"stage": "0:0.end 1:1.bj(Ah,Jh)"},
    {"stage": f"0:0.end 1:1.rsf{ROYAL}>p1"},
    {**OLD, "stage": f"0:0.rsf{ROYAL}>p1"},
    {"stage": "0:1.redirect(2c,3c)>#1 1:1.kill(2s,3s)>0.1"},  # R37: above
    {"stage": "0:1.counter(2c)>#1 1:1.kill(2s,3s)>0.1"},
    {**RARE, "stage": "0:1.trap(9h)>#1 1:1.kill(2s,3s)>0.1"},
    {"stage": "0:0.end 1:1.redirect(2c,3c)>#0"},  # R77
    {"stage": "0:0.end 1:1.counter(2c)>#0"},
    {"stage": f"0:0.rsf{ROYAL}>p1 1:1.counter(2c)>#0"},
    {**RARE, "stage": "0:0.end 1:1.trap(9h)>#0"},
    {**FIGHT, "stage": "0:0.damage 1:1.truce(3d,4d)>#0"},
    {**FIGHT, "stage": "0:0.damage 1:1.truce(3d,4d)>-"},
    {**RARE, "rare0": "-", "stage": "0:0.end 1:0.raresummon(Th)"},
    {**RARE, "stage": "0:0.end 1:1.raresummon(9h)"},
    {**RARE, "stage": "0:0.force(3h,4h)", "pack0": "closed -"},
    {**RARE, "rare0": DROP, "rare1": DROP, "pack0": DROP, "pack1": DROP},
    {**RARE, "pack0": "open X2 4h 3h"},
    {**RARE, "rules": "8.0-pro+strategy"},
    {**RARE, "rules": "8.0-std+pack", "rare0": DROP, "rare1": DROP},
    {**SETUP, "fog0": "2s>0.1 +5s>0.1"},
    {**SETUP, "fog0": "5s>- +3s>0.1", "stage": "0:0.end 1:1.setup(3s)>0.1"},
    {**SETUP, "fog0": "-", "fog1": "+3s>0.1"},
]


def build(change):
    return "\n".join(f"{k} {v}" for k, v in {**MAST, **change}.items() if v is not DROP)


@pytest.mark.parametrize("change", REFUSED, ids=str)
def test_refused(change):
    with pytest.raises(RefNotationError):
        RefGame.from_text(build(change))


@pytest.mark.parametrize("change", ACCEPTED, ids=str)
def test_accepted(change):
    RefGame.from_text(build(change))


def test_missing_lines_are_written():
    text = RefGame.from_text(build({**RARE, "rare0": DROP, "rare1": DROP, "pack0": DROP, "pack1": DROP})).to_text()
    names = [line.split()[0] for line in text.splitlines()]
    assert "pack0 open -\nrare0 -\nlife1" in text and "pack1 open -\nrare1 -\nstage" in text
    assert names.index("force") == names.index("used") + 1


def test_words_are_written_in_order():
    text = RefGame.from_text(build({**RARE, "pack0": "open X2 4h 3h"})).to_text()
    assert "pack0 open 3h 4h X2" in text
    text = RefGame.from_text(build({**SETUP, "fog0": "+5s>0.1 2s>0.1"})).to_text()
    assert "fog0 2s>0.1 +5s>0.1" in text  # signs ignored
