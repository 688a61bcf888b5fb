"""A model that uses all that a state has to keep, and logs for it: texts, windows of all sorts, elements that are taken
back, numbers that fit no machine word, guards, several instances, choices left to chance, wrong lines, unknown names."""

import random

MODEL = """
sense on    : bool
sense speed : real -1..9 if on
sense seen  : set {car, pc}
var   mode  : {calm, busy} = calm
stream L { tag: string, n: int -5..50 }
stream S { tag: string, x: real 0..10, ok: bool, kind: {red, blue} }
let same(a, b) = a.tag == b.tag
state A initial, B, C
rule a: A -> B when exists l in L[last 5s]: all s in S[last 5s]: not same(l, s)
rule b: A, C -> B when exists s in S: s.ok and s.x > speed do mode := busy
rule b2: A, C -> C when exists s in S: s.tag == "x1" and s.x > 0.1234567890123
rule c: B -> A when all l in L[last 3s]: exists s in S[last 30s]: same(s, l) and s.kind == red
rule d: B -> C when all s in S[next 2s]: s.x < 0.5 do mode := calm, on := true
rule d2: B -> A when exists l in L[next 3s]: l.n > 20
rule e: C -> A when exists l in L: exists m in L[last 60s]: l.n < m.n or seen has car
"""


def log(seed, count, late=0):
    """Lines, each with its line feed. `late`: so many milliseconds may a time go back."""
    rng = random.Random(seed)
    now = 0
    lines = []
    for number in range(count):
        now += rng.choice((0, 0, 3, 10, 40))
        lines.append(_line(rng, max(0, now - rng.randint(0, late)), number) + "\n")
    return lines


def _line(rng, now, number):
    app = rng.choice(("", "", "f", "g\\u00e9n"))
    head = f'{{"t": {now / 1000}, "app": "{app}"'
    kind = rng.randrange(60)
    if kind == 0:
        return head + ', "set": {"on": 7}}'
    if kind == 1:
        return head + ', "add": "unheard_of", "value": 1}'
    if kind < 4:
        return head + "}"
    if kind < 9:
        return head + f', "set": {{"on": true, "speed": {rng.choice(("0.5", "0.1234567890123456789", "null"))}}}}}'
    if kind < 11:
        return head + f', "set": {{"on": {rng.choice(("true", "false", "null"))}}}}}'
    if kind < 15:
        return head + f', "{rng.choice(("add", "remove"))}": "seen", "value": "{rng.choice(("car", "pc"))}"}}'
    act = rng.choice(("add", "add", "add", "remove"))
    tag = rng.choice(("x1", "x2", f"t{number % 50}", f"t{number}"))
    if kind < 35:
        return head + f', "{act}": "L", "value": {{"tag": "{tag}", "n": {rng.choice((3, 30, -5))}}}}}'
    x = rng.choice(("0.25", "0.1234567890123", f"0.{number}000000000001", "7", "null"))
    return head + (f', "{act}": "S", "value": {{"tag": "{tag}", "x": {x}, "ok": {rng.choice(("true", "false"))}, '
                   f'"kind": {rng.choice((chr(34) + "red" + chr(34), "null"))}}}}}')
