// The page docs/guide/install.md, and a shell that runs its commands.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { releaseFolder, releaseNote, ROOT, start } from "./folder.mjs";

const PAGE = join(ROOT, "docs/guide/install.md");

/** The blocks of a section in their order. */
export function written(section) {
  const text = readFileSync(PAGE, "utf8")
    .split(/^## /m)
    .find((each) => each.startsWith(`${section}\n`));
  assert.ok(text !== undefined, `${PAGE} has the section "${section}"`);
  const found = [...text.matchAll(/^```\w+\n([\s\S]*?)^```$/gm)].map(([, block]) => block);
  assert.ok(found.length > 0, `the section "${section}" has blocks`);
  return found;
}

/** The blocks of a section in their order, with the version of the release folder. */
export function blocks(section) {
  const { version } = releaseNote(releaseFolder());
  const [, old] = readFileSync(join(ROOT, "pom.xml"), "utf8").match(/<revision>([^<]+?)(?:-SNAPSHOT)?</);
  return written(section).map((block) => block.replaceAll(old, version));
}

/** Starts the commands of a block in a shell, and waits until their output matches the pattern. Returns the match. */
export function type(test, block, cwd, pattern, env = process.env) {
  return start(test, "bash", ["-e", "-c", block], pattern, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
}
