import type { AnySwarm, Leadership, SwarmLeader, SwarmMessage } from "./api.js";
import { within } from "./within.js";

/** The maximum number of calls that wait for an answer in one tab. */
export const MAX_CALLS = 100;
/** The maximum number of members whose calls a leader accepts in one term. */
export const MAX_CALLERS = 1000;
const MAX_METHOD = 256;
const CALL_MILLIS = 5000;
/** The names of the messages. */
const CALL = "doyen:call";
const ANSWER = "doyen:answer";

/** A call that a member sent to this leader. */
export interface CallRequest {
  readonly method: string;
  readonly args: unknown;
}

export type RequestHandler = (request: CallRequest) => unknown;

export interface CallOptions {
  /** The time after which the call rejects, in milliseconds. The default is 5000. */
  readonly timeoutMillis?: number;
}

/** Thrown if the leader did not answer a call. The leader may have carried out the call. */
export class UnansweredError extends Error {
  override readonly name = "UnansweredError";
}

/** A request is for one leader in one term, so at most one leader carries it out (B10). */
interface Request extends CallRequest {
  readonly to: string;
  readonly term: number;
  /** The name of the `Calls` object that sent the request. */
  readonly from: string;
  /** The number of the request. Each `Calls` object counts its own requests. */
  readonly n: number;
}

interface Answer {
  readonly to: string;
  readonly n: number;
  /** True if the leader's term ended before it received the request, so it did not carry out the call. */
  readonly refused?: boolean;
  readonly error?: { readonly name: string; readonly message: string };
  readonly result?: unknown;
}

interface Waiting {
  readonly method: string;
  readonly args: unknown;
  /** The number of the last request of this call. */
  n: number;
  /** The leader that the last request is for. Null if the call certainly did not run. */
  sent: SwarmLeader | null;
  settle(error: unknown, result?: unknown): void;
}

/**
 * Sends calls to the leader of a swarm, and carries out the calls of the other members while this member leads.
 *
 * Create one object for each swarm. The swarm can be of this package or of `@doyen/swarm`. On a hub, the answers are
 * fenced, and all members of the channel receive the requests and the answers.
 */
export class Calls {
  /** The function that answers the calls of all members while this member leads. */
  onRequest: RequestHandler | null = null;
  private readonly id = crypto.getRandomValues(new Uint32Array(4)).join("-");
  private readonly swarm: AnySwarm;
  private readonly waiting = new Set<Waiting>();
  private readonly stop: (() => void)[];
  private count = 0;
  /** The last term in which this member led. */
  private led = 0;
  /** The number of the last request of each caller in the term `led`. */
  private readonly served = new Map<string, number>();
  /** Requests for a term in which this member does not lead yet. */
  private early: Request[] = [];

  constructor(swarm: AnySwarm) {
    this.swarm = swarm;
    this.stop = [
      swarm.subscribe((message) => this.receive(message)),
      swarm.onElection(({ term }) => this.elected(term)),
      swarm.onLeaderChanged(() => this.leaderChanged()),
      swarm.onStatusChanged((status) => status === "closed" && this.close()),
    ];
  }

