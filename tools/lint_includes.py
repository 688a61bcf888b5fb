#!/usr/bin/env python3
"""What a file uses of the headers that some presets read once for all files (cmake/precompile.cmake), it must include,
itself or through headers of ours: else it compiles there, and nowhere else.

    tools/lint_includes.py
"""

import functools
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
FOLDERS = ["poise", "cli", "tests", "bench"]

# Names that only this header has.
ALGORITHMS = (
    "sort stable_sort find find_if any_of all_of none_of count count_if copy copy_n copy_backward fill fill_n reverse "
    "max_element min_element lower_bound upper_bound binary_search unique transform is_sorted clamp"
).split()
NAMES = {
    "algorithm": r"std::(ranges::)?(" + "|".join(ALGORITHMS) + r")\(",
    "functional": r"std::function<",
    "map": r"std::(multi)?map<",
    "optional": r"std::(optional<|nullopt\b)",
    "set": r"std::(multi)?set<",
    "span": r"std::span\b",
    "string": r"std::(string|to_string)\b",
    "string_view": r"std::string_view\b",
    "unordered_map": r"std::unordered_map<",
    "variant": r"std::(variant<|visit\(|get_if<|holds_alternative<|monostate\b)",
    "vector": r"std::vector<",
    "fmt/format.h": r"fmt::(format|print|join|runtime|format_to)\b",
}
# Comments and texts.
WORDS = re.compile(r'//[^\n]*|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"', re.S)
INCLUDE = re.compile(r'^#include [<"]([^>"]+)[>"]', re.M)


@functools.cache
def included(path):
    found = set()
    for name in INCLUDE.findall(path.read_text()):
        found.add(name)
        if (ROOT / name).is_file():
            found |= included(ROOT / name)
    # A string has its view: that much the standard library promises.
    return found | ({"string_view"} if "string" in found else set())


def main():
    problems = []
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix not in (".cpp", ".h"):
                continue
            text = WORDS.sub("", path.read_text())
            for header, pattern in NAMES.items():
                if header not in included(path) and re.search(pattern, text):
                    problems.append(f"{path.relative_to(ROOT)}: <{header}> is used and not included")
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
