#!/usr/bin/env bash
# Builds one version of the documentation site. `site/site.sh --help` prints the options.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<'USAGE'
usage: ./dev site [--to DIR] [--version VERSION] [--base PATH]

  --to DIR           the folder of the site. The folder may contain other versions. Default: target/site
  --version VERSION  the version, such as 1.2.0. Default: the version of the TypeScript packages
  --base PATH        the path of the site on its server, such as /doyen/. Default: /
USAGE
}

die() { printf '%s\n' "site: $*" >&2; exit 1; }

# The modules whose types a program uses, without the modules in Kotlin.
modules=(
  lease/core lease/testkit
  lease/stores/{azure-blob,etcd,jdbc,kubernetes,quorum,redis,s3,zookeeper}
  group/ring group/jgroups clients/java
  integrations/{micrometer,servlet,spring-boot-starter,spring-boot-test}
)
# Public packages that only Doyen's own modules use.
internal='/dev/doyen/(candidate|driver|health|lease|log|metrics|ring|text|store/(probe|support)|stores/local|stores/kubernetes/rest|group/driver|client/state)/'

# Writes the Javadoc of all these modules to target/site-javadoc. The Javadoc tool reads single files and no module
# descriptor, because it cannot mix modules with packages that belong to no module.
javadoc_of_modules() {
  local list=target/site-javadoc.files module
  mvn -q -B -ntp -Dstyle.color=never -Dmaven.test.skip=true -Dspotless.check.skip=true \
    -pl "$(IFS=,; printf '%s' "${modules[*]}")" -am -Dmdep.outputFile=target/site.classpath \
    package org.apache.maven.plugins:maven-dependency-plugin:3.9.0:build-classpath >&2 ||
    die "the Java modules could not be built; see above"
  mkdir -p target && rm -rf target/site-javadoc
  find "${modules[@]/%//src/main/java}" -name '*.java' ! -name module-info.java | LC_ALL=C sort |
    grep -Ev "$internal" >"$list"
  local jars=()
  for module in "${modules[@]}"; do
    jars+=("$(cat "$module/target/site.classpath")" "$module/target/classes")
  done
  javadoc -quiet -Xdoclint:none -encoding UTF-8 -docencoding UTF-8 -charset UTF-8 --release 17 -notimestamp \
    -windowtitle Doyen -doctitle "Doyen for Java" -d target/site-javadoc \
    -classpath "$(IFS=:; printf '%s' "${jars[*]}")" "@$list" || die "the Javadoc could not be built; see above"
}

to=$PWD/target/site options=()
while [ $# -gt 0 ]; do
  case "$1" in
    --help | -h) usage; exit ;;
    --to | --version | --base) [ $# -ge 2 ] || die "$1 needs a value" ;;
    *) usage >&2; die "there is no option \"$1\"" ;;
  esac
  if [ "$1" = --to ]; then to=$(realpath -m "$2"); else options+=("$1" "$2"); fi
  shift 2
done

[ -d node_modules ] || npm ci --no-progress --loglevel=error
[ site/node_modules/.package-lock.json -nt site/package-lock.json ] ||
  (cd site && npm ci --no-progress --loglevel=error)
npm run --silent build -w clients/typescript -w hub/tabs-typescript -w hub/client-typescript
javadoc_of_modules
node site/build.js --to "$to" --javadoc target/site-javadoc ${options[@]+"${options[@]}"}
