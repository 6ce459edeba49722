#!/usr/bin/env bash
# Builds the npm packages of a release: npm.sh SOURCE VERSION DIR
#
# Writes DIR/npm with one tarball for each package. The tarballs contain the licence, and a README with absolute links.
set -euo pipefail
# shellcheck source=release/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

source=$1 version=$2 target=$3/npm
# A package comes after the packages that it needs.
packages=(hub/tabs-typescript hub/client-typescript clients/typescript)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$source"
npm_packages
mkdir -p "$target"

# Copies the files of a package from its folder, completes them, and packs them.
pack() {
  local folder=$1 package=$work/${1##*/}
  mkdir "$package"
  tar -xzf "$work/$(npm pack --silent --ignore-scripts --pack-destination "$work" -w "$folder")" -C "$package"
  cp LICENSE "$package/package/"
  node release/readme-links.js "$package/package/README.md" "$folder" "$version"
  npm pack --silent --ignore-scripts --pack-destination "$target" "$package/package" >&2
}

for folder in "${packages[@]}"; do
  rm -rf "$folder/dist"
  npm run --silent build -w "$folder" >&2
  pack "$folder"
done
