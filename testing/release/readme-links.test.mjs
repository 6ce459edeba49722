// Tests the script that makes the links of a README absolute.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { ROOT, run, temporaryFolder } from "./folder.mjs";

it("relative links lead to the release, and other links stay", (test) => {
  const readme = join(temporaryFolder(test), "README.md");
  writeFileSync(
    readme,
    "[a](../../docs/a.md#part), [b\\nb](b.md), ![c](./c.png), [own](#part), [d](https://example.com/d), [e](mailto:e@example.com)\n",
  );
  run("node", [join(ROOT, "release/readme-links.js"), readme, "clients/python", "1.2.3"]);
  const base = "https://github.com/doyen-dev/doyen/blob/v1.2.3";
  assert.equal(
    readFileSync(readme, "utf8"),
    `[a](${base}/docs/a.md#part), [b\\nb](${base}/clients/python/b.md), ![c](${base}/clients/python/c.png), ` +
      "[own](#part), [d](https://example.com/d), [e](mailto:e@example.com)\n",
  );
});
