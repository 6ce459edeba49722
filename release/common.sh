# Functions of the scripts that build a release. A script sources this file after it has defined die, and sets `work` to
# a temporary folder before it calls apt_of.

# Installs the npm packages of the checkout in the current folder, unless an earlier part has installed them.
npm_packages() {
  [ -d node_modules ] || npm ci --no-progress --loglevel=error >&2
}

# Installs the Debian package $2 if the program $1 is missing.
need() {
  local program=$1 package=$2 as_root=""
  command -v "$program" >/dev/null && return
  printf '==> installing %s\n' "$package" >&2
  [ "$(id -u)" -eq 0 ] || as_root="sudo -n"
  { $as_root apt-get update -qq &&
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$package"; } >&2 ||
    die "$program is not installed, and could not be installed; install the Debian package $package"
}

# Prints the number of the Java version that the program $1 starts, such as 17.
java_version() {
  "$1" -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java.specification.version = //p'
}

# Runs apt-get or apt-cache ($1) for the architecture $2. The package lists are in a folder of their own, so the packages
# of this machine do not change. On a machine that is not Debian, DOYEN_APT_SOURCE is a line of sources.list that names a
# Debian archive.
apt_of() {
  local program=$1 architecture=$2 state=$work/apt-$2 sources=()
  shift 2
  mkdir -p "$state/lists/partial" "$state/cache/archives/partial"
  : >"$state/status"
  if [ -n "${DOYEN_APT_SOURCE:-}" ]; then
    printf '%s\n' "$DOYEN_APT_SOURCE" >"$state/sources.list"
    sources=(-o Dir::Etc::sourcelist="$state/sources.list" -o Dir::Etc::sourceparts=/dev/null)
  fi
  "$program" -qq -o APT::Architecture="$architecture" -o APT::Architectures="$architecture" -o APT::Sandbox::User=root \
    -o Dir::State="$state" -o Dir::State::status="$state/status" -o Dir::Cache="$state/cache" \
    ${sources[@]+"${sources[@]}"} "$@"
}
