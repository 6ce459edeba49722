#!/usr/bin/env bash
# Builds the Python packages of a release: python.sh SOURCE VERSION DIR
#
# Writes DIR/python with an sdist and a wheel. Both contain the licence, and a README with absolute links.
set -euo pipefail

source=$1 version=$2 target=$3/python
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

die() { printf '%s\n' "python.sh: $*" >&2; exit 1; }

# Installs the build tools, which are pinned by hash, into a new environment.
tools() {
  command -v python3 >/dev/null ||
    die "python3 is not installed; install Python 3.10 or newer with venv (Debian: apt-get install python3-venv)"
  export PIP_DISABLE_PIP_VERSION_CHECK=1
  python3 -m venv "$work/tools"
  "$work/tools/bin/pip" install --quiet --require-hashes -r "$source/release/python-tools.txt" >&2
}

# Copies the package, and completes it.
copy() {
  cp -R "$source/clients/python" "$work/package"
  cp "$source/LICENSE" "$work/package/"
  node "$source/release/readme-links.js" "$work/package/README.md" clients/python "$version"
  chmod -R u=rwX,go=rX "$work/package"
}

# Packs the sdist again with fixed times and owners, because setuptools writes the present ones.
normalize() {
  local sdist=$1 folder
  folder=$(basename "$sdist" .tar.gz)
  tar -xzf "$sdist" -C "$work"
  tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --format=posix \
    --pax-option=exthdr.name=%d/PaxHeaders/%f,delete=atime,delete=ctime -C "$work" -cf - "$folder" |
    gzip -n9 >"$target/$folder.tar.gz"
}

tools
copy
mkdir -p "$target"
"$work/tools/bin/python" -m build --no-isolation --outdir "$work/built" "$work/package" >&2
cp "$work"/built/*.whl "$target/"
normalize "$work"/built/*.tar.gz
