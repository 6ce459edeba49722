#!/usr/bin/env bash
# Tests the tarballs and packages of the program in the release folder DOYEN_RELEASE. The tests of the packages need
# root, because they install the packages in a new Debian (debootstrap).
set -euo pipefail

release=$(cd "${DOYEN_RELEASE:?set DOYEN_RELEASE to the folder that ./dev release has written}" && pwd)
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
started=()

# A time limit, in seconds. It only ends a test that hangs.
limit=120

# Ends the processes of the tests, and deletes their files.
clean_up() {
  local pid
  for pid in ${started[@]+"${started[@]}"}; do kill -9 "$pid" 2>/dev/null || true; done
  ! mountpoint -q "$work/debian/proc" || umount -l "$work/debian/proc"
  rm -rf --one-file-system "$work"
}
trap clean_up EXIT

fail() { printf 'not ok: %s\n' "$*" >&2; exit 1; }
ok() { printf 'ok: %s\n' "$*"; }

# Installs the Debian package $2 if the program $1 is missing.
need() {
  PATH="$PATH:/usr/sbin:/sbin" command -v "$1" >/dev/null && return
  [ "$(id -u)" -eq 0 ] || fail "$1 is not installed; install it (Debian: apt-get install $2)"
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$2" >/dev/null
}

# Checks that $2 is $1. $3 is what the test checks.
same() { [ "$1" = "$2" ] || fail "$3: expected \"$1\", got \"$2\""; }

# Checks that the text $2 contains $1.
contains() { [[ $2 == *"$1"* ]] || fail "$3: expected \"$1\" in \"$2\""; }

# Reads lines of the file descriptor $1 until a line contains $2. The last line is in the variable line.
await() {
  while IFS= read -r -t "$limit" -u "$1" line; do
    [[ $line != *"$2"* ]] || return 0
  done
  fail "no line contains \"$2\"; the last line is \"$line\""
}

# Unpacks the tarball with the suffix $1 to the folder $2, and prints the folder of the program.
unpack() {
  mkdir -p "$2"
  tar -xzf "$release/doyen-$version$1.tar.gz" -C "$2"
  printf '%s\n' "$2/doyen-$version$1"
}

tarballs_contain_the_same_files() {
  local suffix names name
  for suffix in "" -linux-x64 -linux-aarch64; do
    names=$(tar -tzf "$release/doyen-$version$suffix.tar.gz")
    for name in bin/doyen doyen.jar jvm.args LICENSE share/man/man1/doyen.1 share/man/man1/doyen-run.1 \
      share/bash-completion/completions/doyen share/zsh/site-functions/_doyen share/fish/vendor_completions.d/doyen.fish \
      share/doyen/doyen-hub.service share/doyen/doyen-run@.service share/doyen/sysusers.conf share/doyen/hub.env; do
      grep -qxF "doyen-$version$suffix/$name" <<<"$names" || fail "doyen-$version$suffix.tar.gz does not contain $name"
    done
  done
  ok "the tarballs contain the program, manual pages, completions and units"
}

# Checks that all files have the time, owner and order that do not depend on the machine.
tarballs_have_fixed_times_and_owners() {
  local suffix listed
  for suffix in "" -linux-x64 -linux-aarch64; do
    listed=$(tar --numeric-owner --full-time -tvzf "$release/doyen-$version$suffix.tar.gz")
    same 1 "$(awk '{ print $2, $4, $5 }' <<<"$listed" | sort -u | wc -l)" "owners and times in doyen-$version$suffix.tar.gz"
    same 0/0 "$(awk 'NR == 1 { print $2 }' <<<"$listed")" "owner"
  done
  ok "the files of a tarball have one time and one owner"
}

# Prints the processor of an ELF file: 62 is x86-64, and 183 is aarch64.
processor() { od -An -tu2 -j18 -N2 "$1" | tr -d ' '; }

the_bundled_java_is_for_its_processor() {
  local x64 aarch64
  x64=$(unpack -linux-x64 "$work/elf")
  aarch64=$(unpack -linux-aarch64 "$work/elf")
  same 62 "$(processor "$x64/runtime/bin/java")" "processor of the tarball for x64"
  same 183 "$(processor "$aarch64/runtime/bin/java")" "processor of the tarball for aarch64"
  ok "the tarballs contain Java for their processor"
}

