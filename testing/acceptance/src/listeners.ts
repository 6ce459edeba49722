import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { EventSource } from "eventsource";
import type { Browser } from "playwright-core";
import { PYTHON } from "./python.js";
import { HANG_MILLIS } from "./until.js";

/** A client of `/sse`. `received` returns the `data` of all received events, in order. */
export interface Listener {
  readonly received: () => readonly string[] | Promise<readonly string[]>;
  readonly close: () => void | Promise<void>;
}

/** Starts a listener with Python's `sseclient`, used as in its README. */
export function sseclient(sse: URL): Listener {
  const script = "import sseclient, sys\nfor event in sseclient.SSEClient(sys.argv[1]): print(event.data, flush=True)";
  return lines(PYTHON, ["-c", script, sse.href], (line) => line);
}

/** Starts a listener with `curl -N`. */
export function curl(sse: URL): Listener {
  return lines("curl", ["-sN", sse.href], (line) => (line.startsWith("data: ") ? line.slice(6) : undefined));
}

/** Starts a listener with the npm package `eventsource`. */
export function eventSource(sse: URL): Listener {
  const received: string[] = [];
  const source = new EventSource(sse);
  source.onmessage = (event: { data: string }) => received.push(event.data);
  return { received: () => received, close: () => source.close() };
}

/**
 * Starts a listener with a browser's EventSource. The page is the elector's `/`, because the elector sends no CORS
 * headers.
 */
export async function browserEventSource(browser: Browser, sse: URL): Promise<Listener> {
  const page = await browser.newPage();
  page.setDefaultTimeout(HANG_MILLIS);
  await page.goto(new URL("/", sse).href);
  await page.evaluate((path) => {
    const received: string[] = [];
    const source = new EventSource(path);
    source.onmessage = (event) => received.push(String(event.data));
    Object.assign(window, { received });
  }, sse.pathname);
  return {
    received: () => page.evaluate(() => (window as unknown as { received: string[] }).received),
    close: () => page.close(),
  };
}

/** Starts a listener with `fetch` and a streamed body. */
export function fetchStream(sse: URL): Listener {
  const received: string[] = [];
  const stop = new AbortController();
  void (async () => {
    const response = await fetch(sse, { signal: stop.signal });
    const decoder = new TextDecoder();
    let text = "";
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      const events = text.split("\n\n");
      text = events.pop() ?? "";
      received.push(...events.map((event) => event.replace(/^data: /, "")));
    }
  })().catch(() => {});
  return { received: () => received, close: () => stop.abort() };
}

function lines(program: string, args: readonly string[], read: (line: string) => string | undefined): Listener {
  const received: string[] = [];
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
  createInterface(child.stdout).on("line", (line) => {
    const event = read(line);
    if (event !== undefined) received.push(event);
  });
  return { received: () => received, close: () => void child.kill() };
}
