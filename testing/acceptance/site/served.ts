import { createReadStream, readdirSync, readFileSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, posix } from "node:path";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
};

/** Serves a folder over HTTP, as any static web server does. */
export class ServedFolder {
  readonly origin: string;
  private readonly server: Server;

  private constructor(server: Server) {
    this.server = server;
    this.origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  }

  static async open(folder: string): Promise<ServedFolder> {
    const server = createServer((request, response) => {
      const path = decodeURIComponent(new URL(request.url ?? "/", "http://localhost").pathname);
      const file = join(folder, path.endsWith("/") ? `${path}index.html` : path);
      if (!isFile(file)) {
        response.writeHead(404).end();
        return;
      }
      response.writeHead(200, { "Content-Type": TYPES[extname(file)] ?? "application/octet-stream" });
      createReadStream(file).pipe(response);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new ServedFolder(server);
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** Returns the paths of all HTML files in a folder, relative to the folder. */
export function htmlFiles(folder: string, under = ""): string[] {
  return readdirSync(join(folder, under), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(under, entry.name);
    return entry.isDirectory() ? htmlFiles(folder, path) : path.endsWith(".html") ? [path] : [];
  });
}

const LINK = /<(?:a|link|script|img|source|iframe)\b[^>]*?\s(?:href|src)="([^"]*)"/g;
const ANCHOR = /\s(?:id|name)="([^"]*)"/g;

/** Returns one line for each link in the HTML files of a site that leads to no file or to no anchor. */
export function deadLinks(site: string, files: readonly string[]): string[] {
  const anchors = new Map<string, Set<string>>();
  const anchorsOf = (file: string): Set<string> => {
    let known = anchors.get(file);
    if (known === undefined) {
      known = new Set([...readFileSync(join(site, file), "utf8").matchAll(ANCHOR)].map(([, id]) => decoded(id!)));
      anchors.set(file, known);
    }
    return known;
  };
  return files.flatMap((file) => {
    const html = readFileSync(join(site, file), "utf8").replace(/<script\b[^>]*>[\s\S]*?<\/script>/g, "");
    return [...new Set([...html.matchAll(LINK)].map(([, link]) => link!))]
      .filter((link) => !/^[a-z]+:|^\/\//i.test(link))
      .filter((link) => !resolves(decoded(link), file))
      .map((link) => `${file} -> ${link}`);
  });

  function resolves(link: string, from: string): boolean {
    const [path = "", fragment = ""] = link.split("#", 2);
    const plain = path.split("?", 1)[0]!;
    let to =
      plain === "" ? from : posix.join(plain.startsWith("/") ? "/" : posix.join("/", posix.dirname(from)), plain);
    if (to.endsWith("/")) to += "index.html";
    if (!isFile(join(site, to))) return false;
    return fragment === "" || !to.endsWith(".html") || anchorsOf(to).has(fragment);
  }
}

/** Returns a text of HTML or of an address as the browser reads it. */
function decoded(text: string): string {
  return decodeURIComponent(text.replaceAll("&amp;", "&").replaceAll("&lt;", "<").replaceAll("&gt;", ">"));
}
