#!/usr/bin/env bash
# Builds the Debian package of a release binary.
#
#   build.sh PROGRAM FOLDER [VERSION]     writes FOLDER/dragoman_VERSION_ARCHITECTURE.deb and prints its path
#
# The binary must contain the Swift runtime (swift build --static-swift-stdlib). Other libraries come from the packages on which it depends.
set -euo pipefail
program=$(readlink -f "$1")
mkdir -p "$2"
output=$(readlink -f "$2")
version=${3:-$("$program" --version)}
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/tree

libraries=$(ldd "$program")
if grep -q 'libswift\|libFoundation' <<< "$libraries"; then
  echo "build.sh: $program needs Swift's libraries; build it with --static-swift-stdlib" >&2
  exit 1
fi

install -D -m 0755 "$program" "$tree/usr/bin/dragoman"
strip --strip-unneeded "$tree/usr/bin/dragoman"
install -D -m 0644 "$root/deploy/systemd/dragoman.service" "$tree/usr/lib/systemd/system/dragoman.service"
sed -i '/^# Put this file/d' "$tree/usr/lib/systemd/system/dragoman.service"
install -D -m 0644 "$root/deploy/systemd/dragoman.sysusers" "$tree/usr/lib/sysusers.d/dragoman.conf"
install -D -m 0644 "$root/deploy/systemd/dragoman.tmpfiles" "$tree/usr/lib/tmpfiles.d/dragoman.conf"

# For health checks in containers, which have no HTTP client.
install -D -m 0755 "$here/probe" "$tree/usr/lib/dragoman/probe"

mkdir -p "$tree/usr/share/man/man1"
python3 -B "$here/man.py" "$program" "$tree/usr/share/man/man1"
gzip -9n "$tree"/usr/share/man/man1/*.1
mkdir -p "$tree/usr/share/bash-completion/completions" "$tree/usr/share/zsh/vendor-completions" \
  "$tree/usr/share/fish/vendor_completions.d"
"$program" --generate-completion-script bash | sed '1{/^#!/d}' > "$tree/usr/share/bash-completion/completions/dragoman"
"$program" --generate-completion-script zsh > "$tree/usr/share/zsh/vendor-completions/_dragoman"
"$program" --generate-completion-script fish > "$tree/usr/share/fish/vendor_completions.d/dragoman.fish"

doc=$tree/usr/share/doc/dragoman
mkdir -p "$doc/examples"
# Keeps the folders of the documents, so that the links between them work.
cp "$root/README.md" "$doc/"
cp -r "$root/docs" "$doc/docs"
cp "$root"/pipelines/*.yaml "$root/deploy/prometheus-rules.yml" "$root/deploy/grafana-dashboard.json" "$root"/deploy/ci/* "$root/deploy/systemd/worker.conf" "$doc/examples/"
gzip -9nc "$root/CHANGELOG.md" > "$doc/CHANGELOG.md.gz"
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || echo 0)}
export SOURCE_DATE_EPOCH
{
  echo "dragoman ($version) stable; urgency=medium"
  echo
  echo "  * See CHANGELOG.md.gz."
  echo
  echo " -- $(sed -n 's/^Maintainer: //p' "$here/control")  $(date -R -u -d "@$SOURCE_DATE_EPOCH")"
} | gzip -9nc > "$doc/changelog.gz"
# Yams brings libyaml's sources, which Swift packages cannot take from the system.
install -d "$tree/usr/share/lintian/overrides"
echo "dragoman: embedded-library" > "$tree/usr/share/lintian/overrides/dragoman"
{
  echo "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/"
  echo "Upstream-Name: Dragoman"
  echo
  echo "Files: *"
  echo "Copyright: Copyright 2026 The Dragoman maintainers"
  echo "License: Apache-2.0"
  echo " On Debian systems, the license is in /usr/share/common-licenses/Apache-2.0."
  echo
  echo "Comment: the program contains Swift's runtime and the packages in third-party-licenses.txt.gz, under the licenses given there."
} > "$doc/copyright"
for license in "$root"/.build/checkouts/*/LICENSE* "$root"/.build/checkouts/*/NOTICE*; do
  echo "==== $(basename "$(dirname "$license")"), $(basename "$license")"
  cat "$license"
done | gzip -9nc > "$doc/third-party-licenses.txt.gz"
find "$tree" -type d -exec chmod 0755 {} +
find "$doc" "$tree/usr/share/man" "$tree/usr/share/lintian" -type f -exec chmod 0644 {} +

mkdir -p "$work/debian" "$tree/DEBIAN"
: > "$work/debian/control"
libraries=$(cd "$work" && dpkg-shlibdeps -O --ignore-missing-info "$tree/usr/bin/dragoman" 2>/dev/null | sed -n 's/^shlibs:Depends=//p')
[ -n "$libraries" ] || { echo "build.sh: dpkg-shlibdeps found no libraries" >&2; exit 1; }
size=$(du -sk --exclude=DEBIAN "$tree" | cut -f1)
architecture=$(dpkg --print-architecture)
sed -e "s/@VERSION@/$version/" -e "s/@ARCHITECTURE@/$architecture/" -e "s/@LIBRARIES@/$libraries/" -e "s/@SIZE@/$size/" \
  "$here/control" > "$tree/DEBIAN/control"
for script in postinst prerm postrm; do install -m 0755 "$here/$script" "$tree/DEBIAN/$script"; done
(cd "$tree" && find usr -type f -print0 | sort -z | xargs -0 md5sum > DEBIAN/md5sums)

# With SOURCE_DATE_EPOCH, the same input gives the same package.
package=$output/dragoman_${version}_$architecture.deb
dpkg-deb --root-owner-group -Zxz --build "$tree" "$package" >/dev/null
echo "$package"
