import type { Platform } from "../../src/platform.js";

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/** One request of the client. The test calls the methods of this object to answer the request. */
export class FakeRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  private readonly resolve: (response: Response) => void;
  private readonly reject: (failure: unknown) => void;
  private body: ReadableStreamDefaultController<Uint8Array> | undefined;

  constructor(
    url: URL,
    init: { headers: Record<string, string>; signal: AbortSignal },
    resolve: (response: Response) => void,
    reject: (failure: unknown) => void,
  ) {
    this.url = url;
    this.headers = init.headers;
    this.signal = init.signal;
    this.resolve = resolve;
    this.reject = reject;
    init.signal.addEventListener("abort", () => {
      reject(init.signal.reason);
      this.body?.error(init.signal.reason);
      this.body = undefined;
    });
  }

  /** Answers with a stream and sends `text` as the first piece of the stream. */
  opens(text = "", type = "text/event-stream; charset=utf-8", status = 200): this {
    const stream = new ReadableStream<Uint8Array>({ start: (controller) => void (this.body = controller) });
    this.resolve(new Response(stream, { status, headers: { "Content-Type": type } }));
    if (text !== "") this.sends(text);
    return this;
  }

  sends(text: string): void {
    if (this.body === undefined) throw new Error(`the answer of ${this.url} has ended`);
    this.body.enqueue(new TextEncoder().encode(text));
  }

  ends(): void {
    this.body?.close();
    this.body = undefined;
  }

  answers(text: string, status = 200): void {
    this.resolve(new Response(text, { status }));
  }

  fails(): void {
    this.reject(new TypeError("fetch failed"));
  }
}

/** A fake elector with a clock, which the test controls completely. */
export class FakeElector implements Platform {
  readonly requests: FakeRequest[] = [];
  chance = 1;
  private time = 1_000;
  private readonly timers = new Set<Timer>();

  fetch(url: URL, init: { headers: Record<string, string>; signal: AbortSignal }): Promise<Response> {
    return new Promise((resolve, reject) => void this.requests.push(new FakeRequest(url, init, resolve, reject)));
  }

  now(): number {
    return this.time;
  }

  after(millis: number, callback: () => void): () => void {
    const timer = { at: this.time + millis, callback };
    this.timers.add(timer);
    return () => void this.timers.delete(timer);
  }

  random(): number {
    return this.chance;
  }

  get timersLeft(): number {
    return this.timers.size;
  }

  /** Returns the latest request of the client. */
  get latest(): FakeRequest {
    const found = this.requests.at(-1);
    if (found === undefined) throw new Error("the client sent no request");
    return found;
  }

  /** Advances the time until a request is pending, and returns this request. */
  async waiting(): Promise<FakeRequest> {
    for (let each = 0; each < 200; each++) {
      if (!this.latest.signal.aborted) return this.latest;
      await this.passes(100);
    }
    throw new Error("the client sent no request for 20 s");
  }

  /** Advances the time by `millis` and runs no timer, as if this process were suspended. */
  suspended(millis: number): void {
    this.time += millis;
  }

  /** Advances the time by `millis` and runs all timers and pending work that are due by then. */
  async passes(millis = 0): Promise<void> {
    const until = this.time + millis;
    for (;;) {
      // Wait for several turns of the event loop, because a stream needs several turns to deliver its
      // data.
      for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve));
      const next = [...this.timers].sort((one, other) => one.at - other.at)[0];
      if (next === undefined || next.at > until) break;
      this.time = next.at;
      this.timers.delete(next);
      next.callback();
    }
    this.time = until;
  }
}

/** Returns an event of `/sse`. */
export function plain(name: string): string {
  return `data: {"name":"${name}","last_update":"2026-11-22T10:00:00Z"}\n\n`;
}

/** Returns an event of `/v1/elections/app/events`. */
export function event(number: number, id: string, term: number): string {
  const leader = id === "" ? "null" : `{"id":"${id}","term":${term}}`;
  return `id: x-${number}\nevent: leader\ndata: {"name":"app","leader":${leader},"lastTerm":${term}}\n\n`;
}
