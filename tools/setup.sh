# shellcheck shell=bash
# What ./run and ./test share: packages, build folders, builds. Sourced, with $root being the
# checkout. Everything is written below $root/build, everything said goes to standard error, and
# each step costs next to nothing when there is nothing to do.

: "${root:?}"

say() { printf 'poise: %s\n' "$*" >&2; }
die() {
  say "$*"
  exit 2
}

# The rows of tools/packages.txt for the given needs: "package<tab>need<tab>reason".
package_rows() {
  local package need reason
  while read -r package need reason; do
    [[ $package == '#'* || -z $package ]] && continue
    [[ " $* " == *" $need "* ]] && printf '%s\t%s\t%s\n' "$package" "$need" "$reason"
  done <"$root/tools/packages.txt"
}

# make_folder FOLDER: below build/, there and writable.
make_folder() {
  mkdir -p "$1" 2>/dev/null || true
  [[ -w $root/build && -w $1 ]] || die "cannot write to $1"
}

# By itself or as part of another package: elsewhere than in Debian, npm comes with nodejs.
installed() {
  [[ $(dpkg-query -W -f='${db:Status-Status} ' "$1" 2>/dev/null) == *installed\ * ]] && return
  local provided
  provided=$(dpkg-query -W -f='${db:Status-Status}, ${Provides},\n' | sed -n 's/^installed//p')
  [[ $provided == *", $1,"* || $provided == *", $1 ("* ]]
}

# As root, or through sudo; asks for a password only where somebody can type it.
as_root() {
  if ((EUID == 0)); then
    "$@"
  elif ! command -v sudo >/dev/null; then
    return 1
  elif [[ -t 0 && -t 2 ]]; then
    sudo -- "$@"
  else
    sudo -n -- "$@"
  fi
}

apt_install() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
    -o DPkg::Lock::Timeout=300 "$@" </dev/null >>"$root/build/packages.log" 2>&1
}

# Whether as_root() can work at all.
can_install() { ((EUID == 0)) || command -v sudo >/dev/null; }

# require_packages NEED...: installs what is missing, or says in one line what to install and ends
# with status 2. The answer is kept until the table changes, so the usual case is a comparison of two
# dates. Style checks and pictures are left out where their packages cannot be had.
require_packages() {
  local stamp=$root/build/packages-$1.ok
  [[ $stamp -nt $root/tools/packages.txt ]] && return
  make_folder "$root/build"
  if ! command -v dpkg-query >/dev/null; then
    say "this is not a Debian system; tools/packages.txt lists what has to be there"
    touch "$stamp"
    return
  fi

  local package need reason missing=()
  while IFS=$'\t' read -r package need reason; do
    installed "$package" || missing+=("$package")
  done < <(package_rows "$@")

  if ((${#missing[@]})) && can_install; then
    say "installing ${missing[*]} (log: build/packages.log)"
    : >"$root/build/packages.log"
    apt_install "${missing[@]}" || {
      as_root apt-get update </dev/null >>"$root/build/packages.log" 2>&1
      apt_install "${missing[@]}"
    } || for package in "${missing[@]}"; do apt_install "$package" || true; done
  fi

  missing=()
  while IFS=$'\t' read -r package need reason; do
    installed "$package" && continue
    if [[ $need == lint || $need == draw ]]; then
      say "going on without $package, which is only for $reason"
    else
      missing+=("$package")
    fi
  done < <(package_rows "$@")
  if ((${#missing[@]})); then
    die "packages are missing; as root: apt-get install --no-install-recommends ${missing[*]}"
  fi
  touch "$stamp"
}

# One build of a preset at a time; the lock goes with the file descriptor.
lock_build() {
  [[ -w $root/build/$1 ]] || make_folder "$root/build/$1"
  exec 9>"$root/build/$1.lock"
  flock 9
}
unlock_build() { exec 9>&-; }

# configure PRESET: only if that has not happened, or happened in another place (CMakeLists.txt
# writes it down): a checkout that was copied with its build folder must not build into the one it
# came from.
configure() {
  local folder=$root/build/$1 place=
  [[ -e $folder/place.txt ]] && read -r place <"$folder/place.txt"
  [[ $place == "$root" && -e $folder/build.ninja ]] && return
  rm -rf "$folder"
  (cd "$root" && cmake --preset "$1") </dev/null
}
