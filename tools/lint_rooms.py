#!/usr/bin/env python3
"""Files of one room are compiled as one (cmake/unity.cmake), so a name in an unnamed namespace may stand in one of them only:
two functions of one name would be overloads there, and a call could go to the wrong one without a word.

    tools/lint_rooms.py
"""

import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
UNNAMED = re.compile(r"^namespace \{$(.*?)^\}  // namespace$", re.MULTILINE | re.DOTALL)
FUNCTION = re.compile(r"^(?!using|return|static_assert|struct|class|enum|template|namespace|//|#|\s|\})[^=;(]*?\b(\w+)\(", re.MULTILINE)
OTHER = re.compile(r"^(?:struct|class|enum class) (\w+)|^(?:inline )?constexpr [^=;(]*?\b(\w+)(?:\[\])? ?[={]", re.MULTILINE)


def names_in(text):
    names = set()
    for block in UNNAMED.findall(text):
        names.update(FUNCTION.findall(block))
        names.update(name for pair in OTHER.findall(block) for name in pair if name)
    return names - {"operator"}


def main():
    rooms = collections.defaultdict(lambda: collections.defaultdict(list))
    for top in ("poise", "cli", "bench/worlds"):
        for path in sorted((ROOT / top).rglob("*.cpp")):
            if path.name.endswith("_test.cpp"):
                continue
            for name in names_in(path.read_text(encoding="utf-8")):
                rooms[path.parent.relative_to(ROOT).as_posix()][name].append(path.name)
    wrong = 0
    for room, names in sorted(rooms.items()):
        for name, files in sorted(names.items()):
            if len(files) > 1:
                print(f"{room}: `{name}` is in the unnamed namespaces of {', '.join(files)}")
                wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
