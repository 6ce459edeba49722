// Checks the npm packages of the release folder, and installs them into a project with Vite, React and TypeScript.
import assert from "node:assert/strict";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { launch, noBrowser } from "./browser.mjs";
import { filesIn, releaseFolder, releaseNote, ROOT, run, temporaryFolder } from "./folder.mjs";
import { assertLinks } from "./readme.mjs";

const folder = releaseFolder();
const { version } = releaseNote(folder);
/** The packages, with their folders in the repository. */
const FOLDERS = {
  "@doyen/elector": "clients/typescript",
  "@doyen/swarm": "hub/client-typescript",
  "@doyen/tabs": "hub/tabs-typescript",
};

const tarball = (name) => join(folder, "npm", `${name.slice(1).replace("/", "-")}-${version}.tgz`);

describe("the npm packages of a release", () => {
  const project = mkdtempSync(join(tmpdir(), "doyen-release-"));
  after(() => rmSync(project, { recursive: true, force: true }));
  before(() => {
    cpSync(join(ROOT, "testing/release/vite-react"), project, { recursive: true });
    run("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", ...Object.keys(FOLDERS).map(tarball)], {
      cwd: project,
    });
  });

  it("are three tarballs", () => {
    assert.deepEqual(
      filesIn(join(folder, "npm")),
      Object.keys(FOLDERS).map((name) => tarball(name).split("/").at(-1)),
    );
  });

  for (const [name, place] of Object.entries(FOLDERS)) {
    describe(name, () => {
      it("contains the licence, the compiled sources, and a README with absolute links", (test) => {
        const unpacked = temporaryFolder(test);
        run("tar", ["-xzf", tarball(name), "-C", unpacked]);
        const files = filesIn(join(unpacked, "package"));
        const others = files.filter((file) => !file.startsWith("dist/src/"));
        assert.deepEqual(others, ["LICENSE", "README.md", "package.json"]);
        const text = (file) => readFileSync(join(unpacked, "package", file), "utf8");
        assert.equal(text("LICENSE"), readFileSync(join(ROOT, "LICENSE"), "utf8"));
        assertLinks(text("README.md"), version);
        for (const map of files.filter((file) => file.endsWith(".map"))) {
          assert.ok(
            JSON.parse(text(map)).sourcesContent?.every((source) => source),
            `${map} contains its source`,
          );
        }
      });

      it("has the fields that registries show and that provenance needs", () => {
        const { repository, ...manifest } = JSON.parse(
          readFileSync(join(project, "node_modules", name, "package.json"), "utf8"),
        );
        const url = "git+https://github.com/doyen-dev/doyen.git";
        assert.deepEqual(repository, { type: "git", url, directory: place });
        assert.ok(existsSync(join(ROOT, place, "package.json")));
        assert.equal(manifest.version, version);
        assert.equal(manifest.license, "Apache-2.0");
        assert.equal(manifest.publishConfig.access, "public");
        assert.ok(manifest.homepage && manifest.bugs && manifest.keywords.length > 0);
        for (const script of ["prepack", "prepare", "install", "postinstall"])
          assert.equal(manifest.scripts[script], undefined);
        for (const [needed, range] of Object.entries({ ...manifest.dependencies, ...manifest.peerDependencies })) {
          if (needed in FOLDERS) assert.equal(range, version, `${name} needs ${needed} of the same release`);
        }
      });

      it("passes publint", () => {
        run("npx", ["publint", "--strict", tarball(name)], { cwd: project });
      });

      // A CommonJS file that TypeScript compiles for old versions of Node must load the package with import().
      it("has types for each resolver of TypeScript", () => {
        run("npx", ["attw", tarball(name), "--ignore-rules", "cjs-resolves-to-esm", "--format", "ascii"], {
          cwd: project,
        });
      });

      it("is loaded by require and by import", () => {
        const exports = JSON.parse(readFileSync(join(project, "node_modules", name, "package.json"), "utf8")).exports;
        for (const path of Object.keys(exports)) {
          // The project contains no Angular and no Vue.
          if (["./angular", "./vue", "./package.json"].includes(path)) continue;
          const id = JSON.stringify(name + path.slice(1));
          const printed = (program, ...flags) => run("node", [...flags, "-e", program], { cwd: project });
          const required = printed(`console.log(Object.keys(require(${id})).sort().join())`, "--input-type=commonjs");
          const imported = printed(
            `console.log(Object.keys(await import(${id})).sort().join())`,
            "--input-type=module",
          );
          assert.equal(required, imported);
        }
      });
    });
  }

  it("compile in a project with Vite, React and TypeScript, and in CommonJS files", () => {
    run("npx", ["tsc", "-p", "tsconfig.json"], { cwd: project });
    run("npx", ["tsc", "-p", "tsconfig.node.json"], { cwd: project });
  });

  it("run in the page that Vite builds", { skip: noBrowser }, async (test) => {
    run("npx", ["vite", "build", "--logLevel", "warn"], { cwd: project });
    const { preview } = await import(join(project, "node_modules/vite/dist/node/index.js"));
    const server = await preview({ root: project, logLevel: "warn", preview: { host: "127.0.0.1", port: 0 } });
    test.after(() => server.close());
    const browser = await launch(test);
    const page = await browser.newPage();
    await page.goto(server.resolvedUrls.local[0]);
    await page.getByText(/^tab: [1-9]\d*, member: 1, elector: false$/).waitFor({ timeout: 60_000 });
  });
});
