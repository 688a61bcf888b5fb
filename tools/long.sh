#!/usr/bin/env bash
# tools/long.sh [NAME]: the long tests, all or those whose names match, with the optimised build of the
# preset clang: engines against each other and against the second interpreter on ten thousand models
# each, all models up to size 3, hostile files at full size. Some hours on two processors. ./test does
# the same on a few hundred models. The log is build/long.log.
set -euo pipefail

root=$(CDPATH='' cd -P -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/.." && pwd)
# shellcheck source=tools/setup.sh
source "$root/tools/setup.sh"
cd "$root"

require_packages test run draw lint
lock_build clang
configure clang >build/long.log 2>&1
cmake --build --preset clang -j "$(nproc)" </dev/null >>build/long.log 2>&1
exec ctest --preset long -j "$(nproc)" -R "${1-}" --output-log build/long.log
