// Checks the release folder as a whole.
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { attempt, filesIn, releaseFolder, releaseNote, ROOT, run, temporaryFolder } from "./folder.mjs";

const folder = releaseFolder();
const { note, version, commit } = releaseNote(folder);

/** These files contain a class-data archive, which differs between two builds (release/README.md). */
const WITH_ARCHIVE = /^(doyen-.*-linux-x64\.tar\.gz|packages\/.*(_amd64\.deb|\.x86_64\.rpm)|images\/.*)$/;

/** The checksum of all files of a tarball except the class-data archive. */
const withoutArchive = (tarball) =>
  run("bash", ["-c", 'tar --exclude="*/classes.jsa" -xzOf "$1" | sha256sum', "bash", tarball]);

describe("the release folder", () => {
  it("has a checksum of each file, except the checksums and their signatures", () => {
    const summed = readFileSync(join(folder, "SHA256SUMS"), "utf8").trim().split("\n");
    const files = filesIn(folder).filter((file) => file !== "SHA256SUMS" && !file.endsWith(".asc"));
    assert.deepEqual(summed.map((line) => line.slice(66)).sort(), files);
    assert.equal(run("sha256sum", ["--check", "--quiet", "SHA256SUMS"], { cwd: folder }), "");
  });

  it("has a note with links to the pages of the version", () => {
    const links = [...note.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link);
    for (const link of links) {
      assert.match(link, /^https:/);
      const page = link.match(/^https:\/\/github\.com\/doyen-dev\/doyen\/blob\/([^#]+)/)?.[1];
      if (page)
        assert.ok(page.startsWith(`v${version}/`) && existsSync(join(ROOT, page.slice(version.length + 2))), link);
    }
  });

  it("is the same if the commit is built again in another folder", (test) => {
    const source = join(temporaryFolder(test), "another checkout");
    run("git", ["clone", "--quiet", ROOT, source]);
    run("git", ["checkout", "--quiet", commit], { cwd: source });
    const again = join(temporaryFolder(test), "again");
    const parts = readdirSync(folder).flatMap((name) => (existsSync(join(source, `release/${name}.sh`)) ? [name] : []));
    if (existsSync(join(folder, `doyen-${version}.tar.gz`))) parts.push("program");
    const only = parts.flatMap((part) => ["--only", part]);
    const { status, output } = attempt(join(source, "release/release.sh"), [version, "--to", again, ...only]);
    assert.equal(status, 0, output);
    const [first, second] = [folder, again].map((each) => readFileSync(join(each, "SHA256SUMS"), "utf8").split("\n"));
    const differences = [
      ...first.filter((line) => !second.includes(line)),
      ...second.filter((line) => !first.includes(line)),
    ];
    assert.deepEqual(
      differences.filter((line) => !WITH_ARCHIVE.test(line.slice(66))),
      [],
    );
    const tarball = `doyen-${version}-linux-x64.tar.gz`;
    if (parts.includes("program"))
      assert.equal(withoutArchive(join(again, tarball)), withoutArchive(join(folder, tarball)));
  });
});
