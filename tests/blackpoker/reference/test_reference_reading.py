"""Texts that must be refused or accepted: one base position, one change each."""

import pytest

from . import RefGame, RefNotationError

BASE = {
    "ka": "1",
    "rules": "8.0-std",
    "turn": "0",
    "chance": "1",
    "passed": "0",
    "used": "bulwark",
    "life0": "7h Kd 2s",
    "hand0": "As 6c Jh",
    "grave0": "9d 4c",
    "field0": "0:b7d 1:s5c+Kc/d* 3:s9h^~+5",
    "fog0": "5h>0.3",
    "life1": "8s Jh Ts",
    "hand1": "9d 5c",
    "grave1": "Jd 2h",
    "field1": "0:bQs&3 1:sX1",
    "fog1": "-",
    "stage": "0:0.damage 1:1.down(3s)>0.3",
    "known0": "Jd@grave",
    "known1": "Kd@life.1 6c@hand 7d@field.0",
}
QUIET = {
    "field0": "0:b7d 1:s5c",
    "fog0": "-",
    "field1": "0:bQs",
    "stage": "-",
    "known1": "-",
    "chance": "0",
    "passed": "-",
}
OLD = {**QUIET, "rules": "6.1-std"}
DROP = None

REFUSED = [
    {"pending": "x"},
    {"ka": "2"},
    {"ka": DROP},
    {"rules": DROP},
    {"rules": "7.0-lite"},
    {"turn": "2"},
    *({name: DROP} for name in "turn chance life0 hand0 grave0 field0 life1 hand1 grave1 field1".split()),
    {"life0": "7h Kd 2x"},
    {"life0": "7h Kd As"},
    {"hand1": "9d 9d"},
    {"hand1": "3s"},
    {"field0": "0:b7d 0:s5c 3:s9h^~+5"},
    {"field0": "0:b7d 32:s5c 3:s9h^~+5"},
    {"field0": "0:b7d+8d 3:s9h^~+5"},
    {"field0": "0:b7d 3:s9h^~+5 4:bTd^"},
    {"field0": "0:b7d~+5 3:s9h^", "fog0": "5h>0.0"},
    {"field0": "0:b7d 1:s5c+Kd 3:s9h^~+5", "life0": "7h 2s"},
    {"field1": "0:bQs&3 1:sX1+X2"},
    {**QUIET, "rules": "8.0-lite", "field1": "0:sX1"},
    {"rules": "6.1-std"},
    {"field0": "0:b7d 3:s9h^~+4"},
    {"fog0": "-"},
    {**QUIET, "field0": "0:b7d!"},
    {**QUIET, "field0": "0:b7d*/d"},
    {"stage": "0:0.damage 1:1.jump(3s)>0.3"},
    {**QUIET, "stage": "0:0.bulwark"},
    {**QUIET, "stage": "0:0.search(X1)"},
    {**QUIET, "stage": "0:0.charge"},
    {**QUIET, "stage": "0:0.reverse(8s,8c)>0.0"},
    {**QUIET, "rules": "8.0-lite", "stage": "0:0.strip(8d,8c)"},
    {**QUIET, "stage": "0:0.soldier(Js)"},
    {**QUIET, "stage": "0:0.soldier"},
    {**QUIET, "stage": "0:0.end(3s)"},
    {**QUIET, "stage": "0:0.destroy(8d,8h)>1.0"},
    {**QUIET, "stage": "0:0.return(8d,2d)>0.0"},
    {**OLD, "stage": "0:0.reverse(8c,8s)>0.0"},
    {**QUIET, "stage": "0:0.destroy(8h,8d)"},
    {**QUIET, "stage": "0:0.end>0.0"},
    {**QUIET, "stage": "0:0.throw(8s,8c)>1.0"},
    {**QUIET, "stage": "0:0.throw(8s,8c) 1:1.counter(8c)>#1"},
    {**QUIET, "stage": "0:0.throw(8s,8c) 1:1.counter(8c)>#2"},
    {**QUIET, "stage": "0:0.throw(8s,8c) 1:1.counter(8c)>0.0"},
    {**QUIET, "stage": "0:0.destroy(8h,8d)>#0"},
    {**QUIET, "stage": "0:0.destroy(8h,8d)>1.7"},
    {**QUIET, "stage": "0:1.end"},
    {**QUIET, "stage": "0:1.draw"},
    {**QUIET, "stage": "0:0.end 1:0.throw(8s,8c)"},
    {**QUIET, "stage": "1:0.end"},
    {"stage": "0:0.end"},
    {"field1": "0:bQs&1 1:sX1"},
    {"field1": "0:bQs&3 1:sX1&3"},
    {"field1": "0:bQs&3 1:sX1^"},
    {"fog0": "5h>0.3 6h>0.9"},
    {"fog0": "5h>0.3 Jh>-", "hand0": "As 6c"},
    {"fog0": "5h>0.3 8d>-"},
    {"known0": "Qs@life.0"},
    {"known0": "2h@grave"},
    {"known0": "X1@field.1"},
    {"known1": "Kd@life.0"},
    {"known1": "8s@own.1"},
    {"known0": "8s@hand"},
    {"known1": "Kd@life.9"},
    {"known1": "Kd"},
    {"used": "end"},
    {"passed": "2"},
    {"passed": "1"},
    {"passed": "both"},
    {**OLD, "passed": "both"},
    {**OLD, "chance": "1"},
    {**QUIET, "passed": "both", "chance": "1"},
    {"result": "1 0"},
    {"result": "0.5 0.5", "chance": "-", "passed": "-"},
    {"result": "2 0", "chance": "-", "passed": "-"},
    {"chance": "-", "passed": "-"},
]

ACCEPTED = [
    {},
    QUIET,
    OLD,
    {**OLD, "field0": "0:b7d 1:s5c~-9"},
    {**QUIET, "passed": "both"},
    {**QUIET, "passed": "1"},
    {**QUIET, "chance": "1", "passed": "0"},
    {**QUIET, "chance": "1"},
    {"used": "attack bulwark"},
    {"known0": "Jd@grave 9d@hand 7h@own.0"},
    {**QUIET, "fog0": "5h>-"},
    {"result": "1 0", "chance": "-", "passed": "-"},
    {**OLD, "result": "0.5 0.5", "chance": "-"},
    {**QUIET, "stage": "0:0.destroy(8h,8d)>0.1"},
    {**QUIET, "stage": "0:0.destroy(8h,8d)>-"},
    {**QUIET, "life1": "-"},
    {"passed": DROP, "used": DROP, "fog1": DROP, "known0": DROP, "known1": DROP},
    {**QUIET, "stage": "0:0.end 1:1.counter(8c)>#0"},
    {**OLD, "stage": "0:0.reverse(X1,X2)>0.0"},
]


def build(change):
    return "\n".join(f"{k} {v}" for k, v in {**BASE, **change}.items() if v is not DROP)


@pytest.mark.parametrize("change", REFUSED, ids=str)
def test_refused(change):
    with pytest.raises(RefNotationError):
        RefGame.from_text(build(change))


@pytest.mark.parametrize("change", ACCEPTED, ids=str)
def test_accepted(change):
    RefGame.from_text(build(change))


def test_repeated_line():
    with pytest.raises(RefNotationError):
        RefGame.from_text(build({}) + "\nused -")


def test_error_names_line_and_reason():
    with pytest.raises(RefNotationError) as e:
        RefGame.from_text(build({"passed": "2"}))
    assert e.value.line == "passed 2" and e.value.reason
