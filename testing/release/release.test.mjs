// release/release.sh with parts that write small files, in clones of this repository.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { attempt, clone, filesIn, keyring, run, temporaryFolder } from "./folder.mjs";

const author = ["-c", "user.name=test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false"];

/** The content of a part: it writes what it was given, and what its checkout contained. */
const part = (name) => `#!/usr/bin/env bash
set -euo pipefail
mkdir -p "$3/${name}" && cd "$1"
{ echo "$2 $SOURCE_DATE_EPOCH"; grep -o "<revision>.*" pom.xml; ls -d target 2>/dev/null || true; } >"$3/${name}/a file"
mkdir target
`;

/** A clone in which the given files have the given contents, as a new commit. */
function checkout(test, files) {
  const source = clone(test);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(source, name), content, { mode: 0o755 });
  run("git", ["add", "-A"], { cwd: source });
  run("git", [...author, "commit", "--quiet", "--allow-empty", "-m", "test"], { cwd: source });
  return source;
}

const release = (source, args, env = {}) =>
  attempt(join(source, "release/release.sh"), args, { env: { ...process.env, ...env } });
const parts = { "release/maven.sh": part("maven"), "release/npm.sh": part("npm") };
const twoParts = ["--only", "maven", "--only", "npm"];

describe("release.sh", () => {
  it("builds the parts of the commit with the version, and writes checksums and a note", (test) => {
    const source = checkout(test, parts);
    const folder = join(temporaryFolder(test), "new");
    const { status, output } = release(source, ["1.2.3", "--to", folder, ...twoParts]);
    assert.equal(status, 0, output);
    assert.deepEqual(filesIn(folder), ["RELEASE-NOTES.md", "SHA256SUMS", "maven/a file", "npm/a file"]);
    const [commit, time, day] = run("git", ["log", "-1", "--format=%H %ct %cd", "--date=format:%Y-%m-%d"], {
      cwd: source,
      env: { ...process.env, TZ: "UTC" },
    })
      .trim()
      .split(" ");
    // The second part does not see the files of the first part.
    for (const name of ["maven", "npm"])
      assert.equal(readFileSync(join(folder, name, "a file"), "utf8"), `1.2.3 ${time}\n<revision>1.2.3</revision>\n`);
    assert.equal(run("sha256sum", ["--check", "--quiet", "SHA256SUMS"], { cwd: folder }), "");
    assert.equal(readFileSync(join(folder, "SHA256SUMS"), "utf8").trim().split("\n").length, 3);
    const note = readFileSync(join(folder, "RELEASE-NOTES.md"), "utf8");
    assert.ok(note.startsWith(`# Doyen 1.2.3\n\nBuilt from commit ${commit} of ${day}.\n`), note);
    assert.equal(run("git", ["status", "--porcelain"], { cwd: source }), "", "the checkout is unchanged");
  });

  it("writes the same bytes from another checkout, at another place and in another time zone", (test) => {
    const source = checkout(test, parts);
    const other = join(temporaryFolder(test), "another name");
    run("git", ["clone", "--quiet", source, other]);
    const folders = [source, other].map((from, i) => {
      const folder = join(temporaryFolder(test), "out");
      const { status, output } = release(from, ["1.2.3", "--to", folder, ...twoParts], {
        TZ: i ? "Asia/Tokyo" : "UTC",
      });
      assert.equal(status, 0, output);
      return folder;
    });
    assert.equal(...folders.map((folder) => readFileSync(join(folder, "SHA256SUMS"), "utf8")));
  });

  const changelog =
    "# Changelog\n\n## Unreleased\n\nNew [page](docs/a.md#b).\n\n## 1.2.3\n\nSee [site](https://example.org).\n\n## 1.2.2\n\nOld.\n";
  for (const [version, expected, absent] of [
    ["1.2.3", "See [site](https://example.org).", "New"],
    ["1.3.0", "New [page](https://github.com/doyen-dev/doyen/blob/v1.3.0/docs/a.md#b).", "Old"],
  ]) {
    it(`the note of ${version} contains its section of the changelog, or else the section Unreleased`, (test) => {
      const folder = temporaryFolder(test);
      const { status, output } = release(checkout(test, { ...parts, "CHANGELOG.md": changelog }), [
        version,
        "--to",
        folder,
        ...twoParts,
      ]);
      assert.equal(status, 0, output);
      const note = readFileSync(join(folder, "RELEASE-NOTES.md"), "utf8");
      assert.ok(note.includes(expected) && !note.includes(absent), note);
    });
  }

  it("signs with --sign", (test) => {
    const folder = temporaryFolder(test);
    const { status, output } = release(
      checkout(test, parts),
      ["1.2.3", "--to", folder, ...twoParts, "--sign", "release@example.org"],
      keyring(test),
    );
    assert.equal(status, 0, output);
    assert.ok(filesIn(folder).includes("SHA256SUMS.asc"));
  });

  it("--publish prints what it would upload", (test) => {
    const source = checkout(test, parts);
    const folder = temporaryFolder(test);
    const first = release(source, ["1.2.3", "--to", folder, "--only", "maven", "--publish"]);
    assert.match(first.output, /Maven Central: not uploaded/);
    assert.equal(first.status, 0, first.output);
    const again = release(source, ["1.2.3", "--to", folder, "--only", "maven", "--publish"]);
    assert.match(again.output, /Maven Central: not uploaded/);
    assert.doesNotMatch(again.output, /==> checksums/, "the folder is not built again");
  });
});

