import { refused, requestLeader, tooLate } from "./request.js";
import { Backoff } from "./backoff.js";
import { ElectorError } from "./errors.js";
import { EventStreamParser, type StreamEvent } from "./event-stream.js";
import { leaderIn, same, UNKNOWN, type Leader } from "./leader.js";
import type { Outages } from "./outages.js";
import { pause, TOO_LATE, within, type Platform } from "./platform.js";
import type { Settings } from "./settings.js";

/** The addresses that a watch uses. */
export interface Watched {
  readonly streamUrl: URL;
  /**
   * The address for requests while a stream without heartbeats is silent; undefined if the stream certainly sends
   * heartbeats.
   */
  readonly requestUrl: URL | undefined;
  /** True if a new connection requests missed events. Missed events can be outdated. */
  readonly replay: boolean;
}

/**
 * Yields the current leader and then each change. If a connection ends, the watch opens another one.
 *
 * The generator ends when the signal aborts. It throws an `ElectorError` if the elector's answer shows that a retry
 * cannot help. The watch passes every other failure to `outages`.
 *
 * If a connection with heartbeats is silent for 0.6 of `believeMillis`, the watch closes it. If a connection without
 * heartbeats is silent for this time, the watch sends a request, and closes the connection only if the request fails.
 * Therefore the watch detects a crashed elector before the last answer becomes invalid.
 *
 * If bytes arrive after the last answer has become invalid, the watch ignores them and opens another connection. They
 * may have been in a buffer while this process was suspended.
 */
export async function* watch(
  platform: Platform,
  settings: Settings,
  watched: Watched,
  outages: Outages,
  signal: AbortSignal,
): AsyncGenerator<Leader, void, void> {
  const { believeMillis } = settings;
  const patienceMillis = believeMillis * 0.2;
  const url = new URL(watched.streamUrl);
  url.searchParams.set("heartbeat", `${Math.max(1, Math.floor(believeMillis / 2_500))}s`);
  const backoff = new Backoff();
  let last: Leader | undefined;
  let lastId = "";
  let believedUntil = platform.now();

  function received(at: number): void {
    believedUntil = at + believeMillis;
  }

  /** Yields the leader if it differs from the last yielded leader. */
  function* changed(leader: Leader): Generator<Leader, void, void> {
    if (last !== undefined && same(last, leader)) return;
    last = leader;
    yield leader;
  }

  /** Limits a wait, so that it ends at the latest when the last answer becomes invalid. */
  function patience(millis: number): number {
    return last?.known ? Math.min(millis, believedUntil - platform.now()) : millis;
  }

  function isInvalid(): boolean {
    return platform.now() >= believedUntil;
  }

  function isDoubtful(): boolean {
    return last?.known !== true || isInvalid();
  }

  function* events(found: readonly StreamEvent[]): Generator<Leader, void, void> {
    for (const event of found) {
      lastId = event.id;
      if (event.type !== "message" && event.type !== "leader") continue;
      const leader = leaderIn(event.data, settings.name);
      backoff.worked();
      outages.answered(url);
      yield* changed(leader);
    }
  }

  /** Runs one connection. Returns if a new connection must replace it, and throws if it has failed. */
  async function* connection(stop: AbortSignal): AsyncGenerator<Leader, void, void> {
    // An unknown leader has no time limit, so the limit for the bytes starts with the connection.
    if (last?.known !== true) received(platform.now());
    const headers: Record<string, string> = { Accept: "text/event-stream" };
    if (watched.replay && lastId !== "") headers["Last-Event-ID"] = lastId;
    const limit = patience(patienceMillis);
    const response = await within(platform, limit, platform.fetch(url, { headers, signal: stop }));
    if (response === TOO_LATE) throw tooLate(url, limit);
    if (response.status !== 200) throw refused(response.status, url);
    if (!response.headers.get("content-type")?.startsWith("text/event-stream")) {
      throw new ElectorError(`the response of ${url} is not an event stream; check the address`);
    }
    const reader = response.body!.getReader();
    const parser = new EventStreamParser(lastId);
    let next = reader.read();
    // This handler prevents an unhandled rejection while nothing awaits the read. The next call of `within`
    // still receives the error.
    next.catch(() => {});
    for (;;) {
      const piece = await within(platform, patience(believeMillis * 0.6), next);
      if (piece !== TOO_LATE) {
        if (isInvalid()) return;
        if (piece.done) throw new Error(`the elector at ${url} ended the stream`);
        received(platform.now());
        const found = parser.feed(piece.value);
        if (parser.retryMillis !== undefined) backoff.retry(parser.retryMillis);
        yield* events(found);
        next = reader.read();
        next.catch(() => {});
      } else if (watched.requestUrl === undefined || parser.comments > 0 || isInvalid()) {
        throw new Error(`the elector at ${url} sent nothing for too long`);
      } else {
        const sentAt = platform.now();
        const leader = await requestLeader(platform, settings, watched.requestUrl, patience(patienceMillis));
        received(sentAt);
        yield* changed(leader);
      }
    }
  }

  while (!signal.aborted) {
    const stop = new AbortController();
    const abort = (): void => stop.abort();
    signal.addEventListener("abort", abort);
    try {
      yield* connection(stop.signal);
    } catch (failure) {
      if (signal.aborted) return;
      if (failure instanceof ElectorError) throw failure;
      outages.failed(url, failure);
    } finally {
      signal.removeEventListener("abort", abort);
      stop.abort();
    }
    if (signal.aborted) return;
    const comes = platform.now() + backoff.nextMillis(platform.random());
    await pause(platform, patience(comes - platform.now()), signal);
    if (signal.aborted) return;
    if (isDoubtful()) yield* changed(UNKNOWN);
    await pause(platform, comes - platform.now(), signal);
  }
}
