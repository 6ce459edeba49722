import { ElectorError, LeadershipLostError } from "./errors.js";
import type { Leader } from "./leader.js";

/**
 * A leadership of this app. It ends when the app stops leading or when the leader becomes unknown.
 *
 * Pass `signal` to your work. Send `term` with each write to a shared resource, because a write that starts before the
 * loss can arrive after the loss.
 */
export class Leadership implements AsyncDisposable {
  /**
   * A signal that aborts when the leadership ends or this object is disposed of. The reason is always a
   * `LeadershipLostError`. If the elector rejects the watch, the message of the reason is that of the `ElectorError`.
   */
  readonly signal: AbortSignal;
  /**
   * The fencing token. It is undefined if the options contain no election name, because only `/v1`
   * reports the term.
   */
  readonly term: number | undefined;
  private readonly stop: () => void;
  private readonly ended: Promise<void>;

  /**
   * Creates a leadership that starts with the report `won`. `reports` yields all later reports, and
   * `stop` ends `reports`.
   */
  constructor(won: Leader, reports: AsyncGenerator<Leader, void, void>, stop: () => void) {
    const lost = new AbortController();
    this.signal = lost.signal;
    this.term = won.term;
    this.stop = stop;
    this.ended = follow(won, reports).then(
      (why) => lost.abort(new LeadershipLostError(why)),
      (failure: unknown) => lost.abort(new LeadershipLostError(whyFailed(failure))),
    );
  }

  /**
   * Returns true if this app leads according to the last report. The value true can be outdated. The value is also
   * false if the leader is unknown.
   */
  get isLeading(): boolean {
    return !this.signal.aborted;
  }

  /** Stops the watch. The method does not release the sidecar's lease, so the app can lead again at once. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.stop();
    await this.ended;
  }
}

/** Without the watch the leader is unknown. So a failed watch ends the leadership like any other loss. */
function whyFailed(failure: unknown): string {
  return failure instanceof ElectorError ? failure.message : `the watch failed: ${String(failure)}`;
}

async function follow(won: Leader, reports: AsyncGenerator<Leader, void, void>): Promise<string> {
  for await (const leader of reports) {
    if (leader.isMe && leader.term === won.term) continue;
    if (!leader.known) return "the elector did not answer for too long, so the leader is unknown";
    if (leader.isMe) return `another term has begun: ${leader.term}`;
    return leader.name === "" ? "nobody leads any more" : `${leader.name} leads`;
  }
  return "the app stopped watching the elector";
}
