import { ask } from "./ask.js";
import { Leadership } from "./leadership.js";
import type { Leader } from "./leader.js";
import { SYSTEM, type Platform } from "./platform.js";
import { settingsOf, type ElectorOptions, type Settings } from "./settings.js";
import { watch, type Watched } from "./watch.js";

export interface WatchOptions {
  /** Ends it. */
  readonly signal?: AbortSignal;
  /**
   * Which election, if the elector has several, or if its terms are wanted. Doyen's electors only; without it `/sse` is
   * read, which speaks for one election, and which NAIS' elector has too.
   */
  readonly election?: string;
}

/**
 * Asks the elector beside this app who leads: `doyen elector`, or NAIS' elector. What it says is a claim that held when
 * it was said; only a term that the written-to resource checks keeps a late leader from doing harm.
 */
export class Elector {
  private readonly settings: Settings;
  private readonly platform: Platform;

  /** Throws an `ElectorError` if it cannot be known who this app is, or where the elector is. */
  constructor(options: ElectorOptions = {}, platform: Platform = SYSTEM) {
    this.settings = settingsOf(options);
    this.platform = platform;
  }

  /** This app's name. */
  get name(): string {
    return this.settings.name;
  }

  /**
   * Whether this app leads just now; asks each time, for 0.4 of `believeMillis` at most. If there is no answer that can
   * be understood, `whenUnknown` says what this does: it is false unless told otherwise.
   */
  async isLeader(election?: string): Promise<boolean> {
    try {
      return (await this.leader(election)).isMe;
    } catch (failure) {
      if (this.settings.whenUnknown === "throw") throw failure;
      return this.settings.whenUnknown === "lead";
    }
  }

  /** Who leads just now. Throws if there is no answer that can be understood. */
  leader(election?: string): Promise<Leader> {
    const url = election === undefined ? this.settings.url : this.under(election);
    return ask(this.platform, this.settings, url, this.settings.believeMillis * 0.4);
  }

  /**
   * Who leads, and each change of it, until the signal aborts or the loop is left. With an election named, changes that
   * were missed while the connection was away are told too. Somebody slow hears late: work belongs under `leading`.
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
   * Waits until this app leads. Rejects with the signal's reason if that aborts before, and with an `ElectorError` if
   * the elector says that this will never be. Nothing is replayed here: a leadership that is over is none.
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

/** A signal that aborts with the first of two, and what takes it off the one that outlives it. */
function either(outer: AbortSignal | undefined, inner: AbortSignal): [AbortSignal, () => void] {
  if (outer === undefined) return [inner, () => {}];
  const both = new AbortController();
  const abort = (): void => both.abort();
  outer.addEventListener("abort", abort);
  inner.addEventListener("abort", abort);
  if (outer.aborted) abort();
  return [both.signal, () => outer.removeEventListener("abort", abort)];
}
