#!/usr/bin/env bash
# Packages the Helm charts of a release: charts.sh SOURCE VERSION DIR
#
# Writes DIR/charts/NAME-VERSION.tgz for each chart, as `helm package` does, but with the time SOURCE_DATE_EPOCH for all
# files. Also writes DIR/charts/NAME, an OCI layout with this file, as `helm push` uploads it.
set -euo pipefail

# shellcheck source=release/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

die() { printf '%s\n' "charts: $*" >&2; exit 1; }

[ $# -eq 3 ] || die "$# arguments were given; the script needs three: SOURCE VERSION DIR"
source=$(cd "$1" && pwd) version=$2 dir=$(cd "$3" && pwd)
: "${SOURCE_DATE_EPOCH:?the time of all files, in seconds since 1970}"
cd "$source"
npm_packages
mkdir -p "$dir/charts"
for chart in kubernetes/helm/*/Chart.yaml; do
  name=$(basename "$(dirname "$chart")")
  written=$(sed -n 's/^version: //p' "$chart")
  [ "$written" = "$version" ] || die "$chart has the version $written instead of $version; set it with release/version.sh"
  file=$dir/charts/$name-$version.tgz
  git ls-files -z -- "kubernetes/helm/$name" | LC_ALL=C sort -z |
    tar --create --null --files-from=- --transform='s#^kubernetes/helm/##' --format=ustar --mtime="@$SOURCE_DATE_EPOCH" \
      --owner=0 --group=0 --numeric-owner --mode=0644 | gzip -n -9 >"$file"
  mkdir "$dir/charts/$name"
  node release/oci.mjs chart "$dir/charts/$name" "$version" "$file" >/dev/null
done
