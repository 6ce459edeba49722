import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { EventSource } from "eventsource";
import type { Browser } from "playwright-core";
import { PYTHON } from "./python.js";
import { HANG_MILLIS } from "./until.js";

/** A client of `/sse`. `heard` returns the `data` of each event so far, in order. */
export interface Listener {
  readonly heard: () => readonly string[] | Promise<readonly string[]>;
  readonly close: () => void | Promise<void>;
}

/** `sseclient` of Python, used as in its README. */
export function sseclient(sse: URL): Listener {
  const script = "import sseclient, sys\nfor event in sseclient.SSEClient(sys.argv[1]): print(event.data, flush=True)";
  return lines(PYTHON, ["-c", script, sse.href], (line) => line);
}

/** `curl -N`. */
export function curl(sse: URL): Listener {
  return lines("curl", ["-sN", sse.href], (line) => (line.startsWith("data: ") ? line.slice(6) : undefined));
}

/** The npm package `eventsource`. */
export function eventSource(sse: URL): Listener {
  const heard: string[] = [];
  const source = new EventSource(sse);
  source.onmessage = (event: { data: string }) => heard.push(event.data);
  return { heard: () => heard, close: () => source.close() };
}

/** A browser's own EventSource. Its page is the elector's answer at `/`, because the elector sends no CORS headers. */
export async function browserEventSource(browser: Browser, sse: URL): Promise<Listener> {
  const page = await browser.newPage();
  page.setDefaultTimeout(HANG_MILLIS);
  await page.goto(new URL("/", sse).href);
  await page.evaluate((path) => {
    const heard: string[] = [];
    const source = new EventSource(path);
    source.onmessage = (event) => heard.push(String(event.data));
    Object.assign(window, { heard });
  }, sse.pathname);
  return {
    heard: () => page.evaluate(() => (window as unknown as { heard: string[] }).heard),
    close: () => page.close(),
  };
}

/** `fetch`, with a streamed body. */
export function fetchStream(sse: URL): Listener {
  const heard: string[] = [];
  const stop = new AbortController();
  void (async () => {
    const response = await fetch(sse, { signal: stop.signal });
    const decoder = new TextDecoder();
    let text = "";
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      const events = text.split("\n\n");
      text = events.pop() ?? "";
      heard.push(...events.map((event) => event.replace(/^data: /, "")));
    }
  })().catch(() => {});
  return { heard: () => heard, close: () => stop.abort() };
}

function lines(program: string, args: readonly string[], read: (line: string) => string | undefined): Listener {
  const heard: string[] = [];
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
  createInterface(child.stdout).on("line", (line) => {
    const event = read(line);
    if (event !== undefined) heard.push(event);
  });
  return { heard: () => heard, close: () => void child.kill() };
}
