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
javadoc_modules=(
  lease/core lease/testkit
  lease/stores/{azure-blob,etcd,jdbc,kubernetes,quorum,redis,s3,zookeeper}
  group/ring group/jgroups clients/java
  integrations/{micrometer,servlet,spring-boot-starter,spring-boot-test}
)
# Public packages that only Doyen's own modules use.
internal_packages=(
  dev.doyen.{candidate,driver,health,lease,log,metrics,ring,text}
  dev.doyen.store.{probe,support} dev.doyen.stores.{local,objects} dev.doyen.stores.kubernetes.rest
  dev.doyen.group.driver dev.doyen.client.state
)

join() { local IFS=$1; shift; printf '%s' "$*"; }

# Writes the Javadoc of all these modules to target/reports/apidocs. The report is for readers on the class path, because
# Javadoc cannot mix modules with jars that contain no module.
javadoc() {
  mvn -q -B -ntp -Dstyle.color=never -Dmaven.test.skip=true -Dspotless.check.skip=true \
    -pl "$(join , "${javadoc_modules[@]}")" -am \
    -DlegacyMode=true -DexcludePackageNames="$(join : "${internal_packages[@]}")" -Dnotimestamp=true -Ddoclint=none \
    -Dwindowtitle=Doyen -Ddoctitle="Doyen for Java" -DdetectJavaApiLink=false -Dquiet=true \
    package org.apache.maven.plugins:maven-javadoc-plugin:3.12.0:aggregate-no-fork ||
    die "the Javadoc could not be built; see above"
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
javadoc
node site/build.js --to "$to" --javadoc target/reports/apidocs ${options[@]+"${options[@]}"}
