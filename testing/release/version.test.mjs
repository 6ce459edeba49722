// release/version.sh sets the version in all files of a checkout.
import assert from "node:assert/strict";
import { join } from "node:path";
import { it } from "node:test";
import { attempt, clone, ROOT, run } from "./folder.mjs";

const script = join(ROOT, "release/version.sh");

it("no tracked file contains the old version", (test) => {
  const source = clone(test);
  const old = run("sed", ["-n", "s#.*<revision>\\(.*\\)-SNAPSHOT</revision>#\\1#p", "pom.xml"], { cwd: source }).trim();
  run(script, [source, "97.86.75"]);
  // Versions of other projects can be the same. They are in the lock files, and behind other names.
  const left = attempt("git", ["grep", "-nwF", old, "--", ":!CHANGELOG.md", ":!*go.sum", ":!*package-lock.json"], {
    cwd: source,
  });
  assert.equal(left.output, "");
  const lock = run("git", ["diff", "package-lock.json"], { cwd: source });
  const workspaces = run("git", ["ls-files", "*/package.json"], { cwd: source }).trim().split("\n");
  assert.ok(lock.includes('"version": "97.86.75"') && workspaces.length > 5);
  for (const file of workspaces) {
    const manifest = JSON.parse(run("cat", [file], { cwd: source }));
    if (manifest.version) assert.equal(manifest.version, "97.86.75", file);
  }
  assert.match(run("cat", ["clients/python/pyproject.toml"], { cwd: source }), /^version = "97\.86\.75"$/m);
  assert.match(run("cat", ["pom.xml"], { cwd: source }), /<revision>97\.86\.75<\/revision>/);
});

it("a version must consist of three numbers", (test) => {
  const source = clone(test);
  for (const version of ["1.2", "v1.2.3", "1.2.3-rc.1", "01.2.3", "1.2.3-SNAPSHOT", ""]) {
    const { status, output } = attempt(script, [source, version]);
    assert.equal(status, 1);
    assert.match(output, new RegExp(`the version is "${version}", but must consist of three numbers`));
  }
  assert.equal(run("git", ["status", "--porcelain"], { cwd: source }), "");
});

it("a version can be set once", (test) => {
  const source = clone(test);
  run(script, [source, "97.86.75"]);
  const { status, output } = attempt(script, [source, "97.86.76"]);
  assert.equal(status, 1);
  assert.match(output, /use a checkout whose version is not set yet/);
});