the_bundled_tarball_runs_anywhere() {
  local home
  home=$(unpack -linux-x64 "$work/a folder")
  ln -s "$home/bin/doyen" "$work/linked"
  same "doyen $version" "$(env -i PATH=/usr/bin:/bin "$work/linked" --version)" "version through a link"
  same "doyen $version" "$(env -i DOYEN_JAVA_OPTIONS=-Xshare:on "$home/bin/doyen" --version)" "version with the archive"
  touch "$home/doyen.jar"
  ! env -i DOYEN_JAVA_OPTIONS=-Xshare:on "$home/bin/doyen" --version >/dev/null 2>&1 || fail "-Xshare:on checks nothing"
  same "doyen $version" "$(env -i "$home/bin/doyen" --version 2>&1)" "version with an archive of another jar"
  ok "the tarball runs from any folder, and uses its class-data archive"
}

the_plain_tarball_finds_java() {
  local home java bad=$work/old-java
  home=$(unpack "" "$work/plain")
  java=$(dirname "$(dirname "$(readlink -f "$(command -v java)")")")
  same "doyen $version" "$(env -i PATH="$PATH" "$home/bin/doyen" --version)" "version with the Java of PATH"
  same "doyen $version" "$(env -i PATH=/usr/bin:/bin JAVA_HOME="$java" "$home/bin/doyen" --version)" "version with JAVA_HOME"
  contains 'JAVA_HOME is "/nowhere"' "$(env -i JAVA_HOME=/nowhere "$home/bin/doyen" --version 2>&1)" "wrong JAVA_HOME"
  mkdir -p "$bad/bin"
  ln -s /bin/false "$bad/bin/java"
  printf 'JAVA_VERSION="11.0.2"\n' >"$bad/release"
  contains "has version 11" "$(env -i JAVA_HOME="$bad" "$home/bin/doyen" --version 2>&1)" "old Java"
  mkdir "$work/no-java"
  ln -s "$(command -v readlink)" "$(command -v sh)" "$work/no-java/"
  contains "Java is not installed" "$(env -i PATH="$work/no-java" "$home/bin/doyen" --version 2>&1)" "no Java"
  ok "the tarball without Java finds Java, and reports a missing or old Java"
}

manual_pages_have_no_warnings() {
  local home page found
  home=$(unpack "" "$work/man")
  for page in "$home"/share/man/man1/*.1; do
    found=$(LC_ALL=C.UTF-8 MANROFFSEQ="" MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 >/dev/null)
    same "" "$found" "warnings of ${page##*/}"
  done
  contains "doyen $version" "$(LC_ALL=C.UTF-8 man -l -Tutf8 "$home/share/man/man1/doyen-run.1")" "footer of doyen-run.1"
  contains "--on-lost" "$(LC_ALL=C.UTF-8 man -l -Tutf8 "$home/share/man/man1/doyen-run.1")" "options in doyen-run.1"
  ok "the manual pages have no warnings"
}

completions_work_in_their_shells() {
  local home
  home=$(unpack "" "$work/shells")/share
  # shellcheck disable=SC2016 # the other shells expand the variables
  contains transfer "$(bash -c '. "$1"; COMP_WORDS=(doyen tran); COMP_CWORD=1; _complete_doyen; echo "${COMPREPLY[@]}"' \
    bash "$home/bash-completion/completions/doyen")" "a command in bash"
  # shellcheck disable=SC2016
  contains --on-lost "$(bash -c '. "$1"; COMP_WORDS=(doyen run --on-l); COMP_CWORD=2; _complete_doyen; echo "${COMPREPLY[@]}"' \
    bash "$home/bash-completion/completions/doyen")" "an option in bash"
  need fish fish
  local fish=(fish -N -c "source $home/fish/vendor_completions.d/doyen.fish; complete -C \$argv[1]" --)
  contains transfer "$(HOME=$work "${fish[@]}" "doyen tran")" "a command in fish"
  contains --on-lost "$(HOME=$work "${fish[@]}" "doyen run --on-l")" "an option in fish"
  contains stop "$(HOME=$work "${fish[@]}" "doyen run --on-lost st")" "a value in fish"
  contains replace "$(HOME=$work "${fish[@]}" "doyen quorum repl")" "a subcommand in fish"
  same "" "$(HOME=$work "${fish[@]}" "doyen leader --on-l")" "an option of another command in fish"
  need zsh zsh
  local typed wanted
  while IFS='|' read -r typed wanted; do
    timeout "$limit" zsh -f "$here/complete.zsh" "$home/zsh/site-functions" "$typed" "$wanted" ||
      fail "zsh does not complete \"$typed\" to \"$wanted\""
  done <<'TYPED'
doyen tran|doyen transfer
doyen run --on-l|--on-lost
doyen run --on-lost=st|doyen run --on-lost=stop
doyen quorum repl|doyen quorum replace
TYPED
  ok "bash, fish and zsh complete commands and options"
}

