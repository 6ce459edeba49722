#!/usr/bin/env bash
# Builds the Go module of a release: go.sh SOURCE VERSION DIR
#
# Writes DIR/go, a folder with the layout of a Go module proxy. The go command builds the archive of the module from the
# tag of a temporary Git repository. So the archive has the checksum of the archive that the go command builds from
# GitHub.
set -euo pipefail

source=$1 version=$2 module=github.com/doyen-dev/doyen/clients/go
target=$3/go/$module/@v
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
die() { printf '%s\n' "go.sh: $*" >&2; exit 1; }
command -v go >/dev/null || die "go is not installed; install Go 1.19 or newer (Debian: apt-get install golang-go)"

# Creates a Git repository with the files of the module, the licence, and the tag of the release.
repository() {
  export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
  export GIT_AUTHOR_NAME=Doyen GIT_AUTHOR_EMAIL='' GIT_AUTHOR_DATE="$SOURCE_DATE_EPOCH +0000"
  export GIT_COMMITTER_NAME=Doyen GIT_COMMITTER_EMAIL='' GIT_COMMITTER_DATE="$SOURCE_DATE_EPOCH +0000"
  mkdir -p "$work/repository/clients"
  cp -R "$source/clients/go" "$work/repository/clients/go"
  cp "$source/LICENSE" "$work/repository/LICENSE"
  cd "$work/repository"
  git init -q
  git add -A
  git commit -qm "Doyen $version"
  git tag "clients/go/v$version"
}

# Downloads the module from the repository instead of GitHub, into a new module cache. The cache has the layout of a
# proxy.
download() {
  cd "$work"
  export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0="url.file://$work/repository.insteadOf"
  export GIT_CONFIG_VALUE_0=https://github.com/doyen-dev/doyen
  GOMODCACHE=$work/cache GOPROXY=direct GOSUMDB=off GOVCS='*:git' GOTOOLCHAIN=local GOWORK=off GOFLAGS=-modcacherw \
    go mod download "$module@v$version"
}

repository
download
mkdir -p "$target"
cp "$work/cache/cache/download/$module/@v/v$version".{mod,zip} "$target/"
# The go command also writes the temporary repository into the .info file, so this script writes the file itself.
printf '{"Version":"v%s","Time":"%s"}\n' "$version" "$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)" \
  >"$target/v$version.info"
printf 'v%s\n' "$version" >"$target/list"
