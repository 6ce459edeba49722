import { ask, refused } from "./ask.js";
import { Backoff } from "./backoff.js";
import { ElectorError } from "./errors.js";
import { EventStreamParser, type StreamEvent } from "./event-stream.js";
import { leaderIn, same, UNKNOWN, type Leader } from "./leader.js";
import { pause, TOO_LATE, within, type Platform } from "./platform.js";
import type { Settings } from "./settings.js";

/** What to watch. */
export interface Watched {
  readonly streamUrl: URL;
  /** Asked when a stream without heartbeats is silent; undefined if the stream certainly sends heartbeats. */
  readonly askUrl: URL | undefined;
  /** Whether a new connection asks for missed events. Such events may be out of date. */
  readonly replay: boolean;
}

/**
 * Yields the current leader and then each change, across any number of connections.
 *
 * Ends when the signal aborts. Throws an `ElectorError` if the elector's answer shows that a retry cannot help.
 *
 * A connection that stays silent for 0.6 of `believeMillis` is checked by a request, and closed if no answer comes. So
 * a dead elector is detected before the last answer becomes invalid.
 */
export async function* watch(
  platform: Platform,
  settings: Settings,
  watched: Watched,
  signal: AbortSignal,
): AsyncGenerator<Leader, void, void> {
  const { believeMillis } = settings;
  const patienceMillis = believeMillis * 0.2;
  const backoff = new Backoff();
  let last: Leader | undefined;
  let lastId = "";
  let believedUntil = platform.now();

  function heard(): void {
    believedUntil = platform.now() + believeMillis;
  }

  /** Yields the leader if it differs from the last one. */
  function* told(leader: Leader): Generator<Leader, void, void> {
    if (last !== undefined && same(last, leader)) return;
    last = leader;
    yield leader;
  }

  /** Limits a wait: it ends no later than the validity of the last answer. */
  function patience(millis: number): number {
    return last?.known ? Math.min(millis, believedUntil - platform.now()) : millis;
  }

  function isDoubtful(): boolean {
    return last?.known !== true || platform.now() >= believedUntil;
  }

  function* events(found: readonly StreamEvent[]): Generator<Leader, void, void> {
    for (const event of found) {
      lastId = event.id;
      if (event.type !== "message" && event.type !== "leader") continue;
      const leader = leaderIn(event.data, settings.name);
      backoff.worked();
      yield* told(leader);
    }
  }

  /** Runs one connection until it ends, is given up or throws. */
  async function* connection(url: URL, stop: AbortSignal): AsyncGenerator<Leader, void, void> {
    const headers: Record<string, string> = { Accept: "text/event-stream" };
    if (watched.replay && lastId !== "") headers["Last-Event-ID"] = lastId;
    const response = await within(platform, patience(patienceMillis), platform.fetch(url, { headers, signal: stop }));
    if (response === TOO_LATE) return;
    if (response.status !== 200) throw refused(response.status, url);
    if (!response.headers.get("content-type")?.startsWith("text/event-stream")) {
      throw new ElectorError(`what ${url} answers is no event stream; is it the right address?`);
    }
    const reader = response.body!.getReader();
    const parser = new EventStreamParser(lastId);
    let next = reader.read();
    // Avoids an unhandled rejection while nothing awaits the read. The next `within` still receives the error.
    next.catch(() => {});
    for (;;) {
      const piece = await within(platform, patience(believeMillis * 0.6), next);
      if (piece !== TOO_LATE) {
        if (piece.done) return;
        heard();
        const found = parser.feed(piece.value);
        if (parser.retryMillis !== undefined) backoff.asked(parser.retryMillis);
        yield* events(found);
        next = reader.read();
        next.catch(() => {});
      } else if (watched.askUrl === undefined || parser.comments > 0 || (last?.known && isDoubtful())) {
        return;
      } else {
        const leader = await ask(platform, settings, watched.askUrl, patience(patienceMillis));
        heard();
        yield* told(leader);
      }
    }
  }

  const url = new URL(watched.streamUrl);
  url.searchParams.set("heartbeat", `${Math.max(1, Math.floor(believeMillis / 2_500))}s`);
  while (!signal.aborted) {
    const stop = new AbortController();
    const abort = (): void => stop.abort();
    signal.addEventListener("abort", abort);
    try {
      yield* connection(url, stop.signal);
    } catch (failure) {
      if (signal.aborted) return;
      if (failure instanceof ElectorError) throw failure;
    } finally {
      signal.removeEventListener("abort", abort);
      stop.abort();
    }
    if (signal.aborted) return;
    const comes = platform.now() + backoff.nextMillis(platform.random());
    await pause(platform, patience(comes - platform.now()), signal);
    if (signal.aborted) return;
    if (isDoubtful()) yield* told(UNKNOWN);
    await pause(platform, comes - platform.now(), signal);
  }
}
