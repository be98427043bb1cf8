#!/bin/bash
# Reintroduces old bugs one at a time and prints after how many seeds the simulation finds each of them. This shows that the simulation can fail.
#
#   Tests/Simulate/mutate.sh [SEEDS] [MISTAKE...]     default: seeds 1-2000 and all bugs
#
# mistakes.patch adds all bugs to the program, and DRAGOMAN_MISTAKE selects one when the program runs. BUILD is the build command, and PROGRAM
# is the path of the built program. First, the seeds in SURVEY run without a bug and must pass. Exits with 1 if a bug is not found.
set -euo pipefail
cd "$(dirname "$0")/../.."
patch=Tests/Simulate/mistakes.patch
seeds=${1:-1-2000}
shift || true
mistakes=("$@")
[ ${#mistakes[@]} -gt 0 ] || mapfile -t mistakes < <(grep -o 'isBack("[^"]*")' "$patch" | cut -d '"' -f 2 | sort -u)
build=${BUILD:-swift build -c release --product dragoman-simulation}
program=${PROGRAM:-.build/release/dragoman-simulation}
git apply "$patch"
# After an interruption, no program with bugs may be left.
trap 'git apply -R "$patch"; rm -f "$program"' EXIT
if ! log=$($build 2>&1); then
  printf '%s\nthe program does not compile with %s\n' "$log" "$patch" >&2
  exit 70
fi
"$program" "${SURVEY:-1-100}" --survey
code=0
for mistake in "${mistakes[@]}"; do
  found=$(DRAGOMAN_MISTAKE=$mistake "$program" "$seeds" --first) && { code=1; found="not found: $found"; }
  echo "$mistake: $(tail -n 1 <<< "$found"); $(head -n 1 <<< "$found" | cut -c 1-200)"
done
exit $code