texts_name_the_tarball() {
  local sum
  sum=$(sha256sum "$release/doyen-$version.tar.gz" | cut -d ' ' -f 1)
  contains "sha256 \"$sum\"" "$(cat "$release/packages/doyen.rb")" "the formula for Homebrew"
  contains "/v$version/doyen-$version.tar.gz\"" "$(cat "$release/packages/doyen.rb")" "the formula for Homebrew"
  same "$version $sum doyen-$version" "$(node -p '
    const it = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"));
    [it.version, it.hash, it.extract_dir].join(" ")' "$release/packages/doyen.json")" "the manifest for Scoop"
  tar -tzf "$release/doyen-$version.tar.gz" "doyen-$version/bin/doyen.cmd" >/dev/null || fail "the tarball has no doyen.cmd"
  ok "the texts for Homebrew and Scoop name the tarball and its hash"
}

the_rpms_are_complete() {
  local machine file
  need rpm rpm
  for machine in x86_64 aarch64; do
    file=$release/packages/doyen-$version-1.$machine.rpm
    same "doyen $machine" "$(rpm -qp --qf '%{name} %{arch}' "$file")" "name and architecture"
    contains /usr/lib/systemd/system/doyen-run@.service "$(rpm -qlp "$file")" "files"
    same "/etc/doyen/hub.env /etc/doyen/run.env" "$(rpm -qp --configfiles "$file" | paste -sd ' ')" "settings"
    contains libz.so.1 "$(rpm -qp --requires "$file")" "the libraries that Java needs"
    ! rpm -qp --requires "$file" | grep -E '^lib(jvm|java|net)\.so' || fail "$file needs libraries that it contains"
    same "" "$(rpm -qp --provides "$file" | grep '\.so' || true)" "libraries that the package offers to others"
  done
  need cpio cpio
  mkdir "$work/rpm"
  rpm2cpio "$release/packages/doyen-$version-1.x86_64.rpm" | (cd "$work/rpm" && cpio -idm --quiet)
  same "doyen $version" "$(env -i DOYEN_JAVA_OPTIONS=-Xshare:on "$work/rpm/usr/bin/doyen" --version)" "version"
  ok "the .rpm contains the program, and names the libraries of other packages"
}

