// Projects of users in empty folders. They find Doyen in the release folder only.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { it } from "node:test";
import { components } from "./central.mjs";
import { localRepository, releaseFolder, releaseNote, ROOT, run, temporaryFolder } from "./folder.mjs";

const folder = releaseFolder();
const { version } = releaseNote(folder);
/** Ends a test that hangs. */
const HANG_MILLIS = 180_000;

/** The version of a library or plugin in the parent pom. */
function versionOf(pattern) {
  return readFileSync(join(ROOT, "pom.xml"), "utf8").match(pattern)[1];
}
const property = (name) => versionOf(new RegExp(`<${name}>([^<]+)<`));
const plugin = (name) => versionOf(new RegExp(`<artifactId>${name}</artifactId>\\s*<version>([^<]+)<`));

/** The elements of dependencies. Each dependency is a text GROUP:ARTIFACT[:VERSION[:SCOPE]]. */
function dependencies(list) {
  const elements = ["groupId", "artifactId", "version", "scope"];
  return list
    .map((each) =>
      each
        .split(":")
        .map((value, i) => (value ? `<${elements[i]}>${value}</${elements[i]}>` : ""))
        .join(""),
    )
    .map((each) => `<dependency>${each}</dependency>`)
    .join("\n");
}

/** A Maven project that imports Doyen's BOM, in a new folder. */
function project(test, { boms = [], needs }) {
  const home = temporaryFolder(test);
  const plugins = ["resources", "compiler", "surefire", "jar", "dependency"]
    .map((name) => `maven-${name}-plugin`)
    .map((name) => `<plugin><artifactId>${name}</artifactId><version>${plugin(name)}</version></plugin>`);
  const imports = [bom("dev.doyen", "doyen-bom", version), ...boms].map(
    (each) => `<dependency>${each}<type>pom</type><scope>import</scope></dependency>`,
  );
  writeFileSync(
    join(home, "pom.xml"),
    `<project xmlns="http://maven.apache.org/POM/4.0.0">
<modelVersion>4.0.0</modelVersion>
<groupId>com.example</groupId><artifactId>app</artifactId><version>1</version>
<properties>
<maven.compiler.release>17</maven.compiler.release>
<project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
</properties>
<repositories><repository><id>doyen</id><url>file://${folder}/maven</url></repository></repositories>
<dependencyManagement><dependencies>
${imports.join("\n")}
</dependencies></dependencyManagement>
<dependencies>
${dependencies(needs)}
</dependencies>
<build><plugins>
${plugins.join("\n")}
</plugins></build>
</project>
`,
  );
  const local = localRepository(test);
  return {
    home,
    maven: (...args) => run("mvn", ["-q", "-B", "-ntp", `-Dmaven.repo.local=${local}`, ...args], { cwd: home }),
  };
}

const bom = (group, artifact, at) =>
  `<groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${at}</version>`;
const junit = ["org.junit.jupiter:junit-jupiter::test", `org.assertj:assertj-core:${property("assertj.version")}:test`];
const junitBom = bom("org.junit", "junit-bom", property("junit.version"));
const bootBom = bom("org.springframework.boot", "spring-boot-dependencies", property("spring-boot.version"));

/** Copies sources of this repository into a project. */
function sources(home, kind, files) {
  mkdirSync(join(home, kind), { recursive: true });
  for (const file of files) cpSync(join(ROOT, file), join(home, kind, basename(file)));
}

it("a project with the BOM elects a leader, and tests with the testkit", { timeout: 4 * HANG_MILLIS }, async (test) => {
  const { home, maven } = project(test, {
    boms: [junitBom],
    needs: ["dev.doyen:doyen-core", "dev.doyen:doyen-testkit::test", ...junit],
  });
  sources(home, "src/main/java", ["examples/hello/Hello.java"]);
  const hello = join(home, "src/main/java/Hello.java");
  const source = readFileSync(hello, "utf8");
  assert.match(source, /file:\/tmp\/orders/);
  writeFileSync(hello, source.replace("file:/tmp/orders", `file:${home}/orders`));
  const guide = "lease/testkit/src/test/java/dev/doyen/testkit/guide/";
  sources(home, "src/test/java", [`${guide}NightlyExport.java`, `${guide}NightlyExportTest.java`]);

  maven("package", "dependency:copy-dependencies", "-DincludeScope=runtime");

  assert.match(
    readFileSync(join(home, "target/surefire-reports/dev.doyen.testkit.guide.NightlyExportTest.txt"), "utf8"),
    /Tests run: [1-9].*Failures: 0, Errors: 0, Skipped: 0/,
  );
  assert.ok(readdirSync(join(home, "target/dependency")).includes(`doyen-core-${version}.jar`));
  const program = spawn("java", ["-cp", "target/classes:target/dependency/*", "Hello", "node-1"], {
    cwd: home,
    stdio: ["ignore", "pipe", "inherit"],
  });
  test.after(() => program.kill("SIGKILL"));
  for await (const line of createInterface({ input: program.stdout })) {
    assert.match(line, /^node-1 leads in term \d+$/);
    return;
  }
  assert.fail("the program ended before it led");
});

it("a Spring Boot project tests with the test slice", { timeout: 4 * HANG_MILLIS }, (test) => {
  const needs = [
    "dev.doyen:doyen-spring-boot-starter",
    "dev.doyen:doyen-spring-boot-test::test",
    ...junit,
    "org.springframework.boot:spring-boot-starter",
  ];
  const { home, maven } = project(test, { boms: [junitBom, bootBom], needs });
  const guide = "integrations/spring-boot-test/src/test/java/dev/doyen/spring/test/guide/";
  sources(
    home,
    "src/test/java",
    ["Invoices", "InvoicesTest", "ShopApplication"].map((name) => `${guide}${name}.java`),
  );
  maven("package");
  assert.match(
    readFileSync(join(home, "target/surefire-reports/dev.doyen.spring.test.guide.InvoicesTest.txt"), "utf8"),
    /Tests run: [1-9].*Failures: 0, Errors: 0, Skipped: 0/,
  );
});

it("Maven finds each artifact of the BOM and all that it needs", { timeout: 4 * HANG_MILLIS }, (test) => {
  const artifacts = components(join(folder, "maven"))
    .map(({ artifact }) => artifact)
    .filter((artifact) => artifact !== "doyen-bom");
  const { home, maven } = project(test, { needs: artifacts.map((artifact) => `dev.doyen:${artifact}`) });
  maven("dependency:copy-dependencies", "-DincludeGroupIds=dev.doyen");
  assert.deepEqual(
    readdirSync(join(home, "target/dependency")).sort(),
    artifacts.map((artifact) => `${artifact}-${version}.jar`).sort(),
  );
});
