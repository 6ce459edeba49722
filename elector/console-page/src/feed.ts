import type { Snapshot } from "./snapshot.js";

/** The state of the connection to the server, as the page displays it. */
export type Line = "open" | "broken" | "key needed";

export interface FeedListener {
  received(snapshot: Snapshot): void;
  line(state: Line): void;
}

const RETRY_MILLIS = 2000;

/**
 * Reads /console/events until the page is closed. After a lost connection, the function reconnects after
 * `RETRY_MILLIS`.
 *
 * The function uses fetch, because an EventSource cannot send a key.
 */
export async function follow(listener: FeedListener, key: () => string | null): Promise<never> {
  for (;;) {
    try {
      const answer = await fetch("events", { headers: authorization(key()), cache: "no-store" });
      if (answer.status === 401) {
        listener.line("key needed");
      } else if (answer.ok && answer.body !== null) {
        listener.line("open");
        const text = answer.body.pipeThrough(new TextDecoderStream());
        await events(text, (data) => listener.received(JSON.parse(data) as Snapshot));
        listener.line("broken");
      } else {
        listener.line("broken");
      }
    } catch {
      listener.line("broken");
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MILLIS));
  }
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
