/**
 * Replaces the relative links of a README by links to the files of a release on GitHub.
 *
 * usage: node readme-links.js README FOLDER VERSION
 *
 * FOLDER is the folder of the README in the repository. Registries show the README without the other files of the
 * repository.
 */
import { readFileSync, writeFileSync } from "node:fs";

const [readme, folder, version] = process.argv.slice(2);
const base = `https://github.com/doyen-dev/doyen/blob/v${version}/${folder}/`;
const text = readFileSync(readme, "utf8");
writeFileSync(
  readme,
  text.replace(/(?<=\]\()(?!#|[a-z]+:)[^)\s]+/g, (link) => new URL(link, base).href),
);
