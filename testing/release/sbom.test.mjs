// Tests the bills of materials of a release folder. DOYEN_RELEASE is the folder.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, test } from "node:test";

const folder = process.env.DOYEN_RELEASE;
assert.ok(folder, "DOYEN_RELEASE is not set; set it to a folder that ./dev release has built");
const json = (file) => JSON.parse(readFileSync(file, "utf8"));
const sbom = (name) => json(join(folder, "sbom", `${name}.cdx.json`));
function jarName({ name, version, purl = "" }) {
  const [, classifier] = purl.match(/[?&]classifier=([^&]+)/) ?? [];
  return `${[name, version, classifier].filter((each) => each).join("-")}.jar`;
}
const tar = (...args) => execFileSync("tar", args, { encoding: "utf8", maxBuffer: 1 << 26 });
const lines = (text) => text.trim().split("\n");

describe("the bills of materials", () => {
  for (const file of readdirSync(join(folder, "sbom"))) {
    test(`${file} is CycloneDX without random parts, and each reference has its component`, () => {
      const document = json(join(folder, "sbom", file));
      assert.equal(document.bomFormat, "CycloneDX");
      assert.equal(document.serialNumber, undefined);
      const known = [document.metadata.component, ...document.components].map((each) => each["bom-ref"]);
      assert.equal(new Set(known).size, known.length, "each bom-ref is unique");
      const used = document.dependencies.flatMap(({ ref, dependsOn = [] }) => [ref, ...dependsOn]);
      assert.deepEqual(
        used.filter((ref) => !known.includes(ref)),
        [],
      );
    });
  }

  test("doyen-maven lists each jar of the program, and each published module", () => {
    const listed = new Set(sbom("doyen-maven").components.map(jarName));
    const expected = [];
    for (const file of readdirSync(folder).filter((name) => /^doyen-[\d.]+\.tar\.gz$/.test(name))) {
      const jars = lines(tar("-tzf", join(folder, file))).filter((path) => path.endsWith(".jar"));
      expected.push(...jars.map((path) => path.replace(/^doyen-(.*)\/doyen\.jar$/, "doyen-cli-$1.jar")));
    }
    const maven = join(folder, "maven");
    if (existsSync(maven)) {
      expected.push(
        ...readdirSync(maven, { recursive: true }).filter((path) => /(?<!-sources|-javadoc|-tests)\.jar$/.test(path)),
      );
    }
    assert.deepEqual(
      expected.map((path) => basename(path)).filter((name) => !listed.has(name)),
      [],
    );
  });

  test("doyen-maven lists no library that only tests use", () => {
    const names = sbom("doyen-maven").components.map(({ name }) => name);
    for (const test of ["ably-java", "helm-java", "doyen-kubernetes-server"]) {
      assert.ok(!names.includes(test), test);
    }
  });

  test("doyen-npm lists the packages and the libraries of the pages", () => {
    const names = sbom("doyen-npm").components.map(({ group, name }) => (group ? `${group}/${name}` : name));
    for (const name of ["@doyen/swarm", "@doyen/tabs", "@doyen/elector", "ably"]) assert.ok(names.includes(name), name);
    assert.ok(!names.includes("esbuild"), "a tool of the build");
  });

  const images = join(folder, "images");
  for (const name of existsSync(images) ? readdirSync(images).filter((each) => each !== "DIGESTS") : []) {
    const layout = join(images, name);
    const blob = ({ digest }) => join(layout, "blobs", digest.replace(":", "/"));
    const [tagged] = json(join(layout, "index.json")).manifests;
    for (const entry of json(blob(tagged)).manifests) {
      const { architecture } = entry.platform;

      test(`${name}-${architecture} lists each jar, each Debian package and the Java of the image`, () => {
        const document = sbom(`${name}-${architecture}`);
        const jars = [];
        const packages = [];
        for (const layer of json(blob(entry)).layers) {
          for (const path of lines(tar("-tzf", blob(layer)))) {
            if (path === "doyen/jars.sha256") jars.push(...lines(tar("-xOzf", blob(layer), path)));
            if (/^var\/lib\/dpkg\/status\.d\/./.test(path)) packages.push(tar("-xOzf", blob(layer), path));
          }
        }
        assert.ok(jars.length > 10 && packages.length > 3);
        assert.equal(document.metadata.component.hashes[0].content, entry.digest.replace("sha256:", ""));
        const listed = document.components.flatMap(({ hashes = [] }) => hashes.map(({ content }) => content));
        assert.deepEqual(
          jars.filter((jar) => !listed.includes(jar.split(" ")[0])),
          [],
        );
        const versions = document.components.map((each) => `${each.name} ${each.version}`);
        for (const text of packages) {
          const [, debian] = /^Package: (.*)$/m.exec(text);
          const [, version] = /^Version: (.*)$/m.exec(text);
          assert.ok(versions.includes(`${debian} ${version}`), debian);
          assert.match(text, new RegExp(`^Architecture: (${architecture}|all)$`, "m"));
        }
        assert.equal(document.components.length, jars.length + packages.length + 1);
        assert.ok(document.components.some((each) => each.name === "OpenJDK" && /^\d+\./.test(each.version)));
      });
    }
  }
});
