#!/usr/bin/env bash
# tools/fuzz.sh [SECONDS]: feeds the language front end with mutations of the corpus, for a minute
# unless told otherwise. New inputs stay in build/fuzz/lang; one that breaks something is written
# to build/fuzz/crash-*, and belongs into tests/fuzz/corpus/lang/ together with the repair.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

cmake --preset fuzz >/dev/null
cmake --build --preset fuzz
mkdir -p build/fuzz/lang
build/fuzz/tests/fuzz/poise_lang_fuzz -max_total_time="${1:-60}" -timeout=10 -max_len=4096 \
  -dict=tests/fuzz/lang.dict -artifact_prefix=build/fuzz/ build/fuzz/lang tests/fuzz/corpus/lang
