// An npm registry that contains the npm packages of a release folder, and no other packages.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { filesIn, run } from "./folder.mjs";

/** Starts the registry, and returns its address. The test closes the registry at its end. */
export async function npmRegistry(test, folder) {
  const packages = new Map(filesIn(join(folder, "npm")).map((file) => [file, join(folder, "npm", file)]));
  const documents = new Map();
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url.slice(1));
    const content = documents.get(path) ?? (packages.has(path) ? readFileSync(packages.get(path)) : undefined);
    response.writeHead(content === undefined ? 404 : 200).end(content);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  test.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = `http://127.0.0.1:${server.address().port}/`;
  for (const [file, path] of packages) {
    const manifest = JSON.parse(run("tar", ["-xzOf", path, "package/package.json"]));
    const integrity = `sha512-${createHash("sha512").update(readFileSync(path)).digest("base64")}`;
    const version = { ...manifest, dist: { tarball: address + file, integrity } };
    documents.set(
      manifest.name,
      JSON.stringify({
        name: manifest.name,
        "dist-tags": { latest: manifest.version },
        versions: { [manifest.version]: version },
      }),
    );
  }
  return address;
}
