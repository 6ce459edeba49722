#!/usr/bin/env bash
# Measures the start and the memory of the program doyen in an unpacked tarball (PROGRAM.md).
set -euo pipefail

usage() {
  printf 'usage: testing/benchmarks/program.sh TREE [RUNS]   TREE is an unpacked tarball; RUNS is 21 by default\n'
}
die() { printf '%s\n' "program.sh: $*" >&2; exit 1; }

# Starts the command $@, and waits for its first line. Sets millis to the time until then, and pid to the process.
start() {
  local begun=${EPOCHREALTIME/./} line output
  exec {output}< <(exec "$@" 2>&1)
  pid=$!
  IFS= read -r line <&"$output" || die "$* printed nothing"
  millis=$(((${EPOCHREALTIME/./} - begun + 500) / 1000))
  [[ $line == "$expected"* ]] || die "$* printed \"$line\" instead of \"$expected\""
  exec {output}<&-
}

# Ends the process, and waits for its end.
stop() {
  kill "$pid" 2>/dev/null || true
  tail --pid="$pid" -f /dev/null
}

# Prints the median, the least and the greatest of the numbers in the standard input.
median() { sort -n | awk '{ all[NR] = $1 } END { print all[int((NR + 1) / 2)] " (" all[1] ", " all[NR] ")" }'; }

# Prints one line of the result: the name $1, and the median of the file $2.
report() { printf '| %s | %s |\n' "$1" "$(median <"$2")"; }

[ $# -ge 1 ] || { usage >&2; die "TREE is missing"; }
doyen=$1/bin/doyen
runs=${2:-21}
[ -x "$doyen" ] || die "TREE is \"$1\", which does not contain bin/doyen; unpack a tarball of ./dev release"
[[ $runs =~ ^[1-9][0-9]{0,3}$ ]] || die "RUNS is \"$runs\"; it must be 1 to 9999"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for ((run = 0; run < runs; run++)); do
  expected="doyen "
  start "$doyen" --version
  printf '%s\n' "$millis" >>"$work/version"
  stop
  expected=leads
  start "$doyen" run "orders-$run" --store "file:$work/store" -- sh -c 'echo leads; exec sleep 600'
  printf '%s\n' "$millis" >>"$work/run"
  # The memory settles after the start.
  sleep 3
  awk '$1 == "VmRSS:" { printf "%.1f\n", $2 / 1024 }' "/proc/$pid/status" >>"$work/memory"
  stop
done
report "first output of doyen --version, ms" "$work/version"
report "start of the command of doyen run, store file:, ms" "$work/run"
report "resident memory of doyen run 3 s later, MiB" "$work/memory"
