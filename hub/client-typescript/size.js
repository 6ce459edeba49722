/**
 * Prints the size that each entry point of @doyen/swarm adds to a page. Fails if a size exceeds its budget.
 *
 * A page pays for this package and for the part of `ably` that the package imports. A page with React also pays for
 * React, which does not count here. Code that entry points share counts for each of them, because many pages use only
 * one entry point.
 */
import { build } from "esbuild";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

/** The maximum size of a page with `ably`, in gzipped bytes. */
const PAGE_BUDGET = 60_000;
/** The maximum sizes without `ably`, in gzipped bytes. */
const BUDGETS = { index: 9.25 * 1024, "tab-swarm": 15 * 1024, react: 15 * 1024 };
const NAMES = { index: "", "tab-swarm": "/tabs", react: "/react" };

const source = join(dirname(fileURLToPath(import.meta.url)), "dist/src");

async function zippedSize(door, external) {
  const { outputFiles } = await build({
    entryPoints: [join(source, `${door}.js`)],
    bundle: true,
    minify: true,
    format: "esm",
    external,
    write: false,
  });
  return gzipSync(outputFiles[0].contents, { level: 9 }).length;
}

for (const [door, budget] of Object.entries(BUDGETS)) {
  const page = await zippedSize(door, ["react"]);
  const own = await zippedSize(door, ["react", "ably"]);
  console.log(
    `@doyen/swarm${NAMES[door]}: ${page} bytes gzipped, of which ably has ${page - own} and this package ${own}; ` +
      `the budgets are ${PAGE_BUDGET} for the page and ${budget} for this package`,
  );
  if (page > PAGE_BUDGET || own > budget) process.exitCode = 1;
}
