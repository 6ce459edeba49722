#!/usr/bin/env bash
# Uploads a release folder: publish.sh VERSION DIR [PART]..
#
# Prints the commands of a target whose settings are missing, instead of running them.
set -euo pipefail

usage() {
  cat <<'USAGE'
Environment variables set the targets of --publish. The command uploads to each target whose settings are complete. For
each other target it prints what it would do, and does nothing. Go modules need no upload, because the Go module proxy
reads them from the Git tags.

  part    target                settings
  maven   Maven Central         DOYEN_MAVEN_URL, the address for uploads of the Central Publisher API; DOYEN_MAVEN_USER
                                and DOYEN_MAVEN_PASSWORD, a user token of the Central Portal
  npm     npm                   DOYEN_NPM_TOKEN. npm's own setting npm_config_registry sets another registry
  python  PyPI                  DOYEN_PYPI_TOKEN. Twine's own setting TWINE_REPOSITORY_URL sets another registry
  go      Git tags              DOYEN_GIT_URL, such as git@github.com:doyen-dev/doyen.git. git finds the credentials
  images, charts
          an OCI registry       DOYEN_OCI_REPOSITORY, such as registry.example/doyen; DOYEN_OCI_USER;
                                DOYEN_OCI_PASSWORD. The charts are in REPOSITORY/charts
  program a release on GitHub   GH_TOKEN; DOYEN_GITHUB_REPOSITORY, by default doyen-dev/doyen. The release has the tag
                                of the part go, and contains the files of the parts program and sbom

Maven Central accepts signed artifacts only. The upload waits in the portal until you publish it there.
USAGE
}

log() { printf '==> %s\n' "$*" >&2; }
die() { printf '%s\n' "publish: $*" >&2; exit 1; }
need() { command -v "$1" >/dev/null || die "$1 is not installed; $2"; }

# Sets `run` to the function that the commands of a target need. The arguments are the target and its settings.
settings() {
  local missing=() name target=$1
  shift
  for name; do [ -n "${!name:-}" ] || missing+=("$name"); done
  if [ "${#missing[@]}" -eq 0 ]; then
    run=execute
    log "$target"
  else
    run=print_only
    printf '%s: not uploaded, because these settings are missing: %s. The command would run:\n' \
      "$target" "${missing[*]}"
  fi
}

execute() { "$@"; }
print_only() { printf '  %s\n' "${*@Q}"; }

# Succeeds if the folder contains the part. The folder of a build with --only lacks other parts.
has() {
  [ -d "$dir/$1" ] || { log "$1: not in $dir"; return 1; }
}

publish_maven() {
  has maven || return 0
  settings "Maven Central" DOYEN_MAVEN_URL DOYEN_MAVEN_USER DOYEN_MAVEN_PASSWORD
  local unsigned token
  unsigned=$(find "$dir/maven" \( -name '*.jar' -o -name '*.pom' \) ! -execdir test -e '{}.asc' \; -print -quit)
  if [ -n "$unsigned" ] && [ "$run" = execute ]; then
    die "$unsigned has no signature, but Maven Central requires one; build the folder with --sign KEY"
  fi
  $run jar --create --no-manifest --file "$work/bundle.zip" -C "$dir/maven" .
  # curl reads the password from a file, because all users can read the arguments of a process.
  token=$(printf '%s:%s' "${DOYEN_MAVEN_USER:-}" "${DOYEN_MAVEN_PASSWORD:-}" | base64 -w 0)
  printf 'Authorization: Bearer %s\n' "$token" >"$work/header"
  $run curl --silent --show-error --fail-with-body --header "@$work/header" --form "bundle=@$work/bundle.zip" \
    "${DOYEN_MAVEN_URL:-URL}?name=doyen-$version&publishingType=USER_MANAGED"
}

