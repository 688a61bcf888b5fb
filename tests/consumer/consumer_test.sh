#!/usr/bin/env bash
# consumer_test.sh BUILD SCRATCH COMPILER: what `cmake --install` gives is complete and usable.
set -euo pipefail
build=$1
scratch=$2/scratch
compiler=$3
here=$(dirname -- "${BASH_SOURCE[0]}")
root=$here/../..

rm -rf "$scratch"
cmake --install "$build" --prefix "$scratch/prefix" >/dev/null
"$scratch/prefix/bin/poise" --version

# A package may be moved after it was installed.
mv "$scratch/prefix" "$scratch/moved"
for file in LICENSE README.md docs/language.md; do
  test -e "$scratch/moved/share/doc/poise/$file"
done

# built SOURCE: builds the project there, in a folder of its name.
built() {
  local folder
  folder=$scratch/$(basename -- "$1")
  cmake -S "$1" -B "$folder" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" \
    -DCMAKE_PREFIX_PATH="$scratch/moved" >/dev/null
  cmake --build "$folder"
}

built "$here/project"
output=$("$scratch/project/consumer")
echo "$output"
# Near an open door both rules hold, one after the other, without end.
[[ $output == "faults: "[1-9]* ]]

# The example of a controller: short, as docs/watch.md shows it, and its gate flutters at 25 metres.
controller=$root/examples/controller
test "$(grep -cvE '^ *(//.*)?$' "$controller/controller.cpp")" -le 40
sed -n '/^<!-- file: controller.cpp -->$/,/^```$/p' "$root/docs/watch.md" | sed '1,2d;$d' |
  diff "$controller/controller.cpp" -
built "$controller"
diff <("$scratch/controller/controller") - <<'END'
1 s: Closed
  adapt in Closed
2 s: Open
  adapt in Open
3 s: Closed
  adapt in Closed
  adapt in Open
  cycle in Closed
4 s: Closed
END
