/**
 * Prints the size that each entry point of @doyen/swarm adds to a page. Fails if a size exceeds the budget.
 *
 * Other packages (`ably`, `react`) do not count. Code that entry points share counts for each of them, because many
 * pages use only one entry point.
 */
import { build } from "esbuild";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const BUDGETS = { index: 9 * 1024, "tab-swarm": 15 * 1024, react: 15 * 1024 };
const NAMES = { index: "", "tab-swarm": "/tabs", react: "/react" };

const source = join(dirname(fileURLToPath(import.meta.url)), "dist/src");
for (const [door, budget] of Object.entries(BUDGETS)) {
  const { outputFiles } = await build({
    entryPoints: [join(source, `${door}.js`)],
    bundle: true,
    minify: true,
    format: "esm",
    external: ["ably", "react"],
    write: false,
  });
  const minified = outputFiles[0].contents;
  const zipped = gzipSync(minified, { level: 9 }).length;
  console.log(
    `@doyen/swarm${NAMES[door]}: ${minified.length} bytes minified, ${zipped} gzipped; the budget is ${budget}`,
  );
  if (zipped > budget) process.exitCode = 1;
}
