#!/usr/bin/env bash
# clang-tidy (.clang-tidy) on the given .cpp files, or on all of poise/ and cli/. Too slow for
# ./test; run it on what you changed.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

[[ -e build/clang/compile_commands.json ]] || cmake --preset clang >/dev/null
if (($#)); then
  files=("$@")
else
  mapfile -t files < <(find poise cli -name '*.cpp' ! -name '*_test.cpp' | sort)
fi
printf '%s\0' "${files[@]}" | xargs -0 -n 1 -P "$(nproc)" clang-tidy -p build/clang --quiet
