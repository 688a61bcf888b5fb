#!/usr/bin/env python3
"""The models of PICT's own tests, read here and there: every pair of values that PICT has is there, and no other.

POISE_PICT names a folder with PICT's sources, built: `pict` and `test/`. Without it this test is skipped."""

import itertools
import os
import re
import shutil
import subprocess
import tempfile
import unittest

POISE = os.environ["POISE"]
PICT = os.environ.get("POISE_PICT", "")


def rows_of(text):
    lines = text.rstrip("\n").split("\n")
    return [line.split("\t") for line in lines]


def pairs_of(rows):
    """A pair without negative values counts in rows without any only."""
    found = set()
    for row in rows[1:]:
        negative = any(value.startswith("~") for value in row)
        for (i, a), (j, b) in itertools.combinations(enumerate(row), 2):
            if not negative or a.startswith("~") or b.startswith("~"):
                found.add((i, a, j, b))
    return found


@unittest.skipUnless(PICT, "POISE_PICT is not set")
class OfPict(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def read(self, path):
        """What PICT makes of a model, and what we do: rows, or nothing."""
        there = subprocess.run([os.path.join(PICT, "pict"), path], capture_output=True, text=True, timeout=60)
        if there.returncode != 0:
            return None, None
        copy = os.path.join(self.folder, "model.pict")
        shutil.copy(path, copy)
        here = subprocess.run([POISE, "shake", "--tuples", "2", copy], capture_output=True, text=True, timeout=120)
        return rows_of(there.stdout), rows_of(here.stdout) if here.returncode == 0 else None

    def inside(self, text, names):
        """Pairs of columns that are in one sub-model."""
        found = set()
        for line in re.findall(r"^\s*\{([^}]*)\}", text, re.MULTILINE):
            places = [i for i, name in enumerate(names) if name.lower() in [one.strip().lower() for one in line.split(",")]]
            found |= set(itertools.combinations(places, 2))
        return found

    def test_models(self):
        accepted = read = 0
        for folder, _, files in sorted(os.walk(os.path.join(PICT, "test"))):
            for name in sorted(files):
                path = os.path.join(folder, name)
                if not name.endswith(".txt") or name == "CMakeLists.txt" or "+perf" in folder:
                    continue
                there, here = self.read(path)
                accepted += there is not None
                read += here is not None
                if there is None or here is None:
                    continue
                with open(path, encoding="utf-8-sig") as stream:
                    text = stream.read()
                # Second names of values, and tabs in them, cannot be compared in this way.
                if "|" in text or any(len(row) != len(there[0]) for row in there):
                    continue
                with self.subTest(path=path):
                    inside = self.inside(text, there[0])
                    theirs, ours = ({one for one in pairs_of(rows) if (one[0], one[2]) not in inside} for rows in (there, here))
                    self.assertEqual(set(), theirs - ours)
                    # Constraints and sub-models may keep PICT from pairs that can be had.
                    if not inside:
                        self.assertEqual(set(), ours - theirs)
        print(f"PICT accepts {accepted} models, and {read} are read")
        self.assertGreaterEqual(read, accepted * 150 // 160)


if __name__ == "__main__":
    unittest.main()
