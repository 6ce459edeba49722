#!/usr/bin/env bash
# Builds the program doyen: a tarball for any Java, tarballs with Java for Linux, packages, and texts for Homebrew and
# Scoop.
set -euo pipefail

usage() {
  cat <<'USAGE'
usage: release/program.sh SOURCE VERSION DIR

Builds the program of the checkout SOURCE, and writes to the folder DIR:

  doyen-VERSION.tar.gz                 needs Java 17 or newer
  doyen-VERSION-linux-x64.tar.gz       contains Java
  doyen-VERSION-linux-aarch64.tar.gz   contains Java
  packages/                            .deb and .rpm of both architectures, doyen.rb (Homebrew), doyen.json (Scoop)

SOURCE_DATE_EPOCH is the time of all files. Java comes from the JDK of JAVA_HOME or PATH. The Java of the other
processor architecture comes from Debian's package of the same version. If apt-get cannot download this package, the
tarball of that architecture contains no Java, and the architecture gets no packages.
USAGE
}

die() { printf '%s\n' "program: $*" >&2; exit 1; }
log() { printf '%s\n' "program: $*" >&2; }
# shellcheck source=release/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# Prints the name of this processor architecture as in /proc, from the name that the tarballs use.
machine_of() { case "$1" in x64) echo x86_64 ;; aarch64) echo aarch64 ;; esac; }

# Prints Debian's name of a processor architecture.
debian_of() { case "$1" in x64) echo amd64 ;; aarch64) echo arm64 ;; esac; }

# Builds the jars of the program, and the command that adds Java to the program.
build() {
  cd "$source"
  npm_packages
  npm run --silent build >&2
  mvn -q -B -ntp -Dstyle.color=never -Dmaven.test.skip=true -Dspotless.check.skip=true -pl kubernetes/image -am \
    package >&2 ||
    die "the program could not be built; see above"
}

# Creates the folder $1 with the files that are the same for all tarballs.
lay_out() {
  local tree=$1 from=$source/release/program jar=$source/cli/program/target/doyen-cli-$version.jar page
  [ -f "$jar" ] || die "$jar does not exist; the version of the checkout must be $version (release/version.sh sets it)"
  mkdir -p "$tree"/{bin,lib} "$tree"/share/{doyen,man/man1}
  mkdir -p "$tree"/share/{bash-completion/completions,zsh/site-functions,fish/vendor_completions.d}
  install -m 755 "$from/doyen" "$tree/bin/doyen"
  cp "$jar" "$tree/doyen.jar"
  cp "$source"/cli/program/target/lib/*.jar "$tree/lib/"
  cp "$from/jvm.args" "$source/LICENSE" "$tree/"
  cp "$from"/{doyen-hub.service,doyen-run@.service,sysusers.conf,hub.env,run.env} "$tree/share/doyen/"
  for page in "$from"/man/*.1; do
    sed "s/@VERSION@/$version/" "$page" >"$tree/share/man/man1/${page##*/}"
  done
  cp "$from/completions/doyen.bash" "$tree/share/bash-completion/completions/doyen"
  cp "$from/completions/_doyen" "$tree/share/zsh/site-functions/"
  cp "$from/completions/doyen.fish" "$tree/share/fish/vendor_completions.d/"
  chmod -R u=rwX,go=rX "$tree"
  # The class-data archive contains the times of the jars.
  find "$tree" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
}

# Writes the tarball of the folder $1.
pack() {
  tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
    -C "$work" -c "$1" | gzip -n -9 >"$dir/$1.tar.gz"
}

# Downloads Debian's JDK for the architecture $1, and prints the folder with its modules.
foreign_jmods() {
  local debian major folder=$work/jdk-$1
  debian=$(debian_of "$1")
  major=$(java_version "$java")
  mkdir -p "$folder"
  (cd "$folder" && apt_of apt-get "$debian" update && apt_of apt-get "$debian" download "openjdk-$major-jdk-headless") \
    >&2 || return 1
  dpkg-deb -x "$folder"/openjdk-*.deb "$folder/root"
  ls -d "$folder/root/usr/lib/jvm/java-$major-openjdk-$debian/jmods"
}

# Adds Java to a copy of the program, for the architecture $1. Returns 1 if Java is not available.
bundle() {
  local tree=$work/doyen-$version-linux-$1 jmods=""
  if [ "$(uname -m)" != "$(machine_of "$1")" ]; then
    jmods=$(foreign_jmods "$1") || return 1
  fi
  "$java" -cp "$source/kubernetes/image/target/classes:$source/kubernetes/image/target/lib/*" \
    dev.doyen.image.driver.BundleProgram "$tree" ${jmods:+--jmods "$jmods"} >&2 ||
    die "Java could not be added to the program; see above"
  chmod -R u=rwX,go=rX "$tree"
}

# Writes the text $1 for the tarball without Java.
describe() {
  sed -e "s/@VERSION@/$version/g" -e "s/@SHA256@/$(sha256sum "$dir/doyen-$version.tar.gz" | cut -d ' ' -f 1)/" \
    "$source/release/program/$1" >"$dir/packages/$1"
}

case "${1:-}" in help | -h | --help) usage; exit ;; esac
[ $# -eq 3 ] || { usage >&2; die "3 arguments are needed, but there are $#"; }
[ -f "$1/cli/program/pom.xml" ] || die "SOURCE is \"$1\", which is not a checkout of Doyen; give the folder with pom.xml"
[[ $2 =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || die "VERSION is \"$2\", but must consist of three numbers, such as 1.2.3"
[ -d "$3" ] || die "DIR is \"$3\", which is not a folder; create it"
[[ ${SOURCE_DATE_EPOCH:-} =~ ^[0-9]{1,11}$ ]] ||
  die "SOURCE_DATE_EPOCH is \"${SOURCE_DATE_EPOCH:-}\"; set it to seconds since 1970, such as the time of the commit"
export SOURCE_DATE_EPOCH
source=$(cd "$1" && pwd)
version=$2
dir=$(cd "$3" && pwd)
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
need "$java" openjdk-17-jdk-headless
need mvn maven
need rpmbuild rpm
need dpkg-deb dpkg
command -v npm >/dev/null || die "npm is not installed; install Node 20 or newer with npm"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 022

build
mkdir -p "$dir/packages"
plain=doyen-$version
lay_out "$work/$plain"
for arch in x64 aarch64; do
  cp -a "$work/$plain" "$work/$plain-linux-$arch"
  if bundle "$arch"; then
    "$source/release/program/packages.sh" "$work/$plain-linux-$arch" "$version" "$arch" "$dir/packages"
  else
    log "doyen-$version-linux-$arch.tar.gz contains no Java, because Debian's JDK for $arch could not be downloaded"
  fi
  pack "$plain-linux-$arch"
done
cp "$source/release/program/doyen.cmd" "$work/$plain/bin/"
pack "$plain"
describe doyen.rb
describe doyen.json
