#!/usr/bin/env bash
# Builds the images of a release: images.sh SOURCE VERSION DIR
#
# Writes DIR/images/NAME for each image, an OCI image layout with the images for amd64 and arm64, and DIR/images/DIGESTS. The
# images contain the JDK and the C library of Debian packages, which the script downloads with the package sources of this
# machine. On a machine that is not Debian, DOYEN_APT_SOURCE is a line of sources.list that names a Debian archive.
set -euo pipefail

log() { printf '==> %s\n' "$*" >&2; }
die() { printf '%s\n' "images: $*" >&2; exit 1; }
# shellcheck source=release/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

[ $# -eq 3 ] || die "$# arguments were given; the script needs three: SOURCE VERSION DIR"
source=$(cd "$1" && pwd) version=$2 dir=$(cd "$3" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Downloads the packages of one architecture with the JDK and the libraries that Java needs.
download() {
  local architecture=$1 packages=$2 java=$3 base
  apt_of apt-get "$architecture" update >&2 ||
    die "apt-get found no package lists for $architecture; set DOYEN_APT_SOURCE to a Debian archive"
  # The licence of the libraries of GCC is in this package.
  base=$(apt_of apt-cache "$architecture" depends libgcc-s1 | sed -n 's/^ *Depends: \(gcc-.*-base\)$/\1/p')
  mkdir -p "$packages"
  # The package jre-headless contains the licence of the JDK.
  (cd "$packages" && apt_of apt-get "$architecture" download "$base" libc6 libgcc-s1 libstdc++6 zlib1g \
    "openjdk-$java-jdk-headless" "openjdk-$java-jre-headless") >&2 ||
    die "the package sources have no openjdk-$java-jdk-headless for $architecture; use the version of Java that they have, or
set DOYEN_APT_SOURCE to a Debian archive that has this version"
}

# Unpacks packages into a folder that has dpkg's database, so that dpkg can list and describe them.
unpack() {
  local root=$1 packages=$2 database=$1/var/lib/dpkg file link
  mkdir -p "$root/usr/lib" "$root/usr/lib64" "$database/info"
  ln -s usr/lib "$root/lib"
  ln -s usr/lib64 "$root/lib64"
  for file in "$packages"/*.deb; do
    dpkg-deb --extract "$file" "$root"
    { dpkg-deb --field "$file" && printf 'Status: install ok installed\n\n'; } >>"$database/status"
    dpkg-deb --fsys-tarfile "$file" | tar --list | sed 's#^\.##; s#/$##; s#^$#/.#' \
      >"$database/info/$(dpkg-deb --field "$file" Package).list"
  done
  # An absolute link would lead to a file of this machine.
  while IFS= read -r link; do
    ln -sfn "$root$(readlink "$link")" "$link"
  done < <(find "$root" -type l -lname '/*')
}

need dpkg-deb dpkg
cd "$source"
java=$(java_version "${JAVA_HOME:+$JAVA_HOME/bin/}java")
machine=$(uname -m)
for architecture in amd64 arm64; do
  case "$architecture-$machine" in
    amd64-x86_64 | arm64-aarch64) ;;
    amd64-*) need qemu-x86_64-static qemu-user-static ;;
    arm64-*) need qemu-aarch64-static qemu-user-static ;;
  esac
  log "Debian packages for $architecture"
  download "$architecture" "$work/packages-$architecture" "$java"
  unpack "$work/$architecture" "$work/packages-$architecture"
done
./dev image --output "$work/images" --system "$work/amd64" --system "$work/arm64" >&2

mkdir -p "$dir/images"
for tar in "$work/images"/*-amd64.tar; do
  name=$(basename "$tar" "-$version-amd64.tar")
  mkdir "$dir/images/$name"
  digest=$(node release/oci.mjs index "$dir/images/$name" "$version" "$tar" "${tar%-amd64.tar}-arm64.tar")
  printf '%s@%s\n' "$name" "$digest" >>"$dir/images/DIGESTS"
done