describe("release.sh refuses", () => {
  const cases = [
    ["no version", ["--to", "out"], /the version is missing/],
    ["a wrong version", ["1.2.3-rc1", "--to", "out"], /the version is "1.2.3-rc1", but must consist of three numbers/],
    ["two versions", ["1.2.3", "1.2.4", "--to", "out"], /"1.2.3" and "1.2.4" are two versions/],
    ["no folder", ["1.2.3"], /the option --to is missing/],
    ["an option without a value", ["1.2.3", "--to"], /the option --to has no value/],
    ["an unknown option", ["1.2.3", "--fast"], /no such option: --fast/],
    [
      "an unknown part",
      ["1.2.3", "--to", "out", "--only", "cobol"],
      /a release has no part "cobol"; its parts are maven /,
    ],
    [
      "an unknown key",
      ["1.2.3", "--to", "out", "--only", "maven", "--sign", "nobody@example.org"],
      /gpg has no secret key "nobody@example.org"/,
    ],
  ];
  for (const [name, args, expected] of cases) {
    it(name, (test) => {
      const { status, output } = release(checkout(test, parts), args);
      assert.equal(status, 1, output);
      assert.match(output, expected);
    });
  }

  it("changes that are not committed", (test) => {
    const source = checkout(test, parts);
    writeFileSync(join(source, "new.txt"), "");
    const { status, output } = release(source, ["1.2.3", "--to", join(temporaryFolder(test), "out"), ...twoParts]);
    assert.equal(status, 1);
    assert.match(output, /changes that are not committed[^]*\?\? new\.txt/);
  });

  it("a folder that is not empty", (test) => {
    const folder = temporaryFolder(test);
    mkdirSync(join(folder, "old"));
    const { status, output } = release(checkout(test, parts), ["1.2.3", "--to", folder, ...twoParts]);
    assert.equal(status, 1);
    assert.match(output, /is not empty; remove its files, or use another folder/);
  });

  it("a changelog without a section for the release", (test) => {
    const source = checkout(test, { ...parts, "CHANGELOG.md": "# Changelog\n\n## Unreleased\n\n## 1.2.2\n\nOld.\n" });
    const { status, output } = release(source, ["1.2.3", "--to", temporaryFolder(test), ...twoParts]);
    assert.equal(status, 1);
    assert.match(output, /CHANGELOG.md has no section "1.2.3" and no section "Unreleased" with content/);
  });

  it("a part that fails, and writes no checksums", (test) => {
    const folder = temporaryFolder(test);
    const source = checkout(test, { ...parts, "release/npm.sh": "#!/usr/bin/env bash\nexit 3\n" });
    assert.notEqual(release(source, ["1.2.3", "--to", folder, ...twoParts]).status, 0);
    assert.deepEqual(filesIn(folder), ["maven/a file"]);
  });
});
