#!/usr/bin/env bash
# Builds a release of Doyen from the current commit, and publishes it. `./dev release --help` prints the options.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C TZ=UTC
umask 022

# Each part is a script release/PART.sh SOURCE VERSION DIR, which writes into the release folder DIR.
parts=(maven program npm python go images charts sbom)

usage() {
  cat <<USAGE
usage: ./dev release VERSION --to DIR [--only PART].. [--sign KEY] [--publish]

  VERSION        three numbers, such as 1.2.3
  --to DIR       the release folder; must be missing or empty, except with --publish
  --only PART    builds or publishes this part only. Parts: ${parts[*]}
  --sign KEY     signs the checksums and the Maven artifacts with this key of gpg
  --publish      uploads the folder. Builds the folder first, if it is missing or empty

The command builds the current commit, and refuses a checkout with changes that are not committed. Two builds of a
commit produce the same bytes, except for the signatures and Java's class-data archives (classes.jsa). SHA256SUMS
contains the checksums of all files.
RELEASE-NOTES.md contains the section of CHANGELOG.md with the title VERSION, or else the section "Unreleased".

USAGE
  "$(dirname "$0")/publish.sh" --help
}

log() { printf '==> %s\n' "$*" >&2; }
die() { printf '%s\n' "release: $*" >&2; exit 1; }
need() { command -v "$1" >/dev/null || die "$1 is not installed; $2"; }

version='' dir='' sign='' publish='' only=()

# Sets the variables above.
read_arguments() {
  while [ $# -gt 0 ]; do
    case "$1" in
      --help | -h) usage; exit 0 ;;
      --publish) publish=yes ;;
      --to | --only | --sign)
        [ $# -ge 2 ] || die "the option $1 has no value; see ./dev release --help"
        case "$1" in
          --to) dir=$2 ;;
          --only) only+=("$2") ;;
          --sign) sign=$2 ;;
        esac
        shift
        ;;
      -*) die "no such option: $1; see ./dev release --help" ;;
      *)
        [ -z "$version" ] || die "\"$version\" and \"$1\" are two versions, but a release has one"
        version=$1
        ;;
    esac
    shift
  done
  [ -n "$version" ] || die "the version is missing; see ./dev release --help"
  [[ $version =~ ^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)$ ]] ||
    die "the version is \"$version\", but must consist of three numbers, such as 1.2.3"
  [ -n "$dir" ] || die "the option --to is missing; it names the release folder"
  local part
  for part in ${only[@]+"${only[@]}"}; do
    [[ " ${parts[*]} " = *" $part "* ]] || die "a release has no part \"$part\"; its parts are ${parts[*]}"
  done
}

# Prints the section of the changelog with the given title.
section() {
  awk -v title="## $1" '/^## / { found = $0 == title; next } found' CHANGELOG.md
}

# Prints the release note. Links in the changelog are relative, and become links to the pages of this version.
notes() {
  local content pages=https://github.com/doyen-dev/doyen/blob/v$version
  content=$(section "$version")
  [ -n "${content//[[:space:]]/}" ] || content=$(section Unreleased)
  [ -n "${content//[[:space:]]/}" ] ||
    die "CHANGELOG.md has no section \"$version\" and no section \"Unreleased\" with content; describe the release"
  printf '# Doyen %s\n\nBuilt from commit %s of %s.\n%s\n' "$version" "$commit" \
    "$(git log -1 --format=%cd --date=format-local:%Y-%m-%d "$commit")" \
    "$(sed -E "s#\]\(([^):]+)\)#]($pages/\1)#g" <<<"$content")"
}

# Builds the parts in a clone. A part finds the tracked files and the npm packages in the clone, and nothing else.
build() {
  local changes source part chosen=(${only[@]+"${only[@]}"})
  changes=$(git status --porcelain)
  [ -z "$changes" ] ||
    die "the checkout has changes that are not committed, but a release contains the commit only; commit or remove them:
$(head -n 10 <<<"$changes")"
  need java "install a JDK 17 or newer (Debian: apt-get install openjdk-17-jdk-headless)"
  need mvn "install Maven 3.8.7 or newer (Debian: apt-get install maven)"
  need npm "install Node 20 or newer with npm"
  [ -z "$sign" ] || gpg --batch --list-secret-keys -- "$sign" >/dev/null 2>&1 ||
    die "gpg has no secret key \"$sign\"; gpg --list-secret-keys prints the keys"
  commit=$(git rev-parse HEAD)
  SOURCE_DATE_EPOCH=$(git log -1 --format=%ct "$commit")
  export SOURCE_DATE_EPOCH
  notes >"$work/notes"
  source=$work/source
  git clone --quiet --no-checkout . "$source"
  git -C "$source" checkout --quiet --detach "$commit"
  "$source/release/version.sh" "$source" "$version"
  [ "${#chosen[@]}" -gt 0 ] || chosen=("${parts[@]}")
  for part in "${chosen[@]}"; do
    log "$part"
    git -C "$source" clean -qfdx -e node_modules
    "$source/release/$part.sh" "$source" "$version" "$dir"
  done
  cp "$work/notes" "$dir/RELEASE-NOTES.md"
  log "checksums"
  (cd "$dir" && find . -type f ! -name SHA256SUMS -printf '%P\0' | sort -z | xargs -0 sha256sum -- >"$work/sums")
  mv "$work/sums" "$dir/SHA256SUMS"
  [ -z "$sign" ] || release/sign.sh "$dir" "$sign"
  log "$dir contains Doyen $version"
}

read_arguments "$@"
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ -z "$(ls -A "$dir")" ]; then
  build
elif [ -z "$publish" ]; then
  die "$dir is not empty; remove its files, or use another folder"
elif [ -n "$sign" ]; then
  die "$dir is already built, but --sign signs a new folder; remove the option, or use another folder"
fi
[ -z "$publish" ] || release/publish.sh "$version" "$dir" ${only[@]+"${only[@]}"}
