#!/usr/bin/env python3
"""Checks every #include of the C++ sources against tools/layers.txt.

    tools/lint_layers.py [ROOT]

Prints one line per include that the table does not allow, and ends with status 1 if there is one.
"""

import re
import sys
from fnmatch import fnmatchcase
from pathlib import Path

TOP_FOLDERS = ["poise", "server", "cli"]
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def read_table(path):
    """The two tables: folder -> patterns it may use, header pattern -> files that may include it."""
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


def folder_of(path):
    """The layer a file belongs to: two levels below poise/, one elsewhere."""
    parts = path.split("/")
    return "/".join(parts[:2]) if parts[0] == "poise" else parts[0]


def may_use(header, patterns):
    return any(
        fnmatchcase(header, pattern) or fnmatchcase(folder_of(header), pattern)
        for pattern in patterns
    )


def complaint(file, quote, header, folders, headers):
    """What is wrong with `file` including `header`, or None."""
    if quote == '"':
        if header.split("/")[0] not in TOP_FOLDERS:
            return f"`{header}` is not a path from the root of the repository"
        folder = folder_of(file)
        if folder_of(header) == folder or may_use(header, folders[folder]):
            return None
        return f"{folder} may not use `{header}`"
    known = [pattern for pattern in headers if fnmatchcase(header, pattern)]
    if not known:
        standard = "/" not in header and "." not in header
        return None if standard else f"<{header}> has no row"
    if any(fnmatchcase(file, by) for pattern in known for by in headers[pattern]):
        return None
    return f"<{header}> may not be included here"


def violations(root):
    folders, headers = read_table(root / "tools" / "layers.txt")
    for folder, uses in folders.items():
        for use in uses:
            if "*" not in use and use not in folders:
                yield f"tools/layers.txt: {folder} may use {use}, which has no row"
    for top in TOP_FOLDERS:
        for path in sorted((root / top).rglob("*")):
            file = path.relative_to(root).as_posix()
            if path.suffix not in (".h", ".cpp", ".def") or file.endswith("_test.cpp"):
                continue
            if folder_of(file) not in folders:
                yield f"{file}: {folder_of(file)} has no row"
                continue
            text = path.read_text(encoding="utf-8")
            for match in INCLUDE.finditer(text):
                reason = complaint(file, match[1], match[2], folders, headers)
                if reason:
                    line = text.count("\n", 0, match.start(1)) + 1
                    yield f"{file}:{line}: {reason}"


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
