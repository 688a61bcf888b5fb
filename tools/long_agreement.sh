#!/usr/bin/env bash
# tools/long_agreement.sh [MODELS]    engines against each other and against the oracle, at length
#
# With the optimised build of the preset `clang`, on so many random models (10,000 by default), under
# all options, and on all small ones: takes about an hour on two processors. ./test does the same on a few hundred.
# Prints a line for each comparison; what differed is in build/long_agreement/.
set -euo pipefail

root=$(CDPATH='' cd -P -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/.." && pwd)
cd "$root"
models=${1:-10000}
program=${POISE:-$root/build/clang/bin/poise}
[[ -x $program ]] || { echo "$program is not there: build the preset clang first" >&2; exit 2; }
logs=build/long_agreement
mkdir -p "$logs"

shards=$(nproc)
failures=0

# compare NAME MODELS SEED SCRIPT [ARG...]: in as many processes as there are processors, each with
# its part of the models.
compare() {
  local name=$1 count=$2 seed=$3 script=$4 began=$SECONDS status=0 pids=() shard
  shift 4
  local part=$(((count + shards - 1) / shards))
  for ((shard = 0; shard < shards; shard++)); do
    python3 -B "tests/agree/$script" "$program" --models "$part" \
      --seed $((seed + shard * part)) "$@" >"$logs/$name.$shard.txt" 2>&1 &
    pids+=($!)
  done
  for pid in "${pids[@]}"; do wait "$pid" || status=1; done
  printf '%-24s %6d models %5d s  %s\n' "$name" $((part * shards)) $((SECONDS - began)) \
    "$([[ $status -eq 0 ]] && echo the same || echo "DIFFERENT: see $logs/$name.*")"
  for ((shard = 0; shard < shards; shard++)); do sed -n '$s/^/    /p' "$logs/$name.$shard.txt"; done
  failures=$((failures + status))
}

compare engines "$models" 1000000 engines.py
compare engines-unfiltered "$models" 2000000 engines.py --unfiltered --mode plain,few-paths,priorities
compare engines-generated $((models / 5)) 3000000 engines.py --generated
compare engines-reals $((models / 5)) 4000000 engines.py --real-pairs
for engine in hybrid symbolic enumerative reference; do
  compare "oracle-$engine" "$models" 5000000 compare.py --engine "$engine"
done

began=$SECONDS
if python3 -B tests/agree/all_small.py "$program" --size 3 >"$logs/all-small.txt" 2>&1; then
  verdict='the same'
else
  verdict="DIFFERENT: see $logs/all-small.txt"
  failures=$((failures + 1))
fi
printf '%-24s %13s %5d s  %s\n' all-small '' $((SECONDS - began)) "$verdict"
sed -n '$s/^/    /p' "$logs/all-small.txt"

printf '%d of the comparisons found differences, in %d s\n' "$failures" "$SECONDS"
[[ $failures -eq 0 ]]