publish_npm() {
  has npm || return 0
  settings npm DOYEN_NPM_TOKEN
  local url package
  # npm rejects this command in a package of a workspace.
  url=$(cd "$work" && npm config get registry)
  # npm replaces the variable.
  # shellcheck disable=SC2016
  printf '%s:_authToken=${DOYEN_NPM_TOKEN}\n' "${url#http*:}" >"$work/npmrc"
  for package in "$dir"/npm/*.tgz; do
    $run npm publish "$package" --access public --registry "$url" --userconfig "$work/npmrc"
  done
}

publish_python() {
  has python || return 0
  settings PyPI DOYEN_PYPI_TOKEN
  $run python3 -m venv "$work/python"
  $run "$work/python/bin/pip" install --quiet twine==7.0.0
  TWINE_USERNAME=__token__ TWINE_PASSWORD=${DOYEN_PYPI_TOKEN:-} \
    $run "$work/python/bin/twine" upload --non-interactive "$dir"/python/*
}

# Pushes the tag of the release. Go also needs a tag with the path of each module inside the repository.
publish_go() {
  settings "Git tags" DOYEN_GIT_URL
  local commit zip module tags=("v$version")
  commit=$(sed -n 's/^Built from commit \([0-9a-f]*\) .*/\1/p' "$dir/RELEASE-NOTES.md")
  if [ -d "$dir/go" ]; then
    while read -r zip; do
      module=${zip#"$dir/go/github.com/doyen-dev/doyen"}
      module=${module%"/@v/v$version.zip"}
      [ -z "$module" ] || tags+=("${module#/}/v$version")
    done < <(find "$dir/go" -path "*/@v/v$version.zip" | sort)
  fi
  $run git -C "$(dirname "$0")" push "${DOYEN_GIT_URL:-URL}" "${tags[@]/#/$commit:refs/tags/}"
}

# Writes the credentials of the OCI registry into a file that skopeo and helm read. All users can read the arguments of a
# process.
oci_login() {
  settings "$1" DOYEN_OCI_REPOSITORY DOYEN_OCI_USER DOYEN_OCI_PASSWORD
  repository=${DOYEN_OCI_REPOSITORY:-REPOSITORY}
  printf '{"auths": {"%s": {"auth": "%s"}}}' "${repository%%/*}" \
    "$(printf '%s:%s' "${DOYEN_OCI_USER:-}" "${DOYEN_OCI_PASSWORD:-}" | base64 -w 0)" >"$work/oci.json"
}

publish_images() {
  has images || return 0
  oci_login "images in an OCI registry"
  local image
  [ "$run" != execute ] || need skopeo "install it (Debian: apt-get install skopeo)"
  for image in "$dir"/images/*/; do
    $run skopeo copy --authfile "$work/oci.json" --all "oci:${image%/}" \
      "docker://$repository/$(basename "$image"):$version"
  done
}

publish_charts() {
  has charts || return 0
  oci_login "charts in an OCI registry"
  local chart
  [ "$run" != execute ] || need helm "install Helm 3.8 or newer"
  for chart in "$dir"/charts/*.tgz; do
    # The images and charts have the same names and tags.
    $run helm push "$chart" "oci://$repository/charts" --registry-config "$work/oci.json"
  done
}

publish_program() {
  settings "a release on GitHub" GH_TOKEN
  local files=()
  mapfile -t files < <(find "$dir" -maxdepth 1 -type f ! -name RELEASE-NOTES.md | sort
    find "$dir/packages" "$dir/sbom" -type f 2>/dev/null | sort)
  [ "$run" != execute ] || need gh "install the GitHub CLI (Debian: apt-get install gh)"
  $run gh release create "v$version" --repo "${DOYEN_GITHUB_REPOSITORY:-doyen-dev/doyen}" --verify-tag \
    --title "Doyen $version" --notes-file "$dir/RELEASE-NOTES.md" "${files[@]}"
}

if [ "${1:-}" = --help ]; then
  usage
  exit 0
fi
version=$1 dir=$2
shift 2
[ -e "$dir/SHA256SUMS" ] ||
  die "$dir has no file SHA256SUMS, so its build has not ended; build it again in an empty folder"
built=$(sed -n '1s/^# Doyen //p' "$dir/RELEASE-NOTES.md")
[ "$built" = "$version" ] || die "$dir contains Doyen $built, not $version; name the version that it contains"
changed=$(cd "$dir" && sha256sum --check --quiet SHA256SUMS 2>&1) ||
  die "files in $dir do not match SHA256SUMS; build the folder again:
$changed"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The tag comes first, because the release on GitHub needs it.
[ $# -gt 0 ] || set -- go maven npm python images charts program
for part; do
  [ "$part" = sbom ] || "publish_$part"
done
