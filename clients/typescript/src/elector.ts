import { ElectorError } from "./errors.js";
import { requestLeader } from "./request.js";
import { Leadership } from "./leadership.js";
import type { Leader } from "./leader.js";
import { Outages } from "./outages.js";
import { SYSTEM, type Platform } from "./platform.js";
import { settingsOf, type ElectorOptions, type Settings } from "./settings.js";
import { watch, type Watched } from "./watch.js";

export interface WatchOptions {
  /** A signal that ends the watch or the wait when it aborts. */
  readonly signal?: AbortSignal;
  /**
   * The name of the election. The name is required if the elector has several elections or if you need the term. Only
   * Doyen's elector supports named elections. Without a name, the client reads `/sse`, which reports a single
   * election. The NAIS elector also supports `/sse`.
   */
  readonly election?: string;
}

export interface LeadingOptions extends WatchOptions {
  /**
   * The time limit for the wait, in milliseconds. The default is no limit. The limit does not end a leadership, but
   * `signal` does.
   */
  readonly timeoutMillis?: number;
}

/** The longest time of a timer. */
const MOST_MILLIS = 2 ** 31 - 1;

/**
 * A client of the elector beside this app. The elector is `doyen elector` or the NAIS elector.
 *
 * An answer contains the state at the time of sending, and can be outdated when it arrives. Therefore a process can
 * still write after it has lost the leadership. To reject late writes, let the resource check the term.
 */
export class Elector {
  private readonly settings: Settings;
  private readonly platform: Platform;
  private readonly outages: Outages;

  /**
   * Creates a client. Throws an `ElectorError` if an option is invalid, or if this app's name or the elector's URL is
   * unknown.
   */
  constructor(options: ElectorOptions = {}, platform: Platform = SYSTEM) {
    this.settings = settingsOf(options);
    this.platform = platform;
    this.outages = new Outages(this.settings.log);
  }

  /** Returns this app's name. */
  get name(): string {
    return this.settings.name;
  }

  /**
   * Returns true if this app leads now. Each call sends a request to the elector and takes at most 0.4 of
   * `believeMillis`. Without a valid answer, the result depends on `whenUnknown`; by default the result is false.
   */
  async isLeader(election?: string): Promise<boolean> {
    const url = this.requestUrl(election);
    try {
      const { isMe } = await this.leader(election);
      this.outages.answered(url);
      return isMe;
    } catch (failure) {
      if (this.settings.whenUnknown === "throw") throw failure;
      this.outages.failed(url, failure);
      return this.settings.whenUnknown === "lead";
    }
  }

  /** Requests the current leader. The promise rejects if no valid answer arrives within 0.4 of `believeMillis`. */
  leader(election?: string): Promise<Leader> {
    return requestLeader(this.platform, this.settings, this.requestUrl(election), this.settings.believeMillis * 0.4);
  }

  /**
   * Yields the current leader and each change.
   *
   * The generator ends when the signal aborts or the caller leaves the loop. If `election` is set, the generator also
   * yields changes that it missed while it was disconnected. A slow consumer receives changes late, so run long work
   * under `leading`.
   */
  async *watch(options: WatchOptions = {}): AsyncGenerator<Leader, void, void> {
    const left = new AbortController();
    const [signal, release] = either(options.signal, left.signal);
    try {
      yield* this.reports(options.election, true, signal);
    } finally {
      left.abort();
      release();
    }
  }

  /**
   * Waits until this app leads.
   *
   * The promise rejects with the signal's reason if the signal aborts first, and with a `TimeoutError` after
   * `timeoutMillis`. It rejects with an `ElectorError` if the elector's answer shows that a retry cannot help. After
   * this app leads, such an answer ends the leadership. The method does not replay missed events, so a past leadership
   * never resolves the promise.
   */
  async leading(options: LeadingOptions = {}): Promise<Leadership> {
    const { timeoutMillis } = options;
    if (timeoutMillis !== undefined && !(timeoutMillis >= 1 && timeoutMillis <= MOST_MILLIS)) {
      throw new ElectorError(`timeoutMillis (${timeoutMillis}) must be from 1 to ${MOST_MILLIS}`);
    }
    const left = new AbortController();
    const [signal, release] = either(options.signal, left.signal);
    const reports = this.reports(options.election, false, signal);
    let isLate = false;
    const expire = (): void => {
      isLate = true;
      left.abort();
    };
    const cancel = timeoutMillis === undefined ? () => {} : this.platform.after(timeoutMillis, expire);
    try {
      for (;;) {
        const { value, done } = await reports.next();
        if (done === true || isLate) break;
        if (!value.isMe) continue;
        const until = async function* (): AsyncGenerator<Leader, void, void> {
          try {
            yield* reports;
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
    } finally {
      cancel();
    }
    release();
    if (isLate) throw new DOMException(`this app did not lead within ${timeoutMillis} ms`, "TimeoutError");
    throw options.signal?.reason;
  }

  private reports(election: string | undefined, replay: boolean, signal: AbortSignal): AsyncGenerator<Leader, void> {
    return watch(this.platform, this.settings, this.watched(election, replay), this.outages, signal);
  }

  private requestUrl(election: string | undefined): URL {
    return election === undefined ? this.settings.url : this.under(election);
  }

  private watched(election: string | undefined, replay: boolean): Watched {
    if (election === undefined)
      return { streamUrl: this.settings.sseUrl, requestUrl: this.settings.url, replay: false };
    return { streamUrl: new URL(`${this.under(election).href}/events`), requestUrl: undefined, replay };
  }

  private under(election: string): URL {
    return new URL(`/v1/elections/${encodeURIComponent(election)}`, this.settings.url);
  }
}

/**
 * Returns a signal that aborts when `outer` or `inner` aborts. The returned function removes the added listener from
 * `outer`.
 */
function either(outer: AbortSignal | undefined, inner: AbortSignal): [AbortSignal, () => void] {
  if (outer === undefined) return [inner, () => {}];
  const both = new AbortController();
  const abort = (): void => both.abort();
  outer.addEventListener("abort", abort);
  inner.addEventListener("abort", abort);
  if (outer.aborted) abort();
  return [both.signal, () => outer.removeEventListener("abort", abort)];
}
