#!/usr/bin/env python3
"""Every test of a build folder has exactly one of the labels quick, full and long (cmake/tests.cmake).

    tools/lint_labels.py BUILD_FOLDER
"""

import json
import subprocess
import sys

SIZES = {"quick", "full", "long"}


def main():
    listed = subprocess.run(["ctest", "--show-only=json-v1"], cwd=sys.argv[1], capture_output=True, text=True, check=True)
    tests = json.loads(listed.stdout)["tests"]
    wrong = 0
    for test in tests:
        properties = {one["name"]: one["value"] for one in test.get("properties", [])}
        sizes = SIZES.intersection(properties.get("LABELS", []))
        # A fixture that is still to be listed has no command.
        if len(sizes) != 1 and "command" in test:
            print(f"{test['name']}: {len(sizes)} of the labels quick, full and long")
            wrong += 1
    print(f"{len(tests)} tests, {wrong} without a label of their own")
    return 1 if wrong or not tests else 0


if __name__ == "__main__":
    sys.exit(main())
