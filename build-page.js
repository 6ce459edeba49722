/**
 * Bundles the page in the current folder into dist/.
 *
 * The result is one script, one style sheet and source maps, and loads nothing from other servers. Scripts named as
 * arguments become separate files.
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
