# For the scripts beside it: build_bench TARGET builds the program and a program of measurements,
# optimised, in $folder. $root is the checkout.
# shellcheck shell=bash

root=$(CDPATH='' cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=tools/setup.sh
source "$root/tools/setup.sh"

folder=$root/build/release

build_bench() {
  local log=$root/build/bench.log
  require_packages run
  lock_build release
  if ! {
    configure release && cmake -S "$root" -B "$folder" -DPOISE_BUILD_BENCH=ON &&
      ninja -C "$folder" bin/poise "bin/$1"
  } </dev/null >"$log" 2>&1; then
    cat "$log" >&2
    die "the build failed; the log above is in $log"
  fi
  unlock_build
}
