import { LeadershipLostError } from "./errors.js";
import type { Leader } from "./leader.js";

/**
 * A leadership of this app. It ends when the app stops leading or when its state becomes unknown.
 *
 * Pass `signal` to your work. Send `term` with each write that other leaders must not overwrite, because a write that
 * starts before a loss may arrive after it.
 */
export class Leadership implements AsyncDisposable {
  /**
   * Aborts when the leadership ends, and when this object is disposed of. The reason of a loss is a
   * `LeadershipLostError`.
   */
  readonly signal: AbortSignal;
  /** The fencing token; undefined unless the options name an election, because only `/v1` reports it. */
  readonly term: number | undefined;
  private readonly stop: () => void;
  private readonly ended: Promise<void>;

  /** `news` yields what follows the election that `won` reports. `stop` ends it. */
  constructor(won: Leader, news: AsyncGenerator<Leader, void, void>, stop: () => void) {
    const lost = new AbortController();
    this.signal = lost.signal;
    this.term = won.term;
    this.stop = stop;
    this.ended = follow(won, news).then(
      (why) => lost.abort(new LeadershipLostError(why)),
      (failure: unknown) => lost.abort(failure),
    );
  }

  /** Whether this app still leads, by the last report. True may be out of date; false may mean unknown. */
  get isLeading(): boolean {
    return !this.signal.aborted;
  }

  /** Stops the watch. It does not release the sidecar's lease, so the app may lead again at once. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.stop();
    await this.ended;
  }
}

async function follow(won: Leader, news: AsyncGenerator<Leader, void, void>): Promise<string> {
  for await (const leader of news) {
    if (leader.isMe && leader.term === won.term) continue;
    if (!leader.known) return "the elector was not heard for too long: it is not known who leads";
    if (leader.isMe) return `another term has begun: ${leader.term}`;
    return leader.name === "" ? "nobody leads any more" : `${leader.name} leads`;
  }
  return "the work has ended, or was told to";
}
