// Runs the commands of the page docs/guide/install.md in empty folders. They find Doyen in the release folder only.
// registry.test.mjs runs the sections "Docker" and "Helm", and program.test.sh runs the section "apt" in a new Debian.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir, hostname } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { promisify } from "node:util";
import { launch, noBrowser } from "./browser.mjs";
import {
  goEnvironment,
  has,
  localRepository,
  releaseFolder,
  releaseNote,
  ROOT,
  run,
  temporaryFolder,
} from "./folder.mjs";
import { blocks, type, written } from "./guide.mjs";
import { npmRegistry } from "./npm-registry.mjs";

const folder = releaseFolder();
const { version } = releaseNote(folder);
/** Ends a test that hangs. */
const HANG_MILLIS = 600_000;

/** Prints how long the installation in this section took. */
function measured(test, from) {
  test.diagnostic(`${((performance.now() - from) / 1000).toFixed(1)} s until the first leader`);
}

/** An empty folder with the source of the first leader, where Maven and Gradle expect it. */
function javaProject(test) {
  const home = temporaryFolder(test);
  mkdirSync(join(home, "src/main/java"), { recursive: true });
  const source = readFileSync(join(ROOT, "examples/hello/Hello.java"), "utf8");
  assert.match(source, /file:\/tmp\/orders/);
  writeFileSync(join(home, "src/main/java/Hello.java"), source.replace("file:/tmp/orders", `file:${home}/orders`));
  return home;
}

/** The environment of a shell that finds the program `doyen` of the tarball, and has no variable HOSTNAME. */
function withProgram(test) {
  const home = temporaryFolder(test);
  run("tar", ["-xzf", join(folder, `doyen-${version}-linux-x64.tar.gz`), "-C", home]);
  const { HOSTNAME: _, ...env } = process.env;
  return { ...env, PATH: `${home}/doyen-${version}-linux-x64/bin:${process.env.PATH}` };
}

const noGradle = has("gradle") ? false : "SKIPPED: gradle is not installed";

