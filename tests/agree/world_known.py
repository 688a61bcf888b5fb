"""Models of which it is known, without a program, what `poise verify` finds: the paper's robot car, and for each rule of
section 5 and each decision of world_modes a model that would give another answer otherwise."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Known:
    name: str
    text: str
    bound: int
    found: dict  # mode -> (number of feasible paths, counterexamples as "failure: rule rule")


def counterexamples(answers):
    """Those of a Known as pairs of failure and path."""
    pairs = (answer.split(": ") for answer in answers)
    return {(failure, tuple(path.split())) for failure, path in pairs}


# ---------------------------------------------------------------------------------------------------- the robot car

_CAR_WORLD = """
    model RobotCar
    sense disF : real 0..400 error -6..6 gauss 2
    sense disB : real 0..400 error -6..6 gauss 2
    sense disL : real 0..400 error -6..6 gauss 2
    sense disR : real 0..400 error -6..6 gauss 2
    var   unit : real = 10 error -5..5 gauss 2.5

    action walkF: disF' == disF - unit and disB' == disB + unit
    action walkB: disF' == disF + unit and disB' == disB - unit
    action turnL: disF' == disL and disL' == disB and disB' == disR and disR' == disF
    action turnR: disF' == disR and disR' == disB and disB' == disL and disL' == disF

    failure bump: disF <= 0 after walkF, disB <= 0 after walkB
"""

CAR_ALONE = _CAR_WORLD + """
    state A initial
    rule r0: A -> A when disF >= 20 do walkF
"""

CAR = _CAR_WORLD + """
    state A initial
    state B, D, E
    rule r0: A -> A when disF >= 20 do walkF
    rule r1: A -> B when disF < 20 and disL >= 20 do turnL, walkF, turnL
    rule r2: A -> D when disF < 20 and (disL < 20 and disR >= 20) do turnR, walkF, turnR
    rule r3: A -> E when disF < 20 and (disL < 20 and disR < 20) do walkB
