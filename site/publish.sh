#!/usr/bin/env bash
# Adds a version to the branch that serves the site: publish.sh REMOTE VERSION [BASE]
#
# The branch `pages` of REMOTE contains the site with all earlier versions. The script adds the version, or replaces it
# if the branch already contains it, and pushes one commit.
set -euo pipefail
[ $# -ge 2 ] || { echo "usage: ./dev site --publish REMOTE VERSION [BASE]" >&2; exit 2; }
remote=$1 version=$2 base=${3:-/}
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Clones the branch, or begins it if the remote does not have it yet.
if git ls-remote --exit-code --heads "$remote" pages >/dev/null; then
  git clone --quiet --depth 1 --branch pages "$remote" "$folder/site"
else
  git init --quiet --initial-branch pages "$folder/site"
  git -C "$folder/site" remote add origin "$remote"
fi
./dev site --to "$folder/site" --version "$version" --base "$base"
touch "$folder/site/.nojekyll" # GitHub Pages otherwise leaves out files whose names begin with an underscore.
git -C "$folder/site" add --all
if git -C "$folder/site" diff --cached --quiet; then
  echo "The branch pages already contains this build of $version."
  exit 0
fi
git -C "$folder/site" commit --quiet -m "Site: $version"
git -C "$folder/site" push --quiet origin pages
echo "The branch pages contains $version."
