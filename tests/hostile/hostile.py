"""Hostile inputs, made on the fly: whatever the file, `poise check`, `poise fmt` and, for logs and
verdicts, `poise rank` and `poise watch` must end by themselves, soon, in bounded memory, with a status of 0 to 3 and a
word on what is wrong.

    POISE=build/release/bin/poise python3 tests/hostile/hostile.py [--scale 0.1] [NAME...]

At scale 1 most files have a million of something or ten megabytes.
"""

import argparse
import gzip
import os
import random
import resource
import subprocess
import sys
import tempfile
import threading
import time

MAX_SECONDS = 60
MAX_RESIDENT = 2 << 30

HEAD = b"sense a : bool\nsense b : bool\nsense x : int 0..9\nsense r : real 0..9\nstate S initial\n"

CASES = {}


def case(*statuses, read_as="model"):
    """Registers a generator of bytes under its name, with what `check` (or `rank`, where the bytes
    are a log or verdicts) may answer."""

    def register(make):
        CASES[make.__name__] = (make, statuses, read_as)
        return make

    return register


def rule(guard, name=b"r"):
    return b"rule " + name + b": S -> S when " + guard + b"\n"


# ---- Many of one kind ----


@case(0, 1, 3)
def many_rules(n):
    yield HEAD
    for i in range(n):
        yield b"rule r%d: S -> S when x == %d\n" % (i, i % 10)


@case(0, 1, 3)
def many_rules_with_one_guard(n):
    yield HEAD
    for i in range(n):
        yield b"rule r%d: S -> S when a\n" % i


@case(0, 1, 3)
def many_states_in_a_chain(n):
    yield HEAD + b"rule first: S -> s0 when a\n"
    for i in range(n):
        yield b"state s%d\nrule r%d: s%d -> s%d when a\n" % (i, i, i, (i + 1) % n)


@case(0, 1, 3)
def many_states_in_one_declaration(n):
    yield HEAD + b"state " + b", ".join(b"s%d" % i for i in range(n)) + b"\n"


@case(0, 1, 3)
def one_rule_from_many_states(n):
    names = b", ".join(b"s%d" % i for i in range(n))
    yield HEAD + b"state " + names + b"\nrule r: S, " + names + b" -> S when a\n"


@case(2)
def the_same_rule_again_and_again(n):
    yield HEAD
    for _ in range(n):
        yield rule(b"a")