describe("the page install.md", { timeout: 2 * HANG_MILLIS }, () => {
  it("contains the lines of the table in the README", () => {
    const table = readFileSync(join(ROOT, "README.md"), "utf8").match(/^## Install\n\n([\s\S]*?)\n\n/m)[1];
    const rows = [...table.matchAll(/^\| (\w+) \| `(.*)` \| \[\1\]\(docs\/guide\/install\.md#(.*)\) \|$/gm)];
    assert.equal(rows.length, 9);
    const section = { tarball: "Tarball" };
    for (const [, tool, line, anchor] of rows) {
      assert.equal(anchor, tool.toLowerCase());
      const block = written(section[tool] ?? tool).join("");
      // The table contains the coordinates of the element <dependency>, and leaves out options.
      const words = tool === "Maven" ? line.split(":") : line.split(" ");
      let at = 0;
      for (const word of words) {
        at = block.indexOf(word, at);
        assert.ok(at >= 0, `the section ${tool} contains ${word} of ${line}`);
      }
    }
  });

  it("installs with Maven", { timeout: HANG_MILLIS }, async (test) => {
    const [dependency, commands] = blocks("Maven");
    const home = javaProject(test);
    writeFileSync(
      join(home, "pom.xml"),
      `<project xmlns="http://maven.apache.org/POM/4.0.0">
<modelVersion>4.0.0</modelVersion>
<groupId>org.example</groupId><artifactId>app</artifactId><version>1</version>
<properties><maven.compiler.source>17</maven.compiler.source><maven.compiler.target>17</maven.compiler.target></properties>
<repositories><repository><id>release</id><url>file://${folder}/maven</url></repository></repositories>
<dependencies>
${dependency}</dependencies>
</project>
`,
    );
    mkdirSync(join(home, ".mvn"));
    writeFileSync(join(home, ".mvn/maven.config"), `-Dmaven.repo.local=${localRepository(test)}\n`);
    const from = performance.now();
    await type(test, commands, home, /^node-1 leads in term 1$/m);
    measured(test, from);
  });

  it("installs with Gradle", { timeout: HANG_MILLIS, skip: noGradle }, async (test) => {
    const [dependency, commands] = blocks("Gradle");
    const home = javaProject(test);
    writeFileSync(join(home, "settings.gradle"), "rootProject.name = 'app'\n");
    writeFileSync(
      join(home, "build.gradle"),
      `apply plugin: 'application'
mainClassName = 'Hello'
repositories {
    maven { url 'file://${folder}/maven' }
    mavenCentral()
}
${dependency}`,
    );
    const from = performance.now();
    // A daemon would outlive the test.
    const env = {
      ...process.env,
      GRADLE_USER_HOME: join(home, "gradle"),
      GRADLE_OPTS: "-Dorg.gradle.daemon=false",
    };
    await type(test, commands, home, /^node-1 leads in term 1$/m, env);
    measured(test, from);
  });

  it("installs with npm", { timeout: HANG_MILLIS, skip: noBrowser }, async (test) => {
    const [install, program, serve] = blocks("npm");
    const home = temporaryFolder(test);
    const settings = join(temporaryFolder(test), "npmrc");
    const own = join(homedir(), ".npmrc");
    writeFileSync(settings, `@doyen:registry=${await npmRegistry(test, folder)}\n`);
    if (existsSync(own)) appendFileSync(settings, readFileSync(own));
    const env = { ...process.env, npm_config_userconfig: settings };
    const from = performance.now();
    // The registry answers in this process.
    await promisify(execFile)("bash", ["-c", install], { cwd: home, env });
    writeFileSync(join(home, "main.ts"), program);
    const [, address] = await type(test, serve, home, /(http:\/\/localhost:\d+\/)/, { ...env, NO_COLOR: "1" });
    const browser = await launch(test);
    const context = await browser.newContext();
    const leads = (page) => page.getByText(/^this tab leads in term [1-9]\d*$/).waitFor({ timeout: 60_000 });
    const first = await context.newPage();
    await first.goto(address);
    await leads(first);
    measured(test, from);
    const second = await context.newPage();
    await second.goto(address);
    await second.waitForLoadState("networkidle");
    await first.close();
    await leads(second);
  });

  it("installs a tarball", { timeout: HANG_MILLIS }, async (test) => {
    const [commands] = blocks("Tarball");
    const home = temporaryFolder(test);
    cpSync(join(folder, `doyen-${version}-linux-x64.tar.gz`), join(home, `doyen-${version}-linux-x64.tar.gz`));
    const from = performance.now();
    await type(test, commands, home, /^node-1 leads in term 1$/m);
    measured(test, from);
  });

  it("installs with pip", { timeout: HANG_MILLIS }, async (test) => {
    const [elector, commands] = blocks("pip");
    const home = temporaryFolder(test);
    const env = withProgram(test);
    await type(test, elector, home, /leads in term 1/, env);
    const from = performance.now();
    const pip = {
      ...env,
      PIP_NO_INDEX: "1",
      PIP_FIND_LINKS: join(folder, "python"),
      PIP_DISABLE_PIP_VERSION_CHECK: "1",
    };
    const [, name] = await type(
      test,
      commands,
      home,
      /^Leader\(name='([^']+)', known=True, is_me=True, term=1\)$/m,
      pip,
    );
    assert.equal(name, hostname());
    measured(test, from);
  });

  it("installs with Go", { timeout: HANG_MILLIS }, async (test) => {
    const [elector, program, commands] = blocks("Go");
    const home = temporaryFolder(test);
    const env = withProgram(test);
    await type(test, elector, home, /leads in term 1/, env);
    writeFileSync(join(home, "main.go"), program);
    const from = performance.now();
    const go = { ...goEnvironment(folder, join(home, "cache")), HOSTNAME: hostname() };
    await type(test, commands, home, new RegExp(`^${hostname()} leads in term 1$`, "m"), go);
    measured(test, from);
  });
});
