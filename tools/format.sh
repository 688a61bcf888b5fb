#!/usr/bin/env bash
# tools/format.sh          lays out every C++ file (.clang-format)
# tools/format.sh --check  changes nothing, fails if something would change
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

mode=(-i)
[[ ${1-} == --check ]] && mode=(--dry-run --Werror)
find poise cli tests bench examples -name '*.h' -o -name '*.cpp' | sort | xargs clang-format "${mode[@]}"
