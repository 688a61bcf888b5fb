#!/usr/bin/env python3
"""Checks every #include of the C++ sources against tools/layers.txt.

    tools/lint_layers.py [ROOT]

Prints one line per include that the table does not allow, per row that uses one below it, and per
cycle of headers; ends with status 1 if there is one.
"""

import re
import sys
from fnmatch import fnmatchcase
from pathlib import Path

TOP_FOLDERS = ["poise", "server", "cli"]
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def read_table(path):
    """The two tables: row -> patterns it may use, header pattern -> files that may include it."""
    tables = {"folders": {}, "headers": {}}
    table = None
    for line in path.read_text().splitlines():
        words = line.partition("#")[0].split()
        if not words:
            continue
        if words[0].startswith("["):
            table = tables[words[0].strip("[]")]
        else:
            table[words[0]] = words[1:]
    return tables["folders"], tables["headers"]


def row_of(path, rows):
    """The row a file belongs to: its own, or that of its folder."""
    folder = path.rpartition("/")[0]
    return next((row for row in (path, folder) if row in rows), None)


def used_rows(row, rows):
    """The rows that a row names, patterns written out; of itself and its kind only what is above."""
    order = list(rows)
    above = order[:order.index(row)]
    for pattern in rows[row]:
        matching = [other for other in order if fnmatchcase(other, pattern)]
        if "*" in pattern:
            matching = [other for other in matching if other in above]
        yield pattern, matching


def table_mistakes(rows):
    order = {row: place for place, row in enumerate(rows)}
    for row in rows:
        for pattern, used in used_rows(row, rows):
            if not used and pattern not in rows:
                yield f"tools/layers.txt: {row} may use {pattern}, which has no row above it"
            for other in used:
                if order[other] >= order[row]:
                    yield f"tools/layers.txt: {row} may use {other}, which does not stand above it"


def complaint(file, quote, header, rows, headers):
    """What is wrong with `file` including `header`, or None."""
    if quote == '"':
        if header.split("/")[0] not in TOP_FOLDERS:
            return f"`{header}` is not a path from the root of the repository"
        row, other = row_of(file, rows), row_of(header, rows)
        if row == other or any(other in used for _, used in used_rows(row, rows)):
            return None
        return f"{row} may not use `{header}`"
    known = [pattern for pattern in headers if fnmatchcase(header, pattern)]
    if not known:
        standard = "/" not in header and "." not in header
        return None if standard else f"<{header}> has no row"
    if any(fnmatchcase(file, by) for pattern in known for by in headers[pattern]):
        return None
    return f"<{header}> may not be included here"


def cycles(includes):
    """Each cycle of files that include each other, once, from its first file on."""
    done, path = set(), []

    def follow(file):
        if file in path:
            cycle = path[path.index(file):]
            yield f"{file}: a cycle of includes: {' -> '.join(cycle + [file])}"
            return
        if file in done:
            return
        path.append(file)
        for header in includes.get(file, []):
            yield from follow(header)
        path.pop()
        done.add(file)

    for file in includes:
        yield from follow(file)


def violations(root):
    rows, headers = read_table(root / "tools" / "layers.txt")
    yield from table_mistakes(rows)
    includes = {}
    for top in TOP_FOLDERS:
        for path in sorted((root / top).rglob("*")):
            file = path.relative_to(root).as_posix()
            if path.suffix not in (".h", ".cpp", ".def") or re.search(r"_test\.(h|cpp)$", file):
                continue
            if row_of(file, rows) is None:
                yield f"{file}: {path.parent.relative_to(root).as_posix()} has no row"
                continue
            text = path.read_text(encoding="utf-8")
            includes[file] = []
            for match in INCLUDE.finditer(text):
                if match[1] == '"':
                    includes[file].append(match[2])
                reason = complaint(file, match[1], match[2], rows, headers)
                if reason:
                    line = text.count("\n", 0, match.start(1)) + 1
                    yield f"{file}:{line}: {reason}"
    yield from cycles(includes)


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    found = list(violations(root))
    for line in found:
        print(line)
    if found:
        print("the rules are in tools/layers.txt")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
