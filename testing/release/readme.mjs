// A check of the README of a client package.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./folder.mjs";

/** Checks that each link of a README is absolute and, if it leads to this repository, that the file exists. */
export function assertLinks(readme, version) {
  const links = [...readme.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link]) => link)
    .filter((link) => !link.startsWith("#"));
  assert.ok(links.length > 0, "the README has links");
  for (const link of links) {
    assert.match(link, /^https:\/\//);
    const [, file] = link.match(/^https:\/\/github\.com\/doyen-dev\/doyen\/blob\/([^#]+)/) ?? [];
    if (file === undefined) continue;
    assert.ok(file.startsWith(`v${version}/`), `${link} leads to the files of the release`);
    assert.ok(existsSync(join(ROOT, file.slice(`v${version}/`.length))), `${link} leads to a file`);
  }
}
