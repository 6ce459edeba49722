#!/usr/bin/env bash
# Builds the Maven repository of a release: maven.sh SOURCE VERSION DIR
#
# Writes DIR/maven with the jars, the sources, the Javadoc and the poms of all published modules, and the BOM.
set -euo pipefail
# shellcheck source=release/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

source=$1 version=$2 repository=$3/maven
cd "$source"
npm_packages
# Some jars contain the pages that npm builds.
npm run --silent build -w clients/typescript -w hub/tabs-typescript -w hub/client-typescript >&2
npm run --silent build -w elector/console-page -w examples/counter -w examples/game -w examples/quorum \
  -w examples/ring-visualizer -w examples/voting >&2

# The poms of the modules that are never published contain this property. Maven also builds them if a published module
# tests with them, but does not deploy them.
modules=$(git ls-files '*/pom.xml' | xargs grep -L '<maven.deploy.skip>true' | sed 's#/pom.xml$##' | paste -sd,)
mkdir -p "$repository"
# The plugin that flattens the poms replaces the variable in the BOM only if the command line sets it.
mvn -q -B -ntp -T 2 -Dstyle.color=never -Prelease -Drevision="$version" -Dmaven.test.skip=true -Dspotless.check.skip=true \
  -Dmaven.install.skip=true -Dproject.build.outputTimestamp="$SOURCE_DATE_EPOCH" \
  -DaltDeploymentRepository="release::file://$repository" -pl "$modules" -am deploy >&2

# Maven's metadata contains the time of the build, and Maven Central writes its own. Only the tests jar of doyen-ring is
# for users: it contains FakeCluster.
find "$repository" -name 'maven-metadata*' -delete
find "$repository" -name '*-tests.jar*' ! -path '*/doyen-ring/*' -delete
