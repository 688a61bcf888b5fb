#!/usr/bin/env bash
# Rewrites the .out files under tests/golden/ with what the program says now. Read the diff like
# code before you commit it.
#
#   tools/update_goldens.sh [GTEST_FILTER]     e.g. tools/update_goldens.sh '*unknown_name*'
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

[[ -e build/dev/build.ninja ]] || cmake --preset dev >/dev/null
cmake --build --preset dev --target poise_golden_test
UPDATE_GOLDENS=1 build/dev/tests/golden/poise_golden_test \
  --gtest_filter="${1:-Cases/*}" --gtest_brief=1
git --no-pager diff --stat -- tests/golden
git ls-files --others --exclude-standard -- tests/golden
