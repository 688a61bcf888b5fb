#!/usr/bin/env bash
# tools/fuzz.sh [SECONDS [INPUT]]: feeds what reads an input (lang, log, feedback, watch, snapshot,
# mqtt_map, mqtt, fll, fcl, pict, program, kept_failure, certificate or verify; all unless told otherwise) with mutations of its
# corpus, for a minute each unless told otherwise. New inputs stay in build/fuzz/INPUT; one that breaks something is written to
# build/fuzz/crash-*, and belongs into
# tests/fuzz/corpus/INPUT/ together with the repair.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

cmake --preset fuzz >/dev/null
cmake --build --preset fuzz
for input in ${2:-lang log feedback watch snapshot mqtt_map mqtt fll fcl pict program kept_failure certificate verify}; do
  mkdir -p "build/fuzz/$input"
  # A snapshot is made from a log.
  words="tests/fuzz/${input/snapshot/watch}.dict"
  "build/fuzz/tests/fuzz/poise_${input}_fuzz" -max_total_time="${1:-60}" -timeout=10 -max_len=4096 \
    -dict="$words" -artifact_prefix=build/fuzz/ "build/fuzz/$input" \
    "tests/fuzz/corpus/$input"
done
