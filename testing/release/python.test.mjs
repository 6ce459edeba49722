// Checks the sdist and the wheel of the release folder, and installs them.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { promisify } from "node:util";
import { filesIn, releaseFolder, releaseNote, ROOT, run, temporaryFolder } from "./folder.mjs";
import { assertLinks } from "./readme.mjs";
import { standIn } from "./stand-in.mjs";

const folder = releaseFolder();
const { version, commit } = releaseNote(folder);
const name = `doyen-${version}`;
const sdist = join(folder, "python", `${name}.tar.gz`);
const wheel = join(folder, "python", `${name}-py3-none-any.whl`);
const env = { ...process.env, PIP_DISABLE_PIP_VERSION_CHECK: "1" };

/** Creates a Python environment with these packages, and returns the folder of its programs. */
function environment(test, ...packages) {
  const folder = join(temporaryFolder(test), "python");
  run("python3", ["-m", "venv", folder]);
  run(join(folder, "bin/pip"), ["install", "--quiet", ...packages], { env });
  return join(folder, "bin");
}

/** Checks the licence and the README of an unpacked package. */
function assertComplete(unpacked, licence, metadata) {
  assert.equal(readFileSync(join(unpacked, licence), "utf8"), readFileSync(join(ROOT, "LICENSE"), "utf8"));
  const [head, ...readme] = readFileSync(join(unpacked, metadata), "utf8").split("\n\n");
  assert.match(head, new RegExp(`\nVersion: ${version.replaceAll(".", "\\.")}\n`));
  assert.match(head, /\nLicense-Expression: Apache-2\.0\n/);
  assert.match(head, /\nProject-URL: Source, https:\/\/github\.com\/doyen-dev\/doyen\n/);
  assertLinks(readme.join("\n\n"), version);
}

describe("the Python packages of a release", () => {
  it("are one sdist and one wheel, which twine accepts", (test) => {
    assert.deepEqual(filesIn(join(folder, "python")), [`${name}-py3-none-any.whl`, `${name}.tar.gz`]);
    const bin = environment(test, "twine==7.0.0");
    run(join(bin, "twine"), ["check", "--strict", sdist, wheel]);
  });

  it("contain the licence and a README with absolute links", (test) => {
    const unpacked = temporaryFolder(test);
    run("tar", ["-xzf", sdist, "-C", unpacked]);
    assertComplete(join(unpacked, name), "LICENSE", "PKG-INFO");
    run("python3", ["-m", "zipfile", "-e", wheel, unpacked]);
    assertComplete(join(unpacked, `${name}.dist-info`), "licenses/LICENSE", "METADATA");
  });

  it("are the same wheel, whether pip builds it from the sdist or takes it from the folder", (test) => {
    const bin = environment(test, "--require-hashes", "-r", join(ROOT, "release/python-tools.txt"));
    const built = temporaryFolder(test);
    const time = run("git", ["log", "-1", "--format=%ct", commit], { cwd: ROOT }).trim();
    run(join(bin, "pip"), ["wheel", "--quiet", "--no-index", "--no-build-isolation", "--wheel-dir", built, sdist], {
      env: { ...env, SOURCE_DATE_EPOCH: time },
    });
    assert.deepEqual(filesIn(built), [`${name}-py3-none-any.whl`]);
    assert.ok(readFileSync(wheel).equals(readFileSync(join(built, `${name}-py3-none-any.whl`))));
  });

  it("install without a registry, and receive the leader and the term", async (test) => {
    const bin = environment(test, "--no-index", wheel);
    const script = 'from doyen import Elector\nprint(Elector(name="pod-1").leader("app"))';
    const pod = { ELECTOR_GET_URL: await standIn(test) };
    const { stdout } = await promisify(execFile)(join(bin, "python"), ["-c", script], { env: pod });
    assert.equal(stdout, "Leader(name='pod-1', known=True, is_me=True, term=7)\n");
  });
});
