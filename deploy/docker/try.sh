#!/usr/bin/env bash
# Tries the second stage of the Dockerfile without a Docker engine: its RUN steps in a fresh Debian tree, then its command as its user with
# everything read-only but /tmp and the volume. Needs root and debootstrap.
#
#   try.sh PACKAGE.deb [FOLDER]           FOLDER keeps the base system for the next try; default: .build/package
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
package=$(readlink -f "$1")
mkdir -p "${2:-.build/package}"
folder=$(readlink -f "${2:-.build/package}")
base=$folder/base-bookworm
tree=$folder/docker-tree
port=18081
fail() { echo "try.sh: $*" >&2; exit 1; }
finish() {
  [ -z "${daemon:-}" ] || kill "$daemon" 2>/dev/null || true
  umount "$tree/proc" 2>/dev/null || true
  rm -rf "$tree"
}
if [ ! -e "$base/complete" ]; then
  rm -rf "$base"
  debootstrap --variant=minbase bookworm "$base" > "$folder/debootstrap.log" 2>&1 || fail "debootstrap failed; see $folder/debootstrap.log"
  touch "$base/complete"
fi
finish
trap finish EXIT
cp -a "$base" "$tree"
mkdir -p "$tree/package"
cp "$package" "$tree/package/"
cp /etc/resolv.conf "$tree/etc/resolv.conf"
mount -t proc proc "$tree/proc"
printf '#!/bin/sh\nexit 101\n' > "$tree/usr/sbin/policy-rc.d" && chmod +x "$tree/usr/sbin/policy-rc.d"
inside() { chroot "$tree" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive LC_ALL=C "$@"; }

# The instructions of the second stage, each on a line of its own.
python3 - "$here/Dockerfile" > "$folder/docker-steps" <<'P'
import re, sys
text = open(sys.argv[1]).read()
text = re.sub(r"^#.*\n", "", text, flags=re.M).replace("\\\n", " ")
stage = text[text.index("FROM debian:"):]
print("\n".join(line.strip() for line in stage.splitlines() if line.strip()))
P
step() { sed -n "s/^$1 //p" "$folder/docker-steps"; }
while IFS= read -r command; do
  echo "  RUN $command"
  inside sh -c "$command" > "$folder/docker-run.log" 2>&1 || fail "this step fails; see $folder/docker-run.log: $command"
done < <(step RUN)
user=$(step USER)
words() { python3 -c 'import json, sys; print("\n".join(json.loads(sys.stdin.read())))'; }
mapfile -t entry < <(step ENTRYPOINT | words)
mapfile -t arguments < <(step CMD | words | sed "s/127.0.0.1:8080/127.0.0.1:$port/")
mapfile -t check < <(step HEALTHCHECK | sed 's/.*CMD //' | words | sed "s/^8080$/$port/")
[ ! -e "$tree/usr/bin/systemd-analyze" ] || fail "the image has systemd"

# A repository and a pipeline, and nothing else that can be written to.
mkdir -p "$tree/etc/dragoman/pipelines"
printf '%s\n' 'pipeline: birds' 'repository: { url: /var/lib/dragoman/birds.git, poll: 1s }' 'languages: [de]' 'vendors: [{ vendor: pseudo }]' \
  > "$tree/etc/dragoman/pipelines/birds.yaml"
source=$(mktemp -d)
printf '%s' '{ "sourceLanguage" : "en", "strings" : { "Hello" : { } }, "version" : "1.0" }' > "$source/Localizable.xcstrings"
git -C "$source" init -q -b main
git -C "$source" add -A
git -C "$source" -c user.name=T -c user.email=t@example.com commit -q -m "Add a string"
git clone -q --bare "$source" "$tree/var/lib/dragoman/birds.git"
rm -rf "$source"
chown -R "$user" "$tree/var/lib/dragoman"
launch() {
  # In a mount namespace in which the tree is read-only. Its /proc stays: a program of Swift reads its arguments there.
  exec unshare --mount sh -c '
    mount --rbind "$0" "$0" && mount -o remount,ro,bind "$0" && mount --bind "$0/var/lib/dragoman" "$0/var/lib/dragoman" \
    && mount -o remount,rw,bind "$0/var/lib/dragoman" && mount -t tmpfs tmpfs "$0/tmp" && user=$1 && shift \
    && exec chroot --userspec="$user" "$0" /usr/bin/env -i -C /var/lib/dragoman HOME=/var/lib/dragoman PATH=/usr/bin:/bin "$@"' \
    "$tree" "$user" "$@"
}
run() { (launch "$@"); }
! run touch /etc/x 2>/dev/null || fail "the tree can be written to"
launch "${entry[@]}" "${arguments[@]}" > "$folder/docker-serve.log" 2>&1 & daemon=$!
await() { local what=$1; shift; for _ in $(seq 600); do "$@" >/dev/null 2>&1 && return; sleep 0.1; done; fail "waited in vain: $what; see $folder/docker-serve.log"; }
await "the health check" run "${check[@]}"
await "the delivery" git --git-dir="$tree/var/lib/dragoman/birds.git" rev-parse -q --verify refs/heads/l10n/main
while IFS= read -r line; do
  python3 -c 'import json, sys; json.loads(sys.argv[1])' "$line" || fail "a line of the log is not JSON: $line"
done < "$folder/docker-serve.log"
kill -TERM "$daemon"
wait "$daemon" || fail "the daemon ended with $?"
daemon=""
! run "${check[@]}" 2>/dev/null || fail "the health check passes without a daemon"
echo "the steps of the image work, and its command serves as $user with a read-only root"
