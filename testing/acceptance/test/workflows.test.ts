import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { parse } from "yaml";
import { ROOT } from "../src/program.js";

interface Step {
  readonly run?: string;
  readonly uses?: string;
  readonly with?: Record<string, unknown>;
}

interface Job {
  readonly "runs-on"?: string;
  readonly uses?: string;
  readonly strategy?: { readonly matrix: Record<string, unknown> };
  readonly steps?: readonly Step[];
}

interface Workflow {
  readonly on: Record<string, unknown>;
  readonly permissions?: Record<string, string>;
  readonly jobs: Record<string, Job>;
}

const GITHUB = join(ROOT, ".github");
const FOLDER = join(GITHUB, "workflows");
const names = readdirSync(FOLDER);
const help = execFileSync(join(ROOT, "dev"), ["help"], { encoding: "utf8" });

function read(name: string): Workflow {
  return parse(readFileSync(join(FOLDER, name), "utf8")) as Workflow;
}

function jobs(name: string): Job[] {
  return Object.values(read(name).jobs);
}

/** The commands of all steps of a workflow. */
function commands(name: string): string[] {
  return jobs(name).flatMap((job) => job.steps?.flatMap(({ run }) => run ?? []) ?? []);
}

/** Whether `./dev help` lists the command, and for `verify` also the part. */
function isListed(command: string): boolean {
  const [, name, part] = /^\.\/dev (\w+)(?: ([^|;&`]*))?$/.exec(command) ?? [];
  if (name === undefined || !new RegExp(`^  ${name} `, "m").test(help)) return false;
  if (name !== "verify" || part === undefined) return true;
  const [parts] = /^ {2}verify PART .*\n(?: {4,}.*\n)*/m.exec(help) ?? [""];
  return new RegExp(`\\b${part}\\b`).test(parts);
}

describe("the workflows of CI", () => {
  for (const name of names) {
    test(`each step of ${name} that runs a program is a command of ./dev help`, () => {
      assert.deepEqual(
        commands(name).filter((command) => !isListed(command)),
        [],
      );
    });

    test(`${name} pins each action to a commit, and names its version`, () => {
      const uses = readFileSync(join(FOLDER, name), "utf8").match(/^.*\buses:.*$/gm) ?? [];
      assert.ok(uses.length > 0);
      for (const line of uses) assert.match(line, /uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    });

    test(`${name} limits the permissions of its token`, () => {
      assert.notEqual(read(name).permissions, undefined);
    });
  }

  test("a command that ./dev help does not list is found", () => {
    for (const command of ["mvn verify", "./dev verfy", "./dev verify everything", "./dev help | sh"]) {
      assert.equal(isListed(command), false, command);
    }
    assert.equal(isListed("./dev verify"), true);
  });

  test("each change is built with JDK 17, 21 and 25 on Linux, and on macOS", () => {
    const { linux, macos } = read("build.yml").jobs;
    assert.deepEqual(linux?.strategy?.matrix["java"], [17, 21, 25]);
    assert.match(linux["runs-on"] ?? "", /^ubuntu/);
    assert.match(macos?.["runs-on"] ?? "", /^macos/);
  });

  test("a tag starts the release", () => {
    assert.deepEqual(read("release.yml").on, { push: { tags: ["v[0-9]+.[0-9]+.[0-9]+"] } });
    assert.ok(commands("release.yml").some((command) => command.startsWith("./dev release ")));
  });

  test("CodeQL analyzes each language of the sources", () => {
    const [job] = jobs("codeql.yml");
    const matrix = job?.strategy?.matrix as { language: string[]; include: { language: string }[] };
    assert.deepEqual([...matrix.language, ...matrix.include.map(({ language }) => language)].sort(), [
      "actions",
      "go",
      "java-kotlin",
      "javascript-typescript",
      "python",
    ]);
  });

  test("OSV scans each change", () => {
    assert.ok(jobs("osv.yml").some(({ uses }) => uses?.startsWith("google/osv-scanner-action/")));
  });

  test("dependency updates cover each manifest", () => {
    const { updates } = parse(readFileSync(join(GITHUB, "dependabot.yml"), "utf8")) as {
      updates: { "package-ecosystem": string; directory?: string; directories?: string[] }[];
    };
    const covered = updates.flatMap((each) =>
      (each.directories ?? [each.directory ?? ""]).map((folder) => `${each["package-ecosystem"]} ${folder}`),
    );
    const manifests = {
      "go.mod": "gomod",
      "pyproject.toml": "pip",
      "requirements.txt": "pip",
      "package-lock.json": "npm",
    };
    const tracked = execFileSync("git", ["ls-files"], { cwd: ROOT, encoding: "utf8" }).split("\n");
    const expected = Object.entries(manifests).flatMap(([file, ecosystem]) =>
      tracked
        .filter((path) => path === file || path.endsWith(`/${file}`))
        .map((path) => `${ecosystem} /${dirname(path).replace(/^\.$/, "")}`),
    );
    assert.deepEqual(
      [...covered].sort(),
      [...new Set([...expected, "github-actions /", "maven /"])].sort(),
      "dependabot.yml and the manifests in the repository",
    );
    for (const each of covered) assert.ok(existsSync(join(ROOT, each.replace(/^\S+ \//, ""))), each);
  });
});
