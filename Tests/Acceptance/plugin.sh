#!/usr/bin/env bash
# Runs the command plugin on a small package through `swift package`.
#
#   plugin.sh PROGRAM                     the dragoman program that the plugin runs
set -euo pipefail
program=$(readlink -f "$1")
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "plugin.sh: $*" >&2; exit 1; }
mkdir -p "$folder/Sources/Birds/Resources"
cat > "$folder/Package.swift" <<P
// swift-tools-version: 6.0
import PackageDescription
let package = Package(
  name: "Birds", defaultLocalization: "en", dependencies: [.package(path: "$root/Plugins/Localize")],
  targets: [.target(name: "Birds", resources: [.process("Resources")])])
P
cat > "$folder/Sources/Birds/Birds.swift" <<'P'
import Foundation
let title = String(localized: "Morning walk", bundle: .module, comment: "A title.")
P
echo '{ "sourceLanguage" : "en", "strings" : { }, "version" : "1.0" }' > "$folder/Sources/Birds/Resources/Localizable.xcstrings"
cd "$folder"
export DRAGOMAN=$program
localize() { swift package localize "$@" > "$folder/output" 2>&1; }
localize sync || fail "sync fails: $(cat "$folder/output")"
grep -q '"Morning walk"' Sources/Birds/Resources/Localizable.xcstrings || fail "sync added nothing: $(cat "$folder/output")"
localize sync --check || fail "the catalog is not in step: $(cat "$folder/output")"
localize check || fail "check finds something: $(cat "$folder/output")"
! localize status --require 100 || fail "a package without a language passes the gate"
grep -q '^FAIL no catalog has a target language' "$folder/output" || fail "no verdict: $(cat "$folder/output")"
grep -q 'dragoman status ended with exit code 1' "$folder/output" || fail "no exit code: $(cat "$folder/output")"
! localize status --bogus || fail "an unknown option is taken"
grep -q 'dragoman status ended with exit code 64' "$folder/output" || fail "no exit code: $(cat "$folder/output")"
! localize stats || fail "an unknown command is run"
grep -q 'there is no command stats' "$folder/output" || fail "no refusal: $(cat "$folder/output")"
! DRAGOMAN=/nonexistent localize status || fail "it runs without a program"
grep -q 'DRAGOMAN is /nonexistent, which is not a program' "$folder/output" || fail "no plain message: $(cat "$folder/output")"
! grep -q 'NSPOSIXErrorDomain\|NSCocoaErrorDomain' "$folder/output" || fail "a raw error: $(cat "$folder/output")"
echo "swift package localize works"
