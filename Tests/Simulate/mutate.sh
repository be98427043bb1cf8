#!/bin/bash
# Puts old mistakes back, one at a time, and says after how many seeds the simulation finds each: it must be able to fail.
#
#   Tests/Simulate/mutate.sh [SEEDS] [PATCH...]     1-2000 and all of Tests/Simulate/Mutations where they are not given
#
# BUILD is how the program is built and PROGRAM where it is then. Exits 1 where a mistake is not found.
set -euo pipefail
cd "$(dirname "$0")/../.."
seeds=${1:-1-2000}
shift || true
patches=("$@")
[ ${#patches[@]} -gt 0 ] || patches=(Tests/Simulate/Mutations/*.patch)
build=${BUILD:-swift build -c release --product dragoman-simulation}
program=${PROGRAM:-.build/release/dragoman-simulation}
code=0
for patch in "${patches[@]}"; do
  git apply "$patch"
  # Whoever interrupts this must not be left with a program that holds a mistake.
  trap 'git apply -R "$patch"; rm -f "$program"' EXIT
  if ! log=$($build 2>&1); then
    printf '%s\n%s: does not compile\n' "$log" "$patch" >&2
    exit 70
  fi
  found=$($program "$seeds" --first) && { code=1; found="not found: $found"; }
  echo "$(basename "$patch" .patch): $(tail -n 1 <<< "$found"); $(head -n 1 <<< "$found" | cut -c 1-200)"
  git apply -R "$patch"
  trap - EXIT
done
# What is built last holds no mistake.
$build > /dev/null
exit $code
