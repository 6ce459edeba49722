// Checks the Maven repository of the release folder.
import assert from "node:assert/strict";
import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, it } from "node:test";
import { strFromU8, unzipSync, zipSync } from "fflate";
import { components, faults } from "./central.mjs";
import { filesIn, releaseFolder, releaseNote, ROOT, run, temporaryFolder } from "./folder.mjs";

const folder = releaseFolder();
const repository = join(folder, "maven");
const { version } = releaseNote(folder);

/** The path of a file of an artifact, relative to the repository. */
const file = (artifact, ending) => join("dev/doyen", artifact, version, `${artifact}-${version}${ending}`);
const core = file("doyen-core", ".pom");

/** A change of a text file. */
const edit = (path, from, to) => (copy) => {
  const text = readFileSync(join(copy, path), "utf8");
  assert.match(text, from);
  writeFileSync(join(copy, path), text.replace(from, to));
};
/** A change of the entries of a jar. */
const repack = (path, change) => (copy) => {
  const all = unzipSync(readFileSync(join(copy, path)));
  writeFileSync(join(copy, path), zipSync(change(all)));
};
const remove = (path) => (copy) => rmSync(join(copy, path));

describe("the Maven repository of a release", () => {
  it("keeps the rules of Maven Central", () => {
    assert.deepEqual(faults(repository, { version }), []);
  });

  it("contains the BOM and each module that is not marked as never published", () => {
    const poms = run("git", ["ls-files", "*/pom.xml"], { cwd: ROOT }).trim().split("\n");
    const wanted = [];
    for (const pom of poms) {
      const text = readFileSync(join(ROOT, pom), "utf8");
      const never = text.includes("Never published");
      assert.equal(
        text.includes("<maven.deploy.skip>true"),
        never,
        `${pom} has the description and the property, or neither`,
      );
      if (!never) wanted.push(text.match(/<\/parent>\s*<artifactId>([^<]+)/)[1]);
    }
    assert.deepEqual(
      components(repository)
        .map(({ artifact }) => artifact)
        .sort(),
      wanted.sort(),
    );
  });

  it("contains FakeCluster, and no other test", () => {
    const tests = filesIn(repository).filter((each) => each.endsWith("-tests.jar"));
    assert.deepEqual(tests, [file("doyen-ring", "-tests.jar")]);
    const classes = Object.keys(unzipSync(readFileSync(join(repository, tests[0])))).filter((name) =>
      name.endsWith(".class"),
    );
    assert.ok(classes.includes("dev/doyen/group/FakeCluster.class"));
    for (const name of classes) assert.match(name, /^dev\/doyen\/group\/FakeCluster[.$]/);
  });
});

describe("the check of the rules reports", () => {
  const planted = [
    ["a missing name", /doyen-core: the pom has no name/, edit(core, /<name>.*<\/name>/, "")],
    [
      "a missing description",
      /doyen-core: the pom has no description/,
      edit(core, /<description>.*<\/description>/, ""),
    ],
    ["a missing URL", /doyen-core: the pom has no url/, edit(core, /\n {2}<url>.*<\/url>/, "")],
    ["a missing license", /doyen-core: the pom has no license/, edit(core, /<licenses>[^]*<\/licenses>/, "")],
    ["a missing developer", /doyen-core: the pom has no developer/, edit(core, /<developers>[^]*<\/developers>/, "")],
    ["a missing scm", /doyen-core: the pom has no scm.connection/, edit(core, /<scm[^]*<\/scm>/, "")],
    [
      "a repository",
      /doyen-core: the pom has the element repositories/,
      edit(core, /<\/project>/, "<repositories/></project>"),
    ],
    ["a parent", /doyen-core: the pom has the element parent/, edit(core, /<\/project>/, "<parent/></project>")],
    ["a variable", /doyen-core: the pom contains a variable/, edit(core, /<name>/, "<name>${project.artifactId}")],
    ["a snapshot", /doyen-core: the version is .*-SNAPSHOT/, edit(core, /(<version>[^<]*)/, "$1-SNAPSHOT")],
    [
      "a dependency without a version",
      /org.jspecify:jspecify has the version undefined/,
      edit(core, /(<artifactId>jspecify<\/artifactId>\s*)<version>.*<\/version>/, "$1"),
    ],
    [
      "a dependency for tests",
      /org.jspecify:jspecify has the scope test/,
      edit(core, /(<artifactId>jspecify<\/artifactId>\s*<version>.*<\/version>\s*<scope>)\w+/, "$1test"),
    ],
    [
      "a dependency that is not published",
      /dev.doyen:doyen-jvms:.* is not published/,
      edit(file("doyen-ring", ".pom"), /<artifactId>doyen-core</, "<artifactId>doyen-jvms<"),
    ],
    ["missing sources", /doyen-core-.*-sources.jar: the file is missing/, remove(file("doyen-core", "-sources.jar"))],
    ["missing Javadoc", /doyen-core-.*-javadoc.jar: the file is missing/, remove(file("doyen-core", "-javadoc.jar"))],
    [
      "empty sources",
      /doyen-core: the jar -sources.jar contains no entry/,
      repack(file("doyen-core", "-sources.jar"), () => ({ "a.txt": new Uint8Array(1) })),
    ],
    [
      "a jar without a module name",
      /doyen-client: the jar has neither/,
      repack(file("doyen-client", ".jar"), (all) => {
        const name = "META-INF/MANIFEST.MF";
        return {
          ...all,
          [name]: new TextEncoder().encode(strFromU8(all[name]).replace(/Automatic-Module-Name/, "X-Name")),
        };
      }),
    ],
    [
      "a wrong checksum",
      /doyen-core-.*.jar: the sha1 checksum is 00/,
      edit(file("doyen-core", ".jar.sha1"), /^../, "00"),
    ],
    ["a missing checksum", /doyen-core-.*.jar: the md5 checksum is missing/, remove(file("doyen-core", ".jar.md5"))],
    [
      "another file",
      /maven-metadata.xml: no file of an artifact/,
      (copy) => writeFileSync(join(copy, "dev/doyen/doyen-core/maven-metadata.xml"), ""),
    ],
    [
      "a wrong folder",
      /doyen-core: the folder .* does not match/,
      (copy) => renameSync(join(copy, "dev/doyen/doyen-core"), join(copy, "doyen-core")),
    ],
    [
      "a missing BOM",
      /the artifact doyen-bom is missing/,
      (copy) => rmSync(join(copy, "dev/doyen/doyen-bom"), { recursive: true }),
    ],
    [
      "an artifact that is not in the BOM",
      /doyen-bom does not contain doyen-client/,
      edit(file("doyen-bom", ".pom"), /<artifactId>doyen-client</, "<artifactId>doyen-core<"),
    ],
  ];
  for (const [name, expected, plant] of planted) {
    it(name, (test) => {
      const copy = join(temporaryFolder(test), basename(repository));
      cpSync(repository, copy, { recursive: true });
      plant(copy);
      const found = faults(copy, { version });
      assert.ok(
        found.some((fault) => expected.test(fault)),
        found.join("\n"),
      );
    });
  }

  it("a missing signature", () => {
    const found = faults(repository, { version, signed: true });
    assert.ok(found.includes(`doyen-core-${version}.jar: the signature is missing`), found.slice(0, 3).join("\n"));
  });
});
