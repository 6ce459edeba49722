import { ask } from "./ask.js";
import { Leadership } from "./leadership.js";
import type { Leader } from "./leader.js";
import { SYSTEM, type Platform } from "./platform.js";
import { settingsOf, type ElectorOptions, type Settings } from "./settings.js";
import { watch, type Watched } from "./watch.js";

export interface WatchOptions {
  /** Ends the watch or the wait when it aborts. */
  readonly signal?: AbortSignal;
  /**
   * The name of the election. It is needed if the elector has several elections or if you need the term. Only Doyen's
   * elector supports it. Without it the client reads `/sse`, which reports one election and which NAIS' elector
   * supports too.
   */
  readonly election?: string;
}

/**
 * Client of the elector beside this app: `doyen elector` or NAIS' elector.
 *
 * An answer was true when the elector sent it, and may be out of date when it arrives. To stop a late leader from doing
 * harm, let the written-to resource check the term.
 */
export class Elector {
  private readonly settings: Settings;
  private readonly platform: Platform;

  /** Throws an `ElectorError` if this app's name or the elector's URL is unknown. */
  constructor(options: ElectorOptions = {}, platform: Platform = SYSTEM) {
    this.settings = settingsOf(options);
    this.platform = platform;
  }

  /** This app's name. */
  get name(): string {
    return this.settings.name;
  }

  /**
   * Whether this app leads now. Each call asks the elector and takes at most 0.4 of `believeMillis`. Without a valid
   * answer the result depends on `whenUnknown`; the default is false.
   */
  async isLeader(election?: string): Promise<boolean> {
    try {
      return (await this.leader(election)).isMe;
    } catch (failure) {
      if (this.settings.whenUnknown === "throw") throw failure;
      return this.settings.whenUnknown === "lead";
    }
  }

  /** Requests the current leader. Rejects if no valid answer comes within 0.4 of `believeMillis`. */
  leader(election?: string): Promise<Leader> {
    const url = election === undefined ? this.settings.url : this.under(election);
    return ask(this.platform, this.settings, url, this.settings.believeMillis * 0.4);
  }

  /**
   * Yields the current leader and each change.
   *
   * Ends when the signal aborts or the caller leaves the loop. If `election` is set, it also yields changes that it
   * missed while it was disconnected. A slow consumer receives changes late, so run work under `leading` instead.
   */
  async *watch(options: WatchOptions = {}): AsyncGenerator<Leader, void, void> {
    const left = new AbortController();
    const [signal, release] = either(options.signal, left.signal);
    try {
      yield* watch(this.platform, this.settings, this.watched(options.election, true), signal);
    } finally {
      left.abort();
      release();
    }
  }

  /**
   * Waits until this app leads.
   *
   * Rejects with the signal's reason if the signal aborts first. Rejects with an `ElectorError` if the elector's answer
   * shows that a retry cannot help. Does not replay missed events, so a past leadership never counts.
   */
  async leading(options: WatchOptions = {}): Promise<Leadership> {
    const left = new AbortController();
    const [signal, release] = either(options.signal, left.signal);
    const news = watch(this.platform, this.settings, this.watched(options.election, false), signal);
    try {
      for (;;) {
        const { value, done } = await news.next();
        if (done === true) break;
        if (!value.isMe) continue;
        const until = async function* (): AsyncGenerator<Leader, void, void> {
          try {
            yield* news;
          } finally {
            left.abort();
            release();
          }
        };
        return new Leadership(value, until(), () => left.abort());
      }
    } catch (failure) {
      release();
      throw failure;
    }
    release();
    throw options.signal?.reason;
  }

  private watched(election: string | undefined, replay: boolean): Watched {
    if (election === undefined) return { streamUrl: this.settings.sseUrl, askUrl: this.settings.url, replay: false };
    return { streamUrl: new URL(`${this.under(election).href}/events`), askUrl: undefined, replay };
  }

  private under(election: string): URL {
    return new URL(`/v1/elections/${encodeURIComponent(election)}`, this.settings.url);
  }
}

/** Returns a signal that aborts with the first of two. The returned function removes the listener from `outer`. */
function either(outer: AbortSignal | undefined, inner: AbortSignal): [AbortSignal, () => void] {
  if (outer === undefined) return [inner, () => {}];
  const both = new AbortController();
  const abort = (): void => both.abort();
  outer.addEventListener("abort", abort);
  inner.addEventListener("abort", abort);
  if (outer.aborted) abort();
  return [both.signal, () => outer.removeEventListener("abort", abort)];
}
