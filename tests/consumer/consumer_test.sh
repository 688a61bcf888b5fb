#!/usr/bin/env bash
# consumer_test.sh BUILD SCRATCH COMPILER: what `cmake --install` gives is complete and usable.
set -euo pipefail
build=$1
scratch=$2/scratch
compiler=$3
source=$(dirname -- "${BASH_SOURCE[0]}")/project

rm -rf "$scratch"
cmake --install "$build" --prefix "$scratch/prefix" >/dev/null
"$scratch/prefix/bin/poise" --version

# A package may be moved after it was installed.
mv "$scratch/prefix" "$scratch/moved"
for file in LICENSE README.md docs/language.md; do
  test -e "$scratch/moved/share/doc/poise/$file"
done
cmake -S "$source" -B "$scratch/build" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" \
  -DCMAKE_PREFIX_PATH="$scratch/moved" >/dev/null
cmake --build "$scratch/build"
output=$("$scratch/build/consumer")
echo "$output"
# Near an open door both rules hold, one after the other, without end.
[[ $output == "faults: "[1-9]* ]]
