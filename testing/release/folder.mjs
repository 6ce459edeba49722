// The release folder under test, and functions for files and processes that several tests need.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";

export const ROOT = resolve(import.meta.dirname, "../..");

/** The release folder, which the environment variable DOYEN_RELEASE names. */
export function releaseFolder() {
  const folder = process.env.DOYEN_RELEASE;
  assert.ok(folder, "DOYEN_RELEASE is not set; set it to a folder that ./dev release has built");
  assert.ok(existsSync(join(folder, "SHA256SUMS")), `${folder} has no SHA256SUMS; build it with ./dev release`);
  return resolve(folder);
}

/** The first lines of the release note: the version and the commit of the folder. */
export function releaseNote(folder) {
  const note = readFileSync(join(folder, "RELEASE-NOTES.md"), "utf8");
  const [, version, commit] = note.match(/^# Doyen (\S+)\n\nBuilt from commit ([0-9a-f]{40}) /) ?? [];
  assert.ok(version, "RELEASE-NOTES.md begins with the version and the commit");
  return { note, version, commit };
}

/** The paths of all files in a folder, relative to it. */
export function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

/** A new temporary folder, which the test removes at its end. */
export function temporaryFolder(test) {
  const folder = mkdtempSync(join(tmpdir(), "doyen-release-"));
  test.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs a program that must succeed, and returns its standard output. */
export function run(program, args, options = {}) {
  return execFileSync(program, args, { encoding: "utf8", maxBuffer: 1 << 26, ...options });
}

/** Runs a program, and returns its exit code and all that it printed. */
export function attempt(program, args, options = {}) {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8", ...options });
  return { status, output: stdout + stderr };
}

/**
 * Starts a program, and waits until its output matches the pattern. Returns the match. At the end of the test, the
 * program and all processes that it has started get SIGTERM.
 */
export function start(test, program, args, pattern, options = {}) {
  const started = spawn(program, args, { detached: true, ...options });
  const ended = new Promise((resolve) => started.once("exit", resolve));
  test.after(async () => {
    try {
      process.kill(-started.pid, "SIGTERM");
    } catch {
      // All processes have ended.
    }
    await ended;
  });
  let output = "";
  return new Promise((resolve, reject) => {
    const read = (chunk) => {
      output += chunk;
      const match = output.match(pattern);
      if (match) resolve(match);
    };
    started.stdout.on("data", read);
    started.stderr.on("data", read);
    ended.then((code) => reject(new Error(`${program} ended with ${code} and printed: ${output}`)));
  });
}

/** Whether this machine has the program, in the folders of the environment. */
export function has(program, env = process.env) {
  return attempt("sh", ["-c", `command -v ${program}`], { env }).status === 0;
}

/** A local Maven repository without Doyen. It shares the artifacts of others with the local repository of this user. */
export function localRepository(test) {
  const local = temporaryFolder(test);
  const shared = process.env.MAVEN_REPOSITORY ?? join(homedir(), ".m2/repository");
  const link = (from, to, except) => {
    for (const name of existsSync(from) ? readdirSync(from) : [])
      if (name !== except) symlinkSync(join(from, name), join(to, name));
  };
  link(shared, local, "dev");
  mkdirSync(join(local, "dev"));
  link(join(shared, "dev"), join(local, "dev"), "doyen");
  return local;
}

/** The environment of a go command that finds Doyen in a release folder, and has its module cache in this folder. */
export function goEnvironment(folder, cache) {
  return {
    ...process.env,
    GOPROXY: `file://${folder}/go`,
    GOSUMDB: "off",
    GOMODCACHE: cache,
    GOFLAGS: "-modcacherw",
    GOTOOLCHAIN: "local",
    GOWORK: "off",
    CGO_ENABLED: "0",
  };
}

/** A clone of the current commit, in which a test can change files. */
export function clone(test) {
  const folder = join(temporaryFolder(test), "source");
  run("git", ["clone", "--quiet", ROOT, folder]);
  return folder;
}

/** The environment of a gpg that has one new key, without a passphrase. */
export function keyring(test) {
  const GNUPGHOME = join(temporaryFolder(test), "gnupg");
  mkdirSync(GNUPGHOME, { mode: 0o700 });
  const env = { ...process.env, GNUPGHOME };
  run("gpg", ["--batch", "--quiet", "--passphrase", "", "--quick-generate-key", "release@example.org", "ed25519"], {
    env,
    stdio: "pipe",
  });
  test.after(() => attempt("gpgconf", ["--kill", "all"], { env }));
  return env;
}
