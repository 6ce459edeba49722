#!/usr/bin/env bash
# Writes the software bills of materials of a release: sbom.sh SOURCE VERSION DIR
#
# Writes CycloneDX files to DIR/sbom: doyen-maven.cdx.json with the jars of all modules and their libraries,
# doyen-npm.cdx.json with the npm packages, and IMAGE-ARCHITECTURE.cdx.json for each image in DIR/images.
set -euo pipefail

# shellcheck source=release/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

die() { printf '%s\n' "sbom: $*" >&2; exit 1; }

[ $# -eq 3 ] || die "$# arguments were given; the script needs three: SOURCE VERSION DIR"
source=$(cd "$1" && pwd) dir=$(cd "$3" && pwd)
: "${SOURCE_DATE_EPOCH:?the time in all files, in seconds since 1970}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$source"
npm_packages
mkdir -p "$dir/sbom"

# Prints the folders of the Maven modules whose paths match the pattern.
modules() { git ls-files '*/pom.xml' | sed 's#/pom\.xml$##' | grep -E "$1"; }

# Prints the name of the artifact of each module.
artifacts() {
  local module
  while read -r module; do
    sed -n '/<\/parent>/,$ s#^  <artifactId>\(.*\)</artifactId>$#\1#p' "$module/pom.xml"
  done
}

# Users get no jar of these modules.
internal='^(testing|examples)/|^kubernetes/image$'
# The hashes of the jars are in the file, so the jars are built. Some of them contain the pages that npm builds.
npm run --silent build >&2
mvn -q -B -ntp -T 2 -Dstyle.color=never -Dmaven.test.skip=true -Dspotless.check.skip=true \
  -pl "$(git ls-files '*/pom.xml' | sed 's#/pom\.xml$##' | grep -Ev "$internal" | paste -sd,)" -am package \
  org.cyclonedx:cyclonedx-maven-plugin:2.9.3:makeAggregateBom -DschemaVersion=1.6 -DoutputFormat=json \
  -DoutputDirectory="$work" -DoutputName=maven -Dcyclonedx.skipNotDeployed=false -DincludeBomSerialNumber=false \
  -DincludeTestScope=false -DexcludeArtifactId="$(modules "$internal" | artifacts | paste -sd,)" >&2

workspaces=()
while read -r workspace; do
  workspaces+=(--workspace "$workspace")
done < <(node -p 'require("./package.json").workspaces.filter((each) => !each.startsWith("testing/")).join("\n")')
# Without the optional packages, npm compiles no program in C++.
npm_config_omit=optional npx --yes @cyclonedx/cyclonedx-npm@6.0.1 --omit dev --flatten-components --spec-version 1.6 --output-reproducible \
  --output-format JSON --output-file "$work/npm.json" "${workspaces[@]}" >&2

node release/sbom.mjs "$work/maven.json" "$work/npm.json" "$dir"
