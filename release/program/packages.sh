#!/usr/bin/env bash
# Builds the .deb and the .rpm of one processor architecture.
set -euo pipefail

usage() {
  cat <<'USAGE'
usage: packages.sh TREE VERSION ARCH DIR

Writes the packages of the program in TREE, the content of a tarball with Java, to DIR. ARCH is x64 or aarch64.
SOURCE_DATE_EPOCH is the time of all files.
USAGE
}

die() { printf '%s\n' "packages: $*" >&2; exit 1; }

# Copies the program into the folder $1, with the paths of the packages.
stage() {
  local root=$1 share=$1/usr/share
  mkdir -p "$root"/usr/{bin,lib/systemd/system,lib/sysusers.d} "$root/etc/doyen" "$share"/{doc/doyen,man/man1}
  cp -a "$tree" "$root/usr/lib/doyen"
  mv "$root"/usr/lib/doyen/share/{bash-completion,zsh,fish} "$share/"
  mv "$root"/usr/lib/doyen/share/doyen/*.service "$root/usr/lib/systemd/system/"
  mv "$root/usr/lib/doyen/share/doyen/sysusers.conf" "$root/usr/lib/sysusers.d/doyen.conf"
  mv "$root"/usr/lib/doyen/share/doyen/*.env "$root/etc/doyen/"
  gzip -n -9 "$root"/usr/lib/doyen/share/man/man1/*
  mv "$root"/usr/lib/doyen/share/man/man1/* "$share/man/man1/"
  rm -r "$root/usr/lib/doyen/share"
  mv "$root/usr/lib/doyen/LICENSE" "$share/doc/doyen/copyright"
  ln -s ../lib/doyen/bin/doyen "$root/usr/bin/doyen"
  # The files can contain keys and passwords.
  chmod 600 "$root"/etc/doyen/*.env
  find "$root" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
}

# Prints the newest version of glibc whose functions the Java of the program uses.
glibc() {
  find "$tree/runtime" -type f \( -name '*.so' -o -path '*/bin/*' \) -exec grep -aoh 'GLIBC_2\.[0-9]*' {} + |
    sed 's/GLIBC_//' | sort -Vu | tail -n 1
}

# Builds the .deb. Debian keeps completions of zsh in its own folder.
deb() {
  local root=$work/deb size arch
  case "$1" in x64) arch=amd64 ;; aarch64) arch=arm64 ;; esac
  stage "$root"
  mv "$root/usr/share/zsh/site-functions" "$root/usr/share/zsh/vendor-completions"
  mkdir "$root/DEBIAN"
  install -m 755 "$here"/debian/{postinst,prerm,postrm} "$root/DEBIAN/"
  printf '/etc/doyen/%s\n' hub.env run.env >"$root/DEBIAN/conffiles"
  (cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
  size=$(find "$root/usr" "$root/etc" -type f -printf '%s\n' | awk '{ n += $1 } END { print int(n / 1024) + 1 }')
  cat >"$root/DEBIAN/control" <<CONTROL
Package: doyen
Version: $version
Architecture: $arch
Maintainer: Doyen <https://github.com/doyen-dev/doyen>
Installed-Size: $size
Depends: libc6 (>= $(glibc)), libgcc-s1, libstdc++6, passwd, util-linux, zlib1g
Section: admin
Priority: optional
Homepage: https://github.com/doyen-dev/doyen
Description: elects one leader among processes, pods and browser tabs
 The program doyen runs a command on one of several machines at a time, and
 starts a hub that elects leaders among browser tabs. The package contains the
 Java that the program needs.
CONTROL
  find "$root" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
  dpkg-deb --root-owner-group -Zgzip -z9 --build "$root" "$dir/doyen_${version}_$arch.deb" >/dev/null
}

# Builds the .rpm. rpmbuild finds the libraries that Java needs.
rpm() {
  local root=$work/rpm machine
  case "$1" in x64) machine=x86_64 ;; aarch64) machine=aarch64 ;; esac
  stage "$root"
  rpmbuild -bb --quiet --target "$machine-linux" --buildroot "$work/rpm-root" \
    --define "_topdir $work/rpmbuild" --define "_rpmdir $work/rpmbuild" --define "_dbpath $work/rpmdb" \
    --define "doyen_version $version" --define "doyen_root $root" \
    --define "_buildhost localhost" --define "use_source_date_epoch_as_buildtime 1" \
    --define "clamp_mtime_to_source_date_epoch 1" --define "_build_id_links none" --define "debug_package %{nil}" \
    --define "__os_install_post %{nil}" --define "_binary_payload w10.zstdio" "$here/doyen.spec"
  cp "$work/rpmbuild/$machine/doyen-"*.rpm "$dir/doyen-$version-1.$machine.rpm"
}

[ $# -eq 4 ] || { usage >&2; die "4 arguments are needed, but there are $#"; }
case "$3" in x64 | aarch64) ;; *) die "ARCH is \"$3\"; it must be x64 or aarch64" ;; esac
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tree=$(cd "$1" && pwd)
version=$2
dir=$(cd "$4" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
deb "$3"
rpm "$3"