@case(0, 1, 3)
def flat_or(n):
    yield HEAD + rule(b" or ".join([b"a", b"b", b"x > 3", b"not a"] * (n // 4)))


@case(0, 1, 3)
def flat_or_of_different_atoms(n):
    yield b"state S initial\nsense y : int 0..%d\n" % n
    yield rule(b" or ".join(b"y == %d" % i for i in range(n // 10)))


@case(0, 1, 2, 3)
def flat_sum(n):
    yield HEAD + rule(b" + ".join([b"x", b"1"] * (n // 2)) + b" > 3")


@case(2)
def flat_product(n):
    yield HEAD + rule(b" * ".join([b"9999999999"] * n) + b" > 3")


@case(0, 1, 2, 3)
def product_of_variables(n):
    yield HEAD + rule(b" * ".join([b"x", b"r"] * (n // 2)) + b" > 3")


@case(0, 1, 3)
def many_actions(n):
    yield HEAD + b"var v : bool = true\nrule r: S -> S when a do " + b", ".join(
        [b"v := true"] * n
    ) + b"\n"


@case(0, 1, 3)
def many_members(n):
    names = b", ".join(b"m%d" % i for i in range(n))
    yield b"state S initial\nsense e : {" + names + b"}\n"
    yield rule(b"e == m%d" % (n - 1))


@case(0, 1, 3)
def many_members_asked_often(n):
    names = b", ".join(b"m%d" % i for i in range(n // 10))
    yield b"state S initial\nsense e : {" + names + b"}\nsense s : set {" + names + b"}\n"
    for i in range(n // 10):
        yield b"rule r%d: S -> S when e == m%d and s has m0\n" % (i, i)


@case(2)
def many_unknown_members(n):
    names = b", ".join(b"m%d" % i for i in range(n // 10))
    yield b"state S initial\nsense e : {" + names + b"}\n"
    for i in range(n // 10):
        yield b"rule r%d: S -> S when e == n%d\n" % (i, i)


@case(0, 1, 3)
def long_membership(n):
    yield HEAD + rule(b"x in {" + b", ".join(b"%d" % i for i in range(n)) + b"}")


@case(0, 1, 3)
def many_constraints(n):
    yield HEAD
    for i in range(n):
        yield b"constraint c%d: x != %d or a\n" % (i, i % 10 + 5)


@case(0, 1, 3)
def many_unused_variables(n):
    yield HEAD
    for i in range(n):
        yield b"sense v%d : bool\n" % i
    yield rule(b"a")


# ---- Nesting ----


@case(2)
def nested_parentheses(n):
    yield HEAD + rule(b"(" * n + b"a" + b")" * n)


@case(2)
def unclosed_parentheses(n):
    yield HEAD + rule(b"(" * n)


@case(2)
def nested_nots(n):
    yield HEAD + rule(b"not " * n + b"a")


@case(2)
def nested_minuses(n):
    yield HEAD + rule(b"-" * n + b"x > 3")


@case(2)
def implies_chain(n):
    yield HEAD + rule(b"a implies " * n + b"b")


@case(2)
def iff_chain(n):
    yield HEAD + rule(b"a iff " * n + b"b")


@case(2)
def nested_calls(n):
    yield HEAD + b"let f(p) = not p\n" + rule(b"f(" * n + b"a" + b")" * n)


@case(2)
def nested_braces(n):
    yield HEAD + rule(b"x in " + b"{" * n)


@case(2)
def chain_of_guards(n):
    yield b"state S initial\nsense g0 : bool\n"
    for i in range(1, n):
        yield b"sense g%d : bool if g%d\n" % (i, i - 1)


@case(2)
def ring_of_guards(n):
    yield b"state S initial\n"
    for i in range(n):
        yield b"sense g%d : bool if g%d\n" % (i, (i + 1) % n)


@case(2)
def chain_of_lets(n):
    yield HEAD + b"let l0 = a\n"
    for i in range(1, n):
        yield b"let l%d = not l%d\n" % (i, i - 1)
    yield rule(b"l%d" % (n - 1))


@case(2)
def chain_of_lets_backwards(n):
    yield HEAD
    for i in range(n):
        yield b"let l%d = not l%d\n" % (i, i + 1)
    yield b"let l%d = a\n" % n + rule(b"l0")


@case(0, 1, 3)
def chain_of_plain_lets(n):
    yield HEAD + b"let l0 = x\n"
    for i in range(1, n):
        yield b"let l%d = l%d\n" % (i, i - 1)
    yield rule(b"l%d > 3" % (n - 1))


@case(2)
def ring_of_lets(n):
    yield HEAD
    for i in range(n):
        yield b"let l%d = l%d\n" % (i, (i + 1) % n)


@case(2)
def chain_of_calls(n):
    yield HEAD + b"let f0(p) = p > 3\n"
    for i in range(1, n):
        yield b"let f%d(p) = f%d(p + 1)\n" % (i, i - 1)
    yield rule(b"f%d(x)" % (n - 1))


# ---- Short texts that ask for much ----


@case(0, 1, 3)
def doubling_lets(n):
    yield HEAD + b"let l0 = a\n"
    for i in range(1, 200):
        yield b"let l%d = l%d and b or not l%d\n" % (i, i - 1, i - 1)
    yield rule(b"l199")


@case(2)
def doubling_calls(n):
    yield HEAD + b"let f0(p) = x > p\n"
    for i in range(1, 100):
        yield b"let f%d(p) = f%d(p + 1) and f%d(p + 2)\n" % (i, i - 1, i - 1)
    yield rule(b"f99(0)")


@case(2)
def doubling_calls_of_an_argument(n):
    yield HEAD + b"let g(p) = p > x\nlet f0(p) = p\n"
    for i in range(1, 100):
        yield b"let f%d(p) = f%d(p) or not f%d(p)\n" % (i, i - 1, i - 1)
    yield rule(b"f99(g(3))")


@case(2)
def many_large_expansions(n):
    yield HEAD + b"let f0(p) = x > p\n"
    for i in range(1, 10):
        yield b"let f%d(p) = f%d(2 * p) or f%d(2 * p + 1)\n" % (i, i - 1, i - 1)
    for i in range(n // 200):
        yield b"rule r%d: S -> S when f9(%d)\n" % (i, i)


@case(2)
def squaring_numbers(n):
    yield HEAD + b"let n0 = 3\n"
    for i in range(1, 100):
        yield b"let n%d = n%d * n%d\n" % (i, i - 1, i - 1)
    yield rule(b"x > n99")


@case(2)
def squaring_sums(n):
    yield HEAD + b"sense y : real 0..9\nlet p0 = x + r + y + 1\n"
    for i in range(1, 40):
        yield b"let p%d = p%d * p%d\n" % (i, i - 1, i - 1)
    yield rule(b"p39 > 3")


@case(1)
def two_hundred_booleans(n):
    for i in range(200):
        yield b"sense b%d : bool\n" % i
    yield b"constraint " + b" or ".join(b"b%d" % i for i in range(200)) + b"\n"
    yield b"state S initial\n" + rule(b"b0")


@case(0, 1, 3)
def huge_integers(n):
    yield b"sense y : int 0..%d\nsense z : int 0..%d\n" % (10**30, 10**30)
    yield b"state S initial\n" + rule(b"y < z + 3 and y > 7")


@case(0, 1, 3)
def reals_compared_with_each_other(n):
    for i in range(8):
        yield b"sense y%d : real 0..1000\n" % i
    yield b"state S initial\n"
    for i in range(8):
        for j in range(i):
            yield b"rule r%d_%d: S -> S when y%d + %d < 2 * y%d\n" % (i, j, i, i * j, j)


@case(0, 1, 3)
def complete_graph_of_states(n):
    count = 60
    yield HEAD + b"".join(b"state s%d\n" % i for i in range(count))
    for i in range(count):
        for j in range(count):
            yield b"rule r%d_%d: s%d -> s%d when a\n" % (i, j, i, j)
    yield b"rule start: S -> s0 when b\n"


# ---- Mistakes ----


@case(2)
def many_mistakes(n):
    for _ in range(n):
        yield b"sense : :\n"


@case(2)
def many_unknown_names(n):
    yield HEAD
    for i in range(n):
        yield b"rule r%d: S -> S when unknown%d\n" % (i, i)


@case(2)
def many_names_guessed(n):
    yield b"state S initial\n"
    for i in range(n // 50):
        yield b"sense variable_number_%d : bool\n" % i
    for i in range(n // 50):
        yield b"rule r%d: S -> S when varaible_number_%d\n" % (i, i)


@case(2)
def many_strange_characters(n):
    yield "état → “x” ≥ ".encode() * n


@case(2)
def many_quotes(n):
    yield HEAD + rule(b'"' * n)


@case(2)
def many_brackets(n):
    yield b"{([}])" * n


@case(2)
def keywords_only(n):
    yield b" ".join([b"model sense var let constraint state rule when do priority if"] * (n // 10))


# ---- Bytes ----


@case(2)
def one_line(n):
    yield HEAD + rule(b"a and " * (10 * n // 6) + b"unknown")


@case(0, 1)
def a_long_comment(n):
    yield HEAD + rule(b"a") + b"#" + b" comment" * (10 * n // 8)


@case(0, 1)
def many_comments(n):
    yield HEAD + rule(b"a") + b"# c\n" * n


@case(0, 1)
def blank_lines(n):
    yield HEAD + b"\n" * (10 * n) + rule(b"a")


@case(2)
def nul_bytes(n):
    yield b"\0" * (10 * n)


@case(2)
def a_nul_at_the_end(n):
    yield HEAD + rule(b"a") + b"\n" * n + b"\0"


@case(2)
def invalid_utf8(n):
    yield b"\xff\xc0\x80\xed\xa0\x80" * n


@case(2)
def utf16(n):
    yield (HEAD + rule(b"a") * (n // 10)).decode().encode("utf-16")


@case(2)
def random_bytes(n):
    yield random.Random(1).randbytes(10 * n)


@case(2)
def random_tokens(n):
    words = (
        b"sense state rule let var constraint when do if and or not ( ) { } , : := -> == < > in has "
        b"a b x S 1 2.5 int bool real set true initial final priority .. + - * implies iff \n"
    ).split(b" ")
    yield b" ".join(random.Random(2).choices(words, k=n))


@case(2)
def a_long_number(n):
    yield HEAD + rule(b"x > " + b"9" * (10 * n))


@case(2)
def a_long_fraction(n):
    yield HEAD + rule(b"x > 0." + b"9" * (10 * n))


@case(2)
def a_long_name_unknown(n):
    yield HEAD + rule(b"n" * (10 * n))


@case(0, 1, 2)
def a_long_name(n):
    name = b"n" * (3 * n)
    yield b"state S initial\nsense " + name + b" : bool\n" + rule(name)


@case(2)
def two_long_names(n):
    name = b"n" * (3 * n)
    yield b"state S initial\nsense " + name + b" : bool\n" + rule(name + b"m")


@case(2)
def a_name_of_dots(n):
    yield HEAD + rule(b"a." * (5 * n))


# ---- Streams ----


@case(0, 1, 3)
def many_streams(n):
    yield HEAD
    for i in range(n // 4):
        yield b"stream s%d { x: int 0..9 }\n" % i
    yield rule(b"exists e in s%d: e.x > 3" % (n // 4 - 1))


@case(0, 1, 2, 3)
def many_fields_asked_often(n):
    fields = b", ".join(b"f%d: bool" % i for i in range(n // 100))
    yield HEAD + b"stream s { " + fields + b" }\n"
    yield rule(b"exists e in s: " + b" and ".join(b"e.f%d" % i for i in reversed(range(n // 100))))


@case(0, 1, 3)
def many_quantifiers(n):
    yield HEAD + b"stream s { x: int 0..999999 }\n"
    for i in range(n // 10):
        yield b"state T%d\nrule r%d: T%d -> S when exists e in s[last 5s]: e.x > %d\n" % (i, i, i, i)


@case(0, 1, 2, 3)
def one_rule_of_many_quantifiers(n):
    yield HEAD + b"stream s { x: int 0..999999 }\n"
    yield rule(b" or ".join(b"(exists e in s: e.x > %d)" % i for i in range(n // 10)))


@case(2)
def nested_quantifiers(n):
    yield HEAD + b"stream s { x: int 0..9 }\n"
    yield rule(b"".join(b"exists e%d in s: " % i for i in range(n)) + b"e0.x > 3")


@case(2)
def a_let_of_many_quantifiers(n):
    yield HEAD + b"stream s { x: int 0..9 }\n"
    yield b"let p(y) = " + b" or ".join(b"(exists e%d in s: e%d.x > y)" % (i, i) for i in range(n // 10))
    yield b"\n" + rule(b"p(3)")


@case(2)
def many_unknown_streams(n):
    yield HEAD + b"".join(b"stream s%d { x: bool }\n" % i for i in range(n // 100))
    for i in range(n // 10):
        yield rule(b"exists e in t%d: e.x" % i, b"r%d" % i)


@case(2)
def many_unknown_fields(n):
    fields = b", ".join(b"f%d: bool" % i for i in range(n // 100))
    yield HEAD + b"stream s { " + fields + b" }\n"
    for i in range(n // 100):
        yield rule(b"exists e in s: e.g%d" % i, b"r%d" % i)


@case(0, 1, read_as="watched")
def a_log_of_many_elements(n):
    for i in range(n):
        yield b'{"t": %d, "add": "%s", "value": {"tag": "x%d"}}\n' % (i // 1000, b"LS"[i % 2 : i % 2 + 1], i // 2)


@case(0, 1, read_as="watched")
def a_log_of_many_watched_apps(n):
    for i in range(n // 4):
        yield b'{"t": %d, "app": "app-%d", "add": "L", "value": {"tag": "x"}}\n' % (i, i)


@case(0, 1, read_as="watched")
def a_log_that_is_no_log(n):
    yield b'{"t": 1, "add": "L", "value": {"tag": ' + b"[" * n + b"\n" + b"garbage\n" * n


# ---- The world ----


@case(0, 1, 3)
def many_actions_and_failures(n):
    yield HEAD
    for i in range(n // 4):
        yield b"action act%d: x' == x + %d\nfailure f%d: x > 9 after act%d\n" % (i, i, i, i)
    yield b"rule r: S -> S when a do act0\n"


@case(0, 1, 3)
def many_actions_of_one_let(n):
    yield HEAD + b"let big = " + b" or ".join(b"x == %d" % i for i in range(1000)) + b"\n"
    for i in range(n // 4):
        yield b"action act%d: big and a'\n" % i


@case(2)
def many_actions_that_are_almost_declared(n):
    yield HEAD
    for i in range(n // 10):
        yield b"action action%d: a'\nrule r%d: S -> S when a do acton%d\n" % (i, i, i)


@case(0, 1, 3)
def many_names_that_are_no_actions(n):
    yield HEAD
    for i in range(n // 10):
        yield b"action action%d: a'\nrule r%d: S -> S when a do z%dyyyyyyyyyyyyyyyyyyyy\n" % (i, i, i)


@case(2)
def many_primes(n):
    yield HEAD + b"action act: a" + b"'" * n + b"\n"


@case(0, 1, 3)
def an_error_of_many_weights(n):
    yield HEAD + b"sense e : real 0..9 error -1..1 table" + b" 1" * n + b"\n"


# ---- Logs and verdicts ----


@case(1, read_as="log")
def a_log_of_damaged_lines(n):
    yield b"garbage\n" * n


@case(1, read_as="log")
def a_log_of_damaged_rows(n):
    yield b"t,a,b\n" + b"noon,1,\xff\n" * n


@case(1, read_as="log")
def a_log_with_a_long_line(n):
    yield b'{"t": 1, "set": {"a": true}}\n' + b'{"t": 2, ' + b" " * (10 * n) + b"}\n"
    yield b'{"t": 3, "set": {"b": true}}\n'


@case(1, read_as="log")
def a_log_of_many_apps(n):
    for i in range(n):
        yield b'{"t": %d, "app": "app-%d", "set": {"a": true, "x": %d}}\n' % (i, i, i % 10)


@case(1, read_as="log")
def a_log_that_unpacks_to_one_line(n):
    yield gzip.compress(b"\0" * (200 * n), 1)


@case(1, read_as="feedback")
def damaged_verdicts(n):
    yield b'{"fault": "0123456789abcdef", "verdict": "perhaps"}\n' * n


@case(1, read_as="feedback")
def verdicts_on_other_faults(n):
    for i in range(n):
        yield b'{"fault": "%016x", "verdict": "confirmed"}\n' % i


# ---- Running ----


class Run:
    """One call of the program, ended by force when it takes too long."""

    def __init__(self, args, out):
        # In a file of its own, so that a flood of output fills no pipe.
        started = time.monotonic()
        self.process = subprocess.Popen(args, stdin=subprocess.DEVNULL, stdout=out, stderr=out)
        alarm = threading.Timer(MAX_SECONDS, self.process.kill)
        alarm.start()
        _, status, usage = os.wait4(self.process.pid, 0)
        alarm.cancel()
        self.process.returncode = self.status = os.waitstatus_to_exitcode(status)
        self.seconds = time.monotonic() - started
        self.resident = usage.ru_maxrss * 1024


def complaints(verb, run, said, allowed):
    if run.seconds >= MAX_SECONDS:
        yield f"took more than {MAX_SECONDS} s"
    elif run.status < 0:
        yield f"ended by signal {-run.status}"
    elif run.status not in allowed:
        yield f"exit status {run.status}, not one of {sorted(allowed)}"
    if run.resident > MAX_RESIDENT:
        yield f"used {run.resident >> 20} MB"
    if run.status in (2, 3) and not said.strip():
        yield "said nothing"
    if verb != "fmt" and len(said) > 5_000_000:
        yield f"said {len(said)} bytes"
    for word in (b"internal error", b"AddressSanitizer", b"runtime error"):
        if word in said:
            yield f"said `{word.decode()}`"


def calls(read_as, path, folder):
    """The verbs that read such a file, each with its arguments."""
    if read_as == "model":
        return {"check": [path], "fmt": [path]}
    model = os.path.join(folder, "small.poise")
    with open(model, "wb") as file:
        file.write(HEAD + b"state T\nrule r: S -> T when a or x > 3\nrule q: S -> S when b\n")
    if read_as == "log":
        return {"rank": [model, "--log", path]}
    if read_as == "watched":
        with open(model, "ab") as file:
            file.write(b"stream L { tag: string }\nstream S { tag: string }\nrule w: T -> S when exists l in L[last 1h]: "
                       b"all s in S[last 1h]: not l.tag == s.tag\n")
        return {"watch": [model, "--input", path, "--quiet"]}
    return {"rank": [model, "--log", os.devnull, "--" + read_as, path]}


def try_case(name, scale, folder):
    make, statuses, read_as = CASES[name]
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        for part in make(int(1_000_000 * scale)):
            file.write(part)
    wrong = 0
    # What does not parse cannot be laid out; what parses but is wrong or too much for a check can.
    # What is refused for its size at scale 1 may be answered when it is smaller.
    expected = set(statuses) if scale >= 1 else {0, 1, 2, 3}
    layouts = {0, 2} if 2 in statuses else {0}
    for verb, args in calls(read_as, path, folder).items():
        allowed = layouts if verb == "fmt" else expected
        with open(os.path.join(folder, "out"), "w+b") as out:
            run = Run([os.environ["POISE"], verb, *args], out)
            out.seek(0)
            said = out.read()
        found = list(complaints(verb, run, said, allowed))
        wrong += bool(found)
        first = said[:200].decode(errors="replace").splitlines()[:1]
        mark = "FAILED " if found else ""
        print(
            f"{mark}{verb} {name}: {run.status}, {run.seconds:.1f} s, {run.resident >> 20} MB"
            f" {'; '.join(found)}: {first[0] if first else ''}",
            flush=True,
        )
    os.remove(path)
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("names", nargs="*", default=list(CASES))
    options = parser.parse_args()
    # A program that explodes should not take the machine with it.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with tempfile.TemporaryDirectory() as folder:
        wrong = sum(try_case(name, options.scale, folder) for name in options.names)
    print(f"{wrong} runs went wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
