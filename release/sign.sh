#!/usr/bin/env bash
# Signs a release folder: sign.sh DIR KEY
#
# Writes a detached signature FILE.asc beside SHA256SUMS and beside each Maven artifact. gpg finds KEY in its own home
# directory, which the environment variable GNUPGHOME can set.
set -euo pipefail

dir=$1 key=$2

# Prints the files to sign. Maven Central accepts no signature of a checksum.
files() {
  find "$dir/SHA256SUMS" -print0
  [ ! -d "$dir/maven" ] || find "$dir/maven" -type f \( -name '*.jar' -o -name '*.pom' \) -print0
}

files | sort -z | xargs -0 -n 1 gpg --batch --yes --quiet --armor --detach-sign --local-user "$key" --
