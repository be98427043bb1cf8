#!/usr/bin/env bash
# Tries a package in a fresh tree: install, serve, one round, upgrade, remove, purge. Needs root and debootstrap.
#
#   try.sh OLD.deb NEW.deb [FOLDER]       FOLDER keeps the base system for the next try; default: .build/package
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
old=$(readlink -f "$1")
new=$(readlink -f "$2")
mkdir -p "${3:-.build/package}"
folder=$(readlink -f "${3:-.build/package}")
release=$(. /etc/os-release && echo "$VERSION_CODENAME")
base=$folder/base-$release
tree=$folder/tree
port=18080
daemon=""

fail() { echo "try.sh: $*" >&2; exit 1; }
step() { echo "  $*"; }
inside() { chroot "$tree" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive LC_ALL=C "$@"; }
as_dragoman() { inside setpriv --reuid dragoman --regid dragoman --clear-groups env HOME=/var/lib/dragoman "$@"; }
# Waits up to a minute until a command succeeds.
await() { local what=$1; shift; for _ in $(seq 600); do "$@" >/dev/null 2>&1 && return; sleep 0.1; done; fail "waited in vain: $what"; }
finish() {
  [ -z "$daemon" ] || kill "$daemon" 2>/dev/null || true
  umount "$tree/proc" 2>/dev/null || true
  rm -rf "$tree"
}

if [ ! -e "$base/complete" ]; then
  rm -rf "$base"
  debootstrap --variant=minbase "$release" "$base" >"$folder/debootstrap.log" 2>&1 || fail "debootstrap failed; see $folder/debootstrap.log"
  touch "$base/complete"
fi
finish
trap finish EXIT
cp -a "$base" "$tree"
mkdir -p "$tree/packages"
cp "$old" "$tree/packages/old.deb"
cp "$new" "$tree/packages/new.deb"
cp /etc/resolv.conf "$tree/etc/resolv.conf"
mount -t proc proc "$tree/proc"
# No service may start in the tree.
printf '#!/bin/sh\nexit 101\n' > "$tree/usr/sbin/policy-rc.d"
chmod +x "$tree/usr/sbin/policy-rc.d"

step "install"
inside apt-get update -q >/dev/null
inside apt-get install -y -q --no-install-recommends /packages/old.deb > "$folder/install.log" 2>&1 || fail "the package does not install; see $folder/install.log"
[ "$(inside stat -c '%U %a' /etc/dragoman/credentials)" = "root 700" ] || fail "/etc/dragoman/credentials is not root's alone"
inside getent passwd dragoman >/dev/null || fail "there is no account dragoman"
list=$(inside dpkg-query -L dragoman)
for file in /usr/share/man/man1/dragoman.1.gz /usr/share/man/man1/dragoman-serve.1.gz /usr/share/bash-completion/completions/dragoman \
  /usr/share/zsh/vendor-completions/_dragoman /usr/share/fish/vendor_completions.d/dragoman.fish /usr/lib/dragoman/probe \
  /usr/share/doc/dragoman/examples/problem-matcher.json /usr/share/doc/dragoman/examples/worker.conf /usr/lib/systemd/system/dragoman.service /usr/share/doc/dragoman/copyright; do
  # A minimal tree may leave documents out (dpkg's path-exclude).
  grep -qx "$file" <<< "$list" || fail "$file is not in the package"
done
systemd-analyze verify --man=no --root="$tree" dragoman.service 2>"$folder/verify.log" || fail "the unit is wrong: $(cat "$folder/verify.log")"
dropin=$tree/etc/systemd/system/dragoman.service.d
install -D -m 0644 "$here/../systemd/worker.conf" "$dropin/worker.conf"
systemd-analyze verify --man=no --root="$tree" dragoman.service 2>"$folder/verify.log" || fail "the unit of a worker is wrong: $(cat "$folder/verify.log")"
rm -r "$dropin"
[ "$(inside dragoman --version)" = "$(inside dpkg-query -W -f '${Version}' dragoman | sed 's/~.*//')" ] || fail "the program and the package have different versions"

step "serve, and a round"
repository=$tree/srv/birds
mkdir -p "$repository/App"
printf '%s' '{ "sourceLanguage" : "en", "strings" : { "Hello" : { } }, "version" : "1.0" }' > "$repository/App/Localizable.xcstrings"
git -C "$repository" init -q -b main
git -C "$repository" add -A
git -C "$repository" -c user.name=T -c user.email=t@example.com commit -q -m "Add a string"
git clone -q --bare "$repository" "$tree/srv/birds.git"
rm -rf "$repository"
uid=$(inside id -u dragoman); gid=$(inside id -g dragoman)
chown -R "$uid:$gid" "$tree/srv/birds.git"
printf '%s\n' 'pipeline: birds' 'repository: { url: /srv/birds.git, poll: 1s }' 'languages: [de]' 'vendors: [{ vendor: pseudo }]' \
  > "$tree/etc/dragoman/pipelines/birds.yaml"
install -d -m 0700 -o "$uid" -g "$gid" "$tree/var/lib/dragoman"
as_dragoman dragoman doctor --pipelines /etc/dragoman/pipelines --store sqlite:/var/lib/dragoman > "$folder/doctor.log" 2>&1 \
  || fail "doctor found a problem: $(cat "$folder/doctor.log")"
# Starts the daemon as the systemd unit does, but on another port.
start=$(sed -n 's/^ExecStart=//p' "$tree/usr/lib/systemd/system/dragoman.service" | sed "s/127.0.0.1:8080/127.0.0.1:$port/")
serve() { as_dragoman $start > "$folder/serve.log" 2>&1 & daemon=$!; await "the daemon's response" curl -fs "http://127.0.0.1:$port/readyz"; }
# The shell's child is env, which becomes the daemon.
stop() { pkill -TERM -u "$uid" -x dragoman; wait "$daemon" || fail "the daemon ended with $?: $(cat "$folder/serve.log")"; daemon=""; }
serve
await "the delivery" git --git-dir="$tree/srv/birds.git" rev-parse -q --verify refs/heads/l10n/main
stop
has_round() { as_dragoman dragoman rounds --store sqlite:/var/lib/dragoman > "$folder/rounds.log" && grep -q 'birds *#1' "$folder/rounds.log"; }
has_round || fail "the ledger has no round: $(cat "$folder/rounds.log")"

step "upgrade"
before=$(git --git-dir="$tree/srv/birds.git" rev-parse refs/heads/l10n/main)
inside apt-get install -y -q --no-install-recommends /packages/new.deb > "$folder/upgrade.log" 2>&1 || fail "the package does not upgrade; see $folder/upgrade.log"
serve
stop
as_dragoman dragoman store check --store sqlite:/var/lib/dragoman >/dev/null || fail "the ledger is damaged after the upgrade"
has_round || fail "the round is gone after the upgrade: $(cat "$folder/rounds.log")"
[ "$(git --git-dir="$tree/srv/birds.git" rev-parse refs/heads/l10n/main)" = "$before" ] || fail "the upgraded daemon delivered again"

step "remove and purge"
inside apt-get remove -y -q dragoman >/dev/null 2>&1
[ -e "$tree/var/lib/dragoman/ledger.sqlite" ] || fail "removing the package deleted the ledger"
inside apt-get purge -y -q dragoman >/dev/null 2>&1
left=$(find "$tree/usr" "$tree/etc" "$tree/var/lib" -path "$tree/var/lib/dpkg" -prune -o -path "$tree/var/lib/apt" -prune -o -name '*dragoman*' -print)
[ -z "$left" ] || fail "left behind: $left"
echo "the package installs, serves, upgrades and goes"
