/**
 * Bundles the page in the current folder into dist/.
 *
 * The result is index.html, one script, one style sheet and source maps. It loads nothing from other servers. Each
 * script that the arguments name becomes a separate file.
 */
import { build } from "esbuild";
import { cp, mkdir } from "node:fs/promises";

await mkdir("dist", { recursive: true });
await build({
  entryPoints: ["src/main.ts", ...process.argv.slice(2), "style.css"],
  outdir: "dist",
  bundle: true,
  minify: true,
  sourcemap: true,
  format: "esm",
  target: ["es2022"],
  entryNames: "[name]",
  logLevel: "warning",
});
await cp("index.html", "dist/index.html");