# Checks the units with systemd-analyze, which needs the program of ExecStart on this machine.
the_units_are_valid() {
  local home units=$work/units
  need systemd-analyze systemd
  home=$(unpack "" "$work/systemd")
  mkdir "$units"
  sed 's#/usr/bin/doyen#/bin/true#' "$home/share/doyen/doyen-hub.service" >"$units/doyen-hub.service"
  sed 's#/usr/bin/doyen#/bin/true#' "$home/share/doyen/doyen-run@.service" >"$units/doyen-run@orders.service"
  systemd-analyze verify --man=no "$units"/* >"$work/verify" 2>&1 || fail "systemd-analyze: $(cat "$work/verify")"
  ! grep -F doyen "$work/verify" || fail "systemd-analyze warns"
  ok "the units are valid"
}

# Runs a command in the new Debian, with an empty environment.
inside() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot "$work/debian" "$@"; }

# Lists the files of the new Debian with their types, rights, owners and, in /etc, contents. Leaves out the records of
# dpkg, and the copies that useradd makes of its files.
trace() {
  (cd "$work/debian" && find . -path ./proc -prune -o -path ./var/lib/dpkg -prune -o -path ./var/log -prune -o \
    -path './etc/*-' -prune -o -printf '%p %y %m %U %G %l\n' | sort &&
    find etc -type f ! -name '*-' -exec sha256sum {} + | sort -k 2)
}

# Prints the ExecStart of a unit with the values of its specifiers. systemd splits $WORD like a shell.
exec_start() {
  sed -n 's/^ExecStart=//p' "$work/debian/usr/lib/systemd/system/$1" | sed -e 's/%i/orders/g' -e 's/%H/machine-1/g'
}

# Starts the command line of a unit as the user of the unit, with the environment files of the unit. The output is in the
# file descriptor unit, and the process id in pid.
start_unit() {
  local user files
  user=$(sed -n 's/^User=//p' "$work/debian/usr/lib/systemd/system/$1")
  files=$(sed -n 's/^EnvironmentFile=/. /p' "$work/debian/usr/lib/systemd/system/$1" | sed 's/%i/orders/g')
  exec {unit}< <(exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot "$work/debian" sh -c \
    "set -a; $files
    exec setpriv --reuid=$user --regid=$user --clear-groups $(exec_start "$1")" 2>&1)
  pid=$!
  started+=("$pid")
}

the_new_debian_has_no_java() {
  need debootstrap debootstrap
  debootstrap --variant=minbase "${DEBIAN_SUITE:-bookworm}" "$work/debian" >"$work/debootstrap.log" 2>&1 ||
    fail "debootstrap failed: $(tail -n 3 "$work/debootstrap.log")"
  mount -t proc proc "$work/debian/proc"
  ! inside sh -c 'command -v java' || fail "the new Debian contains Java"
  ok "the new Debian contains no Java"
}

the_tarball_elects_a_leader_without_java() {
  local begun=$EPOCHREALTIME leader
  mkdir "$work/debian/opt/tar"
  tar -xzf "$release/doyen-$version-linux-x64.tar.gz" -C "$work/debian/opt/tar"
  exec {leader}< <(exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot "$work/debian" "/opt/tar/doyen-$version-linux-x64/bin/doyen" \
    run orders --store file:/tmp/orders -- sh -c "echo leads in term \$DOYEN_TERM" 2>&1)
  started+=("$!")
  await "$leader" "leads in term 1"
  awk -v from="$begun" -v to="$EPOCHREALTIME" 'BEGIN { printf "measured: %.2f s from unpacking to a leader\n", to - from }'
  # At its end, doyen run deletes the directory of the state file.
  while read -r -t "$limit" -u "$leader" line; do :; done
  rm -r "$work/debian/opt/tar" "$work/debian/tmp/orders"
  ok "in a Debian without Java, the tarball elects a leader"
}

the_deb_leaves_no_trace() {
  local before other first unit pid
  before=$(trace)
  cp "$release/packages/doyen_${version}_amd64.deb" "$work/debian/tmp/doyen.deb"
  inside dpkg -i /tmp/doyen.deb >"$work/dpkg.log" 2>&1 || fail "dpkg -i: $(cat "$work/dpkg.log")"
  rm "$work/debian/tmp/doyen.deb"
  same "doyen $version" "$(inside doyen --version)" "version"
  same "600 root" "$(inside stat -c '%a %U' /etc/doyen/hub.env)" "rights of the settings"

  # systemd creates the StateDirectory of a unit.
  inside install -d -o doyen -g doyen /var/lib/doyen /var/lib/doyen/hub /var/lib/doyen/run
  printf 'RUN_COMMAND=/opt/lead\n' >"$work/debian/etc/doyen/run-orders.env"
  printf '#!/bin/sh\necho "$DOYEN_CANDIDATE leads in term $DOYEN_TERM"\nexec sleep 600\n' >"$work/debian/opt/lead"
  chmod 755 "$work/debian/opt/lead"
  start_unit doyen-run@.service
  first=$pid
  await "$unit" "machine-1 leads"
  same "$(inside id -u doyen)" "$(stat -c %u "/proc/$first")" "user"
  exec {other}< <(exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot "$work/debian" setpriv --reuid=doyen --regid=doyen \
    --clear-groups doyen run orders --store file:/var/lib/doyen/run --id machine-2 -- /opt/lead 2>&1)
  started+=("$!")
  await "$other" "waiting"
  kill -9 "$first"
  await "$other" "machine-2 leads"
  kill "${started[-1]}"
  wait "${started[-1]}" || true

  start_unit doyen-hub.service
  await "$unit" "8000"
  kill "$pid"
  while read -r -t "$limit" -u "$unit" line; do :; done

  rm "$work/debian/opt/lead"
  inside dpkg --purge doyen >"$work/dpkg.log" 2>&1 || fail "dpkg --purge: $(cat "$work/dpkg.log")"
  diff <(printf '%s\n' "$before") <(trace) >"$work/left" || fail "the package left a trace: $(cat "$work/left")"
  ok "the .deb elects a leader, another machine takes over after kill -9, and a purge leaves no trace"
}

# Runs the commands of the section "apt" of docs/guide/install.md.
the_guide_installs_with_apt() {
  local guide written leader
  written=$(sed -n 's#^ *<revision>\([0-9.]*\).*#\1#p' "$here/../../pom.xml")
  guide=$(awk '/^## /{ section = $2 } /^```$/{ block = 0 } section == "apt" && block; /^```sh$/{ block = 1 }' \
    "$here/../../docs/guide/install.md")
  contains "apt-get install ./doyen_${written}_amd64.deb" "$guide" "the section apt"
  mkdir "$work/debian/opt/guide"
  cp "$release/packages/doyen_${version}_amd64.deb" "$work/debian/opt/guide/"
  exec {leader}< <(exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot "$work/debian" sh -c \
    "cd /opt/guide && ${guide//"$written"/"$version"}" 2>&1)
  started+=("$!")
  await "$leader" "node-1 leads in term 1"
  kill "${started[-1]}"
  while read -r -t "$limit" -u "$leader" line; do :; done
  inside apt-get purge -y doyen >"$work/apt.log" 2>&1 || fail "apt-get purge: $(cat "$work/apt.log")"
  ok "the commands of the guide install the .deb with apt, and elect a leader"
}

wrong_arguments_are_rejected() {
  local build=$here/../../release/program.sh checkout=$here/../..
  contains "3 arguments are needed, but there are 1" "$("$build" a 2>&1)" "number of arguments"
  contains "SOURCE is \"$work\"" "$("$build" "$work" 1.0.0 "$work" 2>&1)" "SOURCE"
  contains 'VERSION is "v1"' "$("$build" "$checkout" v1 "$work" 2>&1)" "VERSION"
  contains "DIR is \"$work/none\"" "$("$build" "$checkout" 1.0.0 "$work/none" 2>&1)" "DIR"
  contains 'SOURCE_DATE_EPOCH is "now"' "$(SOURCE_DATE_EPOCH=now "$build" "$checkout" 1.0.0 "$work" 2>&1)" "time"
  contains 'ARCH is "arm"' "$("${build%.sh}/packages.sh" a 1.0.0 arm b 2>&1)" "ARCH"
  ok "the scripts reject wrong arguments"
}

files=("$release"/doyen-*-linux-x64.tar.gz)
[ -f "${files[0]}" ] || fail "$release contains no doyen-VERSION-linux-x64.tar.gz; run ./dev release"
version=${files[0]##*/doyen-}
version=${version%-linux-x64.tar.gz}

tests=(wrong_arguments_are_rejected tarballs_contain_the_same_files tarballs_have_fixed_times_and_owners the_bundled_java_is_for_its_processor
  the_bundled_tarball_runs_anywhere the_plain_tarball_finds_java manual_pages_have_no_warnings
  completions_work_in_their_shells the_units_are_valid texts_name_the_tarball the_rpms_are_complete)
if [ "$(id -u)" -eq 0 ]; then
  tests+=(the_new_debian_has_no_java the_tarball_elects_a_leader_without_java the_deb_leaves_no_trace
    the_guide_installs_with_apt)
else
  printf 'SKIPPED: the tests in a new Debian: they need root\n'
fi
[ $# -gt 0 ] || set -- "${tests[@]}"
for each; do
  "$each"
done
