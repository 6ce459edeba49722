import { LeadershipLostError } from "./errors.js";
import type { Leader } from "./leader.js";

/**
 * That this app leads, until it does not, or until that is not known any more. Work under it by its `signal`; for what
 * others must not overwrite, send the `term` along: what was begun before a loss may arrive after it.
 */
export class Leadership implements AsyncDisposable {
  /** Aborts when this app does not lead any more, with a `LeadershipLostError` as its reason, and when this is disposed of. */
  readonly signal: AbortSignal;
  /** The fencing token; undefined unless an election is named, for it is told under `/v1` only. */
  readonly term: number | undefined;
  private readonly stop: () => void;
  private readonly ended: Promise<void>;

  /** `news` goes on behind what made this app the leader; `stop` ends it. */
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

  /** Whether this app still leads, as far as is known. True is a claim that held when it was read; false is only doubt. */
  get isLeading(): boolean {
    return !this.signal.aborted;
  }

  /** Stops listening. It gives nothing back: the sidecar's lease goes on, and the app may lead again at once. */
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
