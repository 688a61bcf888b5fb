#!/usr/bin/env python3
"""Small trees on which tools/lint_layers.py must speak up, or must not."""

import shutil
import tempfile
import unittest
from pathlib import Path

from lint_layers import table_mistakes, violations

TABLE = Path(__file__).resolve().parent / "layers.txt"


class LintLayers(unittest.TestCase):
    def found(self, files):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "tools").mkdir()
            shutil.copy(TABLE, root / "tools" / "layers.txt")
            for name, text in files.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text)
            return list(violations(root))

    def test_allows_what_the_table_allows(self):
        self.assertEqual([], self.found({
            "poise/base/result.h": "#include <string>\n#include <tl/expected.hpp>\n",
            "poise/base/integer.cpp": "#include <gmp.h>\n#include <fmt/core.h>\n",
            "poise/check/check.cpp": '#include "poise/check/result.h"\n#include "poise/model/model.h"\n',
            "poise/report/text/check.h": '#include "poise/check/result.h"\n',
            "cli/options/command_line.cpp": "#include <CLI/CLI.hpp>\n",
            "cli/verbs/check.cpp": '#include <fstream>\n#include "poise/lang/lang.h"\n',
            "poise/check/check_test.cpp": '#include <gtest/gtest.h>\n#include "poise/lang/lang.h"\n',
        }))

    def test_finds_a_folder_that_looks_up(self):
        self.assertEqual(
            ["poise/base/table.h:3: poise/base may not use `poise/model/model.h`"],
            self.found({"poise/base/table.h": '#pragma once\n\n#include "poise/model/model.h"\n'}))

    def test_finds_a_report_that_uses_more_than_a_result(self):
        self.assertEqual(
            ["poise/report/text/check.cpp:1: poise/report/text may not use `poise/check/check.h`"],
            self.found({"poise/report/text/check.cpp": '#include "poise/check/check.h"\n'}))

    def test_finds_the_program_in_the_library(self):
        self.assertEqual(
            ["poise/check/check.h:1: poise/check may not use `cli/cli.h`"],
            self.found({"poise/check/check.h": '#include "cli/cli.h"\n'}))

    def test_finds_third_parties_out_of_place(self):
        self.assertEqual(
            ["poise/base/integer.h:1: <gmp.h> may not be included here",
             "poise/base/text.h:1: <fmt/core.h> may not be included here",
             "poise/check/check.cpp:1: <CLI/CLI.hpp> may not be included here",
             "poise/check/check.cpp:2: <boost/any.hpp> has no row"],
            self.found({
                "poise/base/integer.h": "#include <gmp.h>\n",
                "poise/base/text.h": "#include <fmt/core.h>\n",
                "poise/check/check.cpp": "#include <CLI/CLI.hpp>\n#include <boost/any.hpp>\n",
            }))

    def test_finds_files_and_terminals_in_the_library(self):
        self.assertEqual(
            ["poise/report/text/check.cpp:1: <iostream> may not be included here"],
            self.found({"poise/report/text/check.cpp": "#include <iostream>\n"}))

    def test_finds_a_room_that_looks_up(self):
        self.assertEqual(
            ["poise/verify/zones/zones.h:1: poise/verify/zones may not use `poise/verify/verify.h`",
             "poise/verify/zones/zones.h:2: poise/verify/zones may not use `poise/verify/odds/odds.h`"],
            self.found({"poise/verify/zones/zones.h": '#include "poise/verify/verify.h"\n'
                                                      '#include "poise/verify/odds/odds.h"\n'}))

    def test_finds_threads_out_of_place(self):
        self.assertEqual(
            ["cli/verbs/shake.cpp:1: <thread> may not be included here"],
            self.found({"poise/base/parallel.h": "#include <thread>\n",
                        "cli/verbs/shake.cpp": "#include <thread>\n"}))

    def test_finds_headers_that_include_each_other(self):
        self.assertEqual(
            ["poise/lang/a.h: a cycle of includes: poise/lang/a.h -> poise/lang/b.h -> poise/lang/a.h"],
            self.found({"poise/lang/a.h": '#include "poise/lang/b.h"\n',
                        "poise/lang/b.h": '#include "poise/lang/a.h"\n'}))

    def test_finds_rows_in_the_wrong_order(self):
        rows = {"poise/base": ["poise/model"], "poise/model": ["poise/base", "poise/lang"]}
        self.assertEqual(
            ["tools/layers.txt: poise/base may use poise/model, which does not stand above it",
             "tools/layers.txt: poise/model may use poise/lang, which has no row above it"],
            list(table_mistakes(rows)))

    def test_finds_includes_that_are_not_from_the_root(self):
        self.assertEqual(
            ["poise/lang/parser.cpp:1: `parser.h` is not a path from the root of the repository"],
            self.found({"poise/lang/parser.cpp": '#include "parser.h"\n'}))

    def test_finds_a_folder_without_a_row(self):
        self.assertEqual(
            ["poise/util/stuff.h: poise/util has no row"],
            self.found({"poise/util/stuff.h": ""}))
        self.assertEqual(
            ["poise/verify/more/stuff.h: poise/verify/more has no row"],
            self.found({"poise/verify/more/stuff.h": ""}))


if __name__ == "__main__":
    unittest.main()
