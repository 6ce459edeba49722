#!/usr/bin/env bash
# Sets the version of all packages in a checkout: version.sh SOURCE VERSION
#
# The poms contain the next version with the suffix -SNAPSHOT. The packages of the other ecosystems contain it without
# the suffix. The script also sets the version in pages and manifests that name an artifact of Doyen.
set -euo pipefail

die() { printf '%s\n' "version.sh: $*" >&2; exit 1; }

[ $# -eq 2 ] || die "it needs two arguments, the folder of a checkout and a version; it got $#"
cd "$1"
version=$2
[[ $version =~ ^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)$ ]] ||
  die "the version is \"$version\", but must consist of three numbers, such as 1.2.3"
old=$(sed -n 's#^ *<revision>\(.*\)-SNAPSHOT</revision>$#\1#p' pom.xml)
[ -n "$old" ] ||
  die "pom.xml in $1 has no line <revision>...-SNAPSHOT</revision>; use a checkout whose version is not set yet"
pattern=${old//./\\.}

# Runs sed on the tracked files that contain the old version. The first arguments are sed scripts, and the path patterns
# of git follow after --.
replace() {
  local scripts=() files
  while [ "$1" != -- ]; do scripts+=(-e "$1"); shift; done
  shift
  mapfile -t files < <(git grep -lF "$old" -- "$@")
  [ "${#files[@]}" -eq 0 ] || sed -i "${scripts[@]}" "${files[@]}"
}

replace "s/$pattern-SNAPSHOT/$version/g" -- . ':!CHANGELOG.md'
# Tags of images, in manifests, pages, and the tests that read them.
replace "s/\(doyen-[a-z]*:\)$pattern\b/\1$version/g" -- '*.java' '*.md' '*.yaml'
replace "s/^\( *newTag: \)$pattern$/\1$version/" -- '*.md' '*.yaml'
replace "s/^\(version: \)$pattern$/\1$version/" -- '*/Chart.yaml'
replace "s/^\(version = \)\"$pattern\"$/\1\"$version\"/" -- '*/pyproject.toml'
# The commands of packages, which name the version only.
replace "s/\b$pattern\b/$version/g" -- README.md docs/guide/install.md

# The packages of npm, their dependencies on each other, and the lock file.
node - "$old" "$version" <<'NODE'
const { execFileSync } = require("node:child_process");
const { readFileSync, writeFileSync } = require("node:fs");
const [old, version] = process.argv.slice(2);

function set(manifest) {
  if (manifest.version === old) manifest.version = version;
  for (const kind of ["dependencies", "devDependencies", "peerDependencies"]) {
    for (const name of Object.keys(manifest[kind] ?? {})) {
      if (name.startsWith("@doyen/") && manifest[kind][name] === old) manifest[kind][name] = version;
    }
  }
}

const manifests = execFileSync("git", ["ls-files", "package.json", "*/package.json"], { encoding: "utf8" });
for (const file of [...manifests.trim().split("\n"), "package-lock.json"]) {
  const content = JSON.parse(readFileSync(file, "utf8"));
  if (file !== "package-lock.json") set(content);
  else for (const [path, entry] of Object.entries(content.packages)) if (!path.includes("node_modules/")) set(entry);
  writeFileSync(file, JSON.stringify(content, null, 2) + "\n");
}
NODE
