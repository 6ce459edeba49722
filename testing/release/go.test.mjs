// Installs the Go module of the release folder into a new project.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, it } from "node:test";
import { promisify } from "node:util";
import { filesIn, goEnvironment, releaseFolder, releaseNote, ROOT, run, temporaryFolder } from "./folder.mjs";
import { standIn } from "./stand-in.mjs";

const folder = releaseFolder();
const { version } = releaseNote(folder);
const MODULE = "github.com/doyen-dev/doyen/clients/go";
const files = join(folder, "go", MODULE, "@v");

/** Runs the go command without access to a registry. */
async function go(cwd, ...args) {
  const env = goEnvironment(folder, join(cwd, "cache"));
  return (await promisify(execFile)("go", args, { cwd, env })).stdout;
}

describe("the Go module of a release", () => {
  it("has the files of a module proxy", () => {
    assert.deepEqual(filesIn(join(folder, "go")), [
      ...["list", `v${version}.info`, `v${version}.mod`, `v${version}.zip`].map((file) => `${MODULE}/@v/${file}`),
    ]);
    assert.equal(readFileSync(join(files, "list"), "utf8"), `v${version}\n`);
    const info = JSON.parse(readFileSync(join(files, `v${version}.info`), "utf8"));
    assert.deepEqual(Object.keys(info), ["Version", "Time"]);
    assert.equal(info.Version, `v${version}`);
    assert.equal(
      readFileSync(join(files, `v${version}.mod`), "utf8"),
      readFileSync(join(ROOT, "clients/go/go.mod"), "utf8"),
    );
  });

  it("is installed into an empty project, which receives the leader and the term", async (test) => {
    const project = temporaryFolder(test);
    const url = await standIn(test);
    await go(project, "mod", "init", "app.example/app");
    cpSync(join(ROOT, "examples/go/watch/main.go"), join(project, "main.go"));
    await go(project, "get", `${MODULE}@latest`);
    assert.match(await go(project, "list", "-m", MODULE), new RegExp(` v${version.replaceAll(".", "\\.")}\n$`));
    await go(project, "vet", ".", MODULE);
    await go(project, "build", "-o", "app", ".");
    const app = spawn(join(project, "app"), { env: { HOSTNAME: "pod-1", ELECTOR_GET_URL: url } });
    test.after(() => app.kill());
    const [first] = await new Promise((resolve) => createInterface(app.stdout).once("line", (line) => resolve([line])));
    assert.equal(first, "pod-1 leads in term 7");
  });

  it("contains the tracked files of clients/go and the licence", async (test) => {
    const project = temporaryFolder(test);
    await go(project, "mod", "init", "app.example/app");
    await go(project, "get", `${MODULE}@v${version}`);
    const unpacked = join(project, "cache", `${MODULE}@v${version}`);
    const tracked = run("git", ["ls-files", "."], { cwd: join(ROOT, "clients/go") })
      .trim()
      .split("\n");
    assert.deepEqual(filesIn(unpacked), [...tracked, "LICENSE"].sort());
    assert.equal(readFileSync(join(unpacked, "LICENSE"), "utf8"), readFileSync(join(ROOT, "LICENSE"), "utf8"));
  });
});