"""

_EACH = ["bump: r0", "bump: r1", "bump: r2", "bump: r3"]


def _car_cases():
    yield Known(
        "robot car, r0 only",
        CAR_ALONE,
        1,
        {"naive": (1, ["bump: r0"]), "ideal": (1, []), "actual": (1, ["bump: r0"]), "as-printed": (1, ["bump: r0"])},
    )
    # Without errors, turning and walking are safe; nothing is asked before walking back.
    yield Known(
        "robot car, state A",
        CAR,
        1,
        {"naive": (4, _EACH), "ideal": (4, ["bump: r3"]), "actual": (4, _EACH), "as-printed": (4, _EACH)},
    )
    twice = [*_EACH, "bump: r0 r0", "bump: r0 r1", "bump: r0 r2", "bump: r0 r3"]
    yield Known(
        "robot car, two steps",
        CAR,
        2,
        {"naive": (8, twice), "ideal": (8, ["bump: r3", "bump: r0 r3"]), "actual": (8, twice), "as-printed": (8, twice)},
    )
    # From which distances the car can crash. At 13 at most 19 is sensed, so it does not walk; it walks 15 at most. As
    # printed it crashes if at most 21 is sensed, since then 6 may be sensed after it, and nothing be left: up to 27.
    for distance in range(12, 30):
        found = {}
        for mode, crashes in (("actual", range(14, 16)), ("as-printed", range(14, 28))):
            found[mode] = (int(distance >= 14), ["bump: r0"] if distance in crashes else [])
        yield Known(f"robot car at {distance}", CAR_ALONE + f"start disF == {distance}\n", 1, found)
    for distance, crashes in (("13.999", 0), ("15", 1), ("15.001", 0)):
        text = CAR_ALONE + f"start disF == {distance}\n"
        feasible = int(distance != "13.999")
        yield Known(f"robot car at {distance}", text, 1, {"actual": (feasible, ["bump: r0"] * crashes)})


# ---------------------------------------------------------------------------------------------------- one by one


def _same(nodes, *found):
    return {mode: (nodes, list(found)) for mode in ("naive", "ideal", "actual", "as-printed")}


def _case(name, text, bound, found, start="state A initial\n"):
    return Known(name, text + start, bound, found)


_RULES = [
    _case(
        "what is done is shared by all that an action does",
        """
        sense x : real 0..10
        sense y : real 0..10
        var u : real = 1 error -1..1 uniform
        start x == 5 and y == 5
        action walk: x' == x - u and y' == y + u
        failure apart: x + y != 10 after walk
        rule r: A -> A when true do walk
        """,
        3,
        {"actual": (3, []), "ideal": (3, []), "naive": (3, ["apart: r", "apart: r r", "apart: r r r"])},
    ),
    _case(
        "what is done is drawn anew for each action",
        """
        sense x : real 0..10
        sense y : real 0..10
        var u : real = 1 error -1..1 uniform
        start x == 5 and y == 5
        action one: x' == x - u and y' == y
        action two: x' == x and y' == y - u
        failure apart: x != y after two
        rule r: A -> A when true do one, two
        """,
        1,
        {"actual": (1, ["apart: r"]), "ideal": (1, [])},
    ),
    _case(
        "one reading serves all that is asked in a step, the stronger rules included",
        """
        sense x : int 0..10 error -3..3 uniform
        action stop: x' == x
        failure reached: x >= 0 after stop
        rule both: A -> A when x >= 5 and x < 5 do stop
        rule weak: A -> A when x >= 5 do stop
        rule strong: A -> A priority 1 when x >= 2 do stop
        """,
        1,
        {"actual": (1, ["reached: strong"])},
    ),
    _case(
        "sensing is drawn anew at each step, also when nothing was done",
        """
        sense x : real 0..10 error -1..1 uniform
        start x == 5
        action stop: x' == x
        failure reached: x == 5 after stop
        rule low: A -> B when x < 4.5
        rule high: B -> A when x > 5.5 do stop
        """,
        2,
        # As printed, what is sensed stays as it is.
        {"actual": (2, ["reached: low high"]), "as-printed": (1, []), "ideal": (0, [])},
        "state A initial, B\n",
    ),
    _case(
        "errors are within their range, its ends included",
        """
        sense x : real 0..10 error -1..2 triangle
        start x == 5
        action stop: x' == x
        failure reached: x == 5 after stop
        rule least: A -> B when x <= 4 do stop
        rule less: A -> B when x < 4 do stop
        rule most: A -> B when x >= 7 do stop
        rule more: A -> B when x > 7 do stop
        """,
        1,
        {"actual": (2, ["reached: least", "reached: most"]), "ideal": (0, [])},
        "state A initial, B\n",
    ),
    _case(
        "what is left open is free in its range, what is not may leave it",
        """
        sense x : int 0..3
        sense y : int 0..3
        action fall: x' == x - 5
        failure below: x < 0 after fall
        failure beyond: y < 0 or y > 3 after fall
        rule r: A -> A when y == 3 do fall
        """,
        2,
        # The run ends with its failure: x starts within 0..3 and is below 0 after one step.
        {"actual": (1, ["below: r"]), "ideal": (1, ["below: r"]), "naive": (2, [])},
    ),
    _case(
        "an own variable stays as it is, and without its error where it is only read",
        """
        sense x : int 0..3
        var u : int = 2 error -1..1 uniform
        action go: x' == 0
        failure changed: u != 2 after go
        rule meant: A -> A when u == 2 do go
        rule other: A -> A when u != 2 do go
        """,
        2,
        {"actual": (2, []), "naive": (2, [])},
    ),
    _case(
        "an own variable changes where an action primes it, from what is done",
        """
        sense x : int 0..3
        var u : int 0..9 = 2 error -1..1 uniform
        action go: u' == u + 1
        failure three: u == 3 after go
        failure four: u == 4 after go
        failure five: u == 5 after go
        rule r: A -> A when true do go
        """,
        1,
        {"actual": (1, ["three: r", "four: r"]), "ideal": (1, ["three: r"]), "naive": (1, [])},
    ),
    _case(
        "a run ends with its first failure, of whatever name",
        """
        sense x : int 0..9
        start x == 0
        action up: x' == x + 1
        failure one: x == 1 after up
        failure two: x == 2 after up
        rule r: A -> A when true do up, up
        """,
        2,
        {"actual": (1, ["one: r"]), "naive": (2, ["one: r", "two: r", "one: r r", "two: r r"])},
    ),
    _case(
        "two failures at once are two counterexamples",
        """
        sense x : int 0..9
        action up: x' == x + 1
        failure one: x >= 1 after up
        failure two: x >= 2 after up
        rule r: A -> A when x == 5 do up
        """,
        2,
        {"actual": (1, ["one: r", "two: r"])},
    ),
    _case(
        "a path that can fail goes on with other values",
        """
        sense x : int 0..9
        sense y : int 0..9
        action down: x' == x - 1
        failure empty: x <= 0 after down
        rule r: A -> A when true do down
        """,
        3,
        {"ideal": (3, ["empty: r", "empty: r r", "empty: r r r"])},
    ),
    _case(
        "an action that cannot be done takes no path",
        """
        sense x : int 0..9
        action half: 2 * x' == x
        action never: x' > x and x' < x
        failure odd: x == 1 after half
        rule r: A -> A when x in {3, 5} do half
        rule s: A -> A when x in {2, 3} do half
        rule t: A -> A when true do never
        rule u: A -> B when true
        """,
        1,
        {"actual": (2, ["odd: s"]), "naive": (4, ["odd: r", "odd: s"])},
        "state A initial, B\n",
    ),
    _case(
        "the same at the last action, after a failure that ends the run",
        """
        sense x : int 0..9
        action stop: x' == x
        action never: x' > x and x' < x
        failure three: x == 3 after stop
        rule r: A -> A when x <= 3 do stop, never
        """,
        2,
        {"actual": (1, ["three: r"])},
    ),
    _case(
        "values of an int are whole, sensed and done ones too",
        """
        sense x : int 0..9 error -1..1 uniform
        sense y : real 0..9
        var u : int = 1 error -1..1 uniform
        action go: y' == u and x' == x
        failure between: y > 0 and y < 1 after go
        failure one: y == 1 after go
        rule r: A -> A when x == 3 do go
        rule s: A -> A when x > 3 and x < 4 do go
        """,
        1,
        {"actual": (1, ["one: r"])},
    ),
    _case(
        "an assignment sets what is, and what is sensed with its error",
        """
        sense x : int 0..9 error -1..1 uniform
        action stop: x' == x
        failure five: x == 5 after stop
        failure other: x != 5 after stop
        rule r: A -> B when true do x := 5
        rule s: B -> A when x == 6 do stop
        rule t: B -> A when x == 7 do stop
        """,
        2,
        {"actual": (2, ["five: r s"]), "ideal": (1, [])},
        "state A initial, B\n",
    ),
    _case(
        "a name that is not declared does nothing",
        """
        sense x : int 0..9
        start x == 2
        action stop: x' == x
        failure two: x == 2 after stop
        failure other: x != 2 after stop
        rule r: A -> B when true do beep
        rule s: B -> A when true do stop, beep
        """,
        2,
        {"actual": (2, ["two: r s"])},
        "state A initial, B\n",
    ),
    _case(
        "start conditions hold at the start only, and for what is",
        """
        sense x : int 0..9 error -1..1 uniform
        sense y : int 0..9
        start x == 5 and y == 1
        action go: x' == x + 1
        failure six: x == 6 and y == 7 after go
        rule r: A -> A when x == 6 do go
        """,
        1,
        {"actual": (1, ["six: r"]), "ideal": (0, [])},
    ),
    _case(
        "constraints hold before every step, for what is and not for what is sensed; failures are asked first",
        """
        sense x : int 0..9 error -1..1 uniform
        start x == 6
        constraint x <= 6
        action go: x' == x + 1
        failure seven: x == 7 after go
        failure eight: x == 8 after go
        rule r: A -> A when x > 6 do go
        """,
        3,
        {"actual": (1, ["seven: r"]), "ideal": (0, [])},
        "state A initial\n",
    ),
    _case(
        "constraints are not imposed between the actions of a rule, nor on what comes after the last step",
        """
        sense x : int 0..9
        start x == 5
        constraint x == 5
        action go: x' == x + 1
        action back: x' == x - 1
        failure six: x == 6 after back
        rule over: A -> A when true do go, back
        rule out: A -> B when true do go
        rule never: B -> A when true do go, back
        """,
        3,
        {"actual": (6, []), "ideal": (6, [])},
        "state A initial, B\n",
    ),
    _case(
        "as printed, what is sensed is within the error of what satisfies the constraints",
        """
        sense x : int 0..9 error -1..1 uniform
        start x == 5
        constraint x <= 6
        action go: x' == x + 1
        action stay: x' == x
        failure nine: x == 9 after stay
        failure eight: x == 8 after stay
        rule r: A -> B when x == 6 do go
        rule s: B -> B when true do stay
        """,
        3,
        {"as-printed": (3, ["eight: r s", "eight: r s s"]), "actual": (3, [])},
        "state A initial, B\n",
    ),
    _case(
        "a constraint that cannot hold leaves nothing to start from",
        """
        sense x : int 0..9
        constraint x > 9
        action go: x' == x + 1
        failure any: x > 0 after go
        rule r: A -> A when true do go
        """,
        2,
        _same(0),
    ),
    _case(
        "an atom over a variable without a value is false",
        """
        sense on : bool
        sense x : int 0..9 if on
        start on and x == 4
        action look: x' == x and on'
        failure four: x == 4 after look
        rule off: A -> B when true do on := false
        rule blind: B -> C when not x > 0 and not x <= 0
        rule sees: B -> C when x > 0 or x <= 0
        rule r: C -> C when true do look
        """,
        3,
        {"actual": (2, [])},
        "state A initial, B, C\n",
    ),
    _case(
        "what stands behind a guard that is set takes any value, if the guard did not hold already",
        """
        sense on : bool
        sense x : int 0..9 if on
        start on and x == 4
        action look: x' == x and on'
        failure four: x == 4 after look
        failure other: x != 4 after look
        rule off: A -> B when true do on := false
        rule back: A, B -> C when true do on := true
        rule r: C -> C when true do look
        """,
        3,
        {"actual": (5, ["four: back r", "four: off back r", "other: off back r"])},
        "state A initial, B, C\n",
    ),
    _case(
        "a later value has a value when its guard holds afterwards",
        """
        sense on : bool
        sense x : int 0..9 if on
        action drop: not on' and (x' == 1 or x' != 1)
        action keep: on' and x' == 1
        action free: x' == 1
        failure any: on or not on after drop
        failure kept: x == 1 after keep
        failure freed: x == 1 after free
        rule r: A -> A when on do drop
        rule s: A -> A when on do keep
        rule t: A -> A when on do free
        """,
        1,
        {"actual": (2, ["kept: s", "freed: t"])},
    ),
    _case(
        "a later value of an enumeration is one of its members, one of a boolean true or false",
        """
        sense mode : {slow, fast}
        sense on : bool
        var gear : {low, middle, high} = low
        var armed : bool = false
        sense other : {red, slow, green}
        action go: mode' != slow and gear' != middle and other' != green and (on' iff not on) and (armed' or not armed)
        failure mode: mode != fast after go
        failure gear: gear == middle or gear != low and gear != high after go
        failure other: not other in {red, slow} after go
        failure low: gear == low after go
        failure high: gear == high after go
        rule r: A -> A when true do go
        """,
        1,
        {"actual": (1, ["low: r", "high: r"])},
    ),
    _case(
        "enumerations and sets",
        """
        sense mode : {slow, fast}
        sense near : set {wall, door}
        sense x : int 0..9
        start x == 6
        action go: (mode == slow implies x' == x - 1) and (mode == fast implies x' == x - 3) and mode' == mode
        failure three: x == 3 and near has wall after go
        failure four: x == 4 after go
        rule slow: A -> A when mode == slow and near has door do go
        rule fast: A -> A when mode in {fast} and not near has door do go
        """,
        2,
        {"actual": (4, ["three: fast", "four: slow slow"])},
    ),
    _case(
        "as printed, what an action leaves open is in its range and sensed within the error of that",
        """
        sense x : int 0..3 error -1..1 uniform
        sense y : int 0..3
        action go: y' == y
        failure beyond: x > 3 or x < 0 after go
        action swap: y' == x and x' == y
        failure high: y == 4 after swap
        rule r: A -> B when true do go
        rule s: B -> A when x == 4 do swap
        """,
        2,
        {"actual": (2, []), "as-printed": (2, ["high: r s"])},
        "state A initial, B\n",
    ),
]


def known_answers():
    return [*_car_cases(), *_RULES]