  /**
   * Calls a method of the leader, whose `onRequest` answers. The call runs at most once, also if the leader changes.
   * Rejects with `UnansweredError` if it is unknown whether the call ran. Waits for a leader if no member leads.
   */
  async call(method: string, args?: unknown, { timeoutMillis = CALL_MILLIS }: CallOptions = {}): Promise<unknown> {
    within("the length of the method's name", method.length, 1, MAX_METHOD);
    within("timeoutMillis", timeoutMillis, 1, 2 ** 31 - 1);
    const { waiting } = this;
    if (waiting.size >= MAX_CALLS) {
      throw new Error(`${MAX_CALLS} calls wait for an answer, which is the limit; await a call before the next one`);
    }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        const why = `no member led within ${timeoutMillis} ms, so the call "${method}" did not run`;
        call.settle(call.sent ? unanswered(call, `did not answer within ${timeoutMillis} ms`) : new Error(why));
      }, timeoutMillis);
      const call: Waiting = {
        method,
        args,
        n: 0,
        sent: null,
        settle(error, result) {
          waiting.delete(call);
          clearTimeout(timer);
          if (error) reject(error);
          else resolve(result);
        },
      };
      waiting.add(call);
      this.send(call);
    });
  }

  /** Rejects all calls that wait for an answer, and answers no more calls. */
  close(): void {
    for (const stop of this.stop) stop();
    for (const call of [...this.waiting]) {
      call.settle(call.sent ? unanswered(call, "had not answered before close") : new Error("this swarm was closed"));
    }
  }

  private send(call: Waiting): void {
    const { leader } = this.swarm;
    if (!leader) return;
    call.sent = leader;
    call.n = ++this.count;
    const { method, args, n } = call;
    const request: Request = { to: leader.id, term: leader.term, from: this.id, n, method, args };
    this.swarm.send(CALL, request).catch((error) => call.settle(unanswered(call, `was not reached (${error})`)));
  }

  /** Sends waiting calls to the new leader, and rejects the calls of a former leader. */
  private leaderChanged(): void {
    const { leader } = this.swarm;
    for (const call of [...this.waiting]) {
      if (!call.sent) this.send(call);
      else if (call.sent.term !== leader?.term) call.settle(unanswered(call, "stopped leading before its answer"));
    }
  }

  private elected(term: number): void {
    const { early } = this;
    this.led = term;
    this.served.clear();
    this.early = [];
    for (const request of early) this.requested(request);
  }

  private receive({ name, data }: SwarmMessage): void {
    if (name === CALL) this.requested(data as Request);
    else if (name === ANSWER) this.answered(data as Answer);
  }

  private answered({ to, n, refused, error, result }: Answer): void {
    if (to !== this.id) return;
    const call = [...this.waiting].find((each) => each.n === n);
    if (!call) return;
    if (refused) {
      // The call certainly did not run, so it is safe to send it to the next leader.
      const { term } = call.sent!;
      call.sent = null;
      if (this.swarm.leader?.term !== term) this.send(call);
    } else call.settle(error && Object.assign(new Error(error.message), { name: error.name }), result);
  }

  private requested(request: Request): void {
    const { led, served, swarm } = this;
    const { to, term, from, n } = request;
    if (to !== swarm.id || term < led) return;
    if (term > led) {
      // Another member can learn of an election before the leader itself.
      if (this.early.length < MAX_CALLS) this.early.push(request);
      return;
    }
    // A hub repeats earlier messages when a member attaches to its channel.
    if (n <= (served.get(from) ?? 0)) return;
    const { leadership } = swarm;
    if (leadership?.term !== term) {
      swarm.send(ANSWER, { to: from, n, refused: true } satisfies Answer).catch(() => {});
      return;
    }
    if (served.has(from) || served.size < MAX_CALLERS) {
      served.set(from, n);
      void this.serve(request, leadership);
    } else {
      const message = `${MAX_CALLERS} members have called this leader in its term, which is the limit`;
      void this.answer(request, leadership, { error: { name: "Error", message } });
    }
  }

  private async serve(request: Request, leadership: Leadership): Promise<void> {
    const { method, args } = request;
    try {
      if (!this.onRequest) throw new Error(`the leader has no handler for the call "${method}"; set onRequest`);
      const result = await this.onRequest({ method, args });
      await this.answer(request, leadership, { result });
    } catch (error) {
      const { name = "Error", message = String(error) } = (error ?? {}) as Error;
      await this.answer(request, leadership, { error: { name, message } });
    }
  }

  /** Publishes the answer in the term of the request. If the term has ended, the caller rejects the call by itself. */
  private async answer(request: Request, leadership: Leadership, part: Partial<Answer>): Promise<void> {
    await leadership.publish(ANSWER, { to: request.from, n: request.n, ...part }).catch(() => {});
  }
}

function unanswered({ method }: Waiting, why: string): UnansweredError {
  return new UnansweredError(`the leader ${why}, so it is unknown whether the call "${method}" ran`);
}
