import { build } from "esbuild";
import { readFileSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { KEY, ROOT, type Program } from "./program.js";

/**
 * A script that runs before all scripts of a page. The script records sockets and warnings. If the page's URL has the
 * query `?alone`, the script removes Web Locks.
 */
const FIRST = `
  globalThis.warned = [];
  const warn = console.warn;
  console.warn = (...args) => (warned.push(args.join(" ")), warn(...args));
  if (new URLSearchParams(location.search).has("alone")) {
    Object.defineProperty(Navigator.prototype, "locks", { get: () => undefined });
  }
  const Real = WebSocket;
  globalThis.sockets = [];
  globalThis.WebSocket = class extends Real {
    constructor(...given) {
      super(...given);
      sockets.push(this);
    }
  };
  globalThis.openSockets = () => sockets.filter((each) => each.readyState === Real.OPEN).length;`;

/** The address of a hub. The hub does not have to run. */
type AtHub = Pick<Program, "hub">;

/**
 * Serves bundled test pages from its own origin.
 *
 * The server answers a request for `/hang` only after a call of `letGo`. A page that sends this request synchronously
 * hangs until then. In the bundles the real hub's port replaces the port of the examples.
 */
export class Pages {
  readonly origin: string;
  private readonly server: Server;
  private readonly hanging: ServerResponse[];

  private constructor(server: Server, hanging: ServerResponse[]) {
    this.server = server;
    this.hanging = hanging;
    this.origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  }

  static async open(program: AtHub, sources: Readonly<Record<string, string>>): Promise<Pages> {
    const scripts = new Map<string, string>();
    for (const [name, source] of Object.entries(sources)) scripts.set(name, await bundled(source, program));
    const hanging: ServerResponse[] = [];
    const server = createServer((request, response) => {
      const name = new URL(request.url ?? "/", "http://localhost").pathname.slice(1);
      if (name === "hang") hanging.push(response);
      else if (name.endsWith(".js")) answer(response, "text/javascript", scripts.get(name.slice(0, -3)));
      else if (scripts.has(name)) answer(response, "text/html", page(name));
      else answer(response, "text/html", "<!doctype html><title>elsewhere</title>");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new Pages(server, hanging);
  }

  url(name: string, program: AtHub, query: Readonly<Record<string, string>> = {}): URL {
    const url = new URL(name, this.origin);
    const params = { key: KEY, port: program.hub.port, ...query };
    for (const [key, value] of Object.entries(params)) url.searchParams.set(key, value);
    return url;
  }

  /** Answers the requests of all hanging pages. */
  letGo(): void {
    for (const response of this.hanging.splice(0)) response.end();
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

async function bundled(source: string, program: AtHub): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(ROOT, source)],
    bundle: true,
    format: "esm",
    target: "es2022",
    jsx: "automatic",
    // React's own checks, such as strict mode, exist only in its development build.
    define: { "process.env.NODE_ENV": '"development"' },
    write: false,
    plugins: [
      {
        name: "real-hub",
        setup: ({ onLoad }) =>
          onLoad({ filter: /\/(examples|acceptance\/pages)\/.*\.tsx?$/ }, ({ path }) => ({
            contents: atHub(readFileSync(path, "utf8"), program),
            loader: path.endsWith("x") ? "tsx" : "ts",
          })),
      },
    ],
  });
  return outputFiles[0]?.text ?? "";
}

/** Returns the text of an example with this hub's port. */
export function atHub(text: string, program: AtHub): string {
  return text.replaceAll("8000", program.hub.port);
}

function page(name: string): string {
  return `<!doctype html><title>${name}</title><body><script>${FIRST}</script><script type="module" src="/${name}.js"></script>`;
}

function answer(response: ServerResponse, type: string, text: string | undefined): void {
  response.statusCode = text === undefined ? 404 : 200;
  response.setHeader("Content-Type", type);
  response.end(text);
}
