import type { Snapshot } from "./snapshot.js";

/** The state of the connection to the server, as the page displays it. */
export type Line = "open" | "broken" | "key needed";

export interface FeedListener {
  received(snapshot: Snapshot): void;
  line(state: Line): void;
}

const RETRY_MILLIS = 2000;

/** The key and the filter of the viewer, which can change at any time. */
export interface Viewer {
  key(): string | null;
  /** The query of the filter, without a question mark. */
  query(): string;
}

/**
 * The events of the server. After a lost connection, the feed reconnects after `RETRY_MILLIS`.
 *
 * The feed uses fetch, because an EventSource cannot send a key.
 */
export class Feed {
  private current = new AbortController();

  /** Ends the present request, or the wait for the next one, and sends a request with the new key and filter. */
  restart(): void {
    this.current.abort();
  }

  /** Reads /console/events until the page is closed. */
  async follow(listener: FeedListener, viewer: Viewer): Promise<never> {
    for (;;) {
      const { signal } = (this.current = new AbortController());
      const line = (state: Line): void => {
        if (!signal.aborted) listener.line(state);
      };
      try {
        const options = { headers: authorization(viewer.key()), cache: "no-store", signal } as const;
        const answer = await fetch(`events?${viewer.query()}`, options);
        if (answer.status === 401) {
          line("key needed");
        } else if (answer.ok && answer.body !== null) {
          line("open");
          const text = answer.body.pipeThrough(new TextDecoderStream());
          await events(text, (data) => {
            if (!signal.aborted) listener.received(JSON.parse(data) as Snapshot);
          });
          line("broken");
        } else {
          line("broken");
        }
      } catch {
        line("broken");
      }
      await pause(RETRY_MILLIS, signal);
    }
  }
}

/** Waits for this time, or until the signal is aborted. */
function pause(millis: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, millis);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
}

/** Calls `received` with the data of each complete event (WHATWG, server-sent events). Returns when the stream ends. */
export async function events(text: ReadableStream<string>, received: (data: string) => void): Promise<void> {
  const reader = text.getReader();
  let waiting = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    waiting += value;
    for (let end = waiting.indexOf("\n\n"); end >= 0; end = waiting.indexOf("\n\n")) {
      const lines = waiting.slice(0, end).split("\n");
      waiting = waiting.slice(end + 2);
      const data = lines.filter((line) => line.startsWith("data: ")).map((line) => line.slice(6));
      if (data.length > 0) received(data.join("\n"));
    }
  }
}

/** Returns the header that contains the key; an empty object if no key is set. */
export function authorization(key: string | null): Record<string, string> {
  if (key === null) return {};
  // A key of a hub is appId.keyId:secret. A token and the admin key have no colon.
  return { authorization: key.includes(":") ? `Basic ${btoa(key)}` : `Bearer ${btoa(key)}` };
}
