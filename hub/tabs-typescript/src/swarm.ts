import type {
  AnySwarm,
  Leadership,
  Listener,
  LossReason,
  Register,
  SwarmLeader,
  SwarmStatus,
  TabMessage,
} from "./api.js";
import { browser, type Browser } from "./browser.js";
import { driveLease, type LeaseDriver } from "./driver.js";
import { newHook, type Hook } from "./hook.js";
import { newLeadership } from "./leadership.js";
import { within } from "./within.js";

const MAX_NAME = 256;
/** The version, which is part of the names of the record, of the locks and of the channel. */
const PREFIX = "doyen/tabs/1/";

/** The settings of a swarm. Use the same settings in all tabs. */
export interface SwarmOptions {
  /** If false, this tab observes and never leads. The default is true. */
  readonly candidate?: boolean;
  /** The time after which other tabs replace a visible leader that hangs. 1000 to 60000 ms; the default is 5000. */
  readonly ttlMillis?: number;
  /** A tab that has resigned does not campaign for this time. 0 to 3600000 ms; the default is 5000. */
  readonly cooldownMillis?: number;
  /** Receives errors that no returned promise reports. The default is `console.error`. */
  readonly onError?: (error: unknown) => void;
  /** Replaces the functions of the browser. Only tests set this option. */
  readonly browser?: Browser;
}

/**
 * Elects one leader among the tabs and workers of one browser that use the same channel, without a server.
 *
 * At most one of these tabs leads at any instant by its own `isLeader`. Terms rise as long as the browser keeps the
 * site's data. Check `isLeader` before each act. If a server must reject a former leader, send the term to it.
 *
 * The constructor throws on invalid settings. `connect` rejects if the browser does not let the page store data. The
 * machine in `lease.ts` makes all decisions by the rules of docs/spec/browser-lease.md.
 */
export class Swarm implements AnySwarm {
  /** The name of this tab. */
  readonly id: string = crypto.getRandomValues(new Uint32Array(4)).join("-");
  private readonly driver: LeaseDriver;
  private readonly elected: Hook<Leadership>;
  private readonly demoted: Hook<LossReason>;
  private readonly leaderChanged: Hook<SwarmLeader | null>;
  private readonly statusChanged: Hook<SwarmStatus>;
  private readonly work: Hook<Leadership>;
  private readonly message: Hook<TabMessage>;
  private shown: SwarmStatus = "connecting";
  private ready: Promise<void> | undefined;
  /** The last leadership of this tab. At first it is one that has already ended. */
  private held: Leadership;
  private messageTerm = 0;

  constructor(name: string, options: SwarmOptions = {}) {
    const { candidate = true, ttlMillis = 5000, cooldownMillis = 5000, onError: error = console.error } = options;
    within("the length of the channel's name", name.length, 1, MAX_NAME);
    within("ttlMillis", ttlMillis, 1000, 60_000);
    within("cooldownMillis", cooldownMillis, 0, 3_600_000);
    const leadership = (): Leadership | null => this.leadership;
    this.elected = newHook(error, leadership);
    this.work = newHook(error, leadership);
    this.demoted = newHook(error);
    this.leaderChanged = newHook(error);
    this.statusChanged = newHook(error);
    this.message = newHook(error);
    let end: AbortController;
    const settings = { candidate, ttlMillis, cooldownMillis };
    this.driver = driveLease(options.browser ?? browser, PREFIX + name, settings, this.id, {
      error,
      elected: (term, checkpoint) => {
        end = new AbortController();
        this.held = newLeadership(term, checkpoint, end.signal, this.driver, this.deliver);
        this.elected.emit(this.held);
        this.work.emit(this.held);
      },
      demoted: (reason) => {
        end.abort(reason);
        this.demoted.emit(reason);
        return Promise.all([this.demoted.settled(), this.work.settled()]);
      },
      leaderChanged: () => this.leaderChanged.emit(this.leader),
      message: (message) => this.receive(message as TabMessage),
    });
    this.held = newLeadership(0, null, AbortSignal.abort(), this.driver, this.deliver);
  }

  /** Called when this tab is elected. A listener that is added while this tab leads is called at once. */
  get onElection(): Register<Leadership> {
    return this.elected.register;
  }
  set onElection(listener: Listener<Leadership> | null) {
    this.elected.assign(listener);
  }

  /**
   * Called with the reason when a leadership of this tab ends. If the listener returns a promise, the tab releases its
   * lease only after the promise has settled or the deadline has passed. A page that freezes does not wait.
   */
  get onDemotion(): Register<LossReason> {
    return this.demoted.register;
  }
  set onDemotion(listener: Listener<LossReason> | null) {
    this.demoted.assign(listener);
  }

  /** Called when the leader in the view of this tab changes. The argument is the new leader, or null. */
  get onLeaderChanged(): Register<SwarmLeader | null> {
    return this.leaderChanged.register;
  }
  set onLeaderChanged(listener: Listener<SwarmLeader | null> | null) {
    this.leaderChanged.assign(listener);
  }

  /** Called when `status` changes. */
  get onStatusChanged(): Register<SwarmStatus> {
    return this.statusChanged.register;
  }
  set onStatusChanged(listener: Listener<SwarmStatus> | null) {
    this.statusChanged.assign(listener);
  }

  /** True if this tab leads at the time of the call, by the monotonic clock and the wall clock. */
  get isLeader(): boolean {
    return this.held.isLeader;
  }

  /** The milliseconds that this tab may lead without another confirmed write. */
  get remainingMillis(): number {
    return this.held.remainingMillis;
  }

  get leadership(): Leadership | null {
    return this.isLeader ? this.held : null;
  }

  get leader(): SwarmLeader | null {
    const leader = this.driver.leader();
    return leader && { ...leader, self: leader.id === this.id };
  }

  get term(): number | null {
    return this.leader?.term ?? null;
  }

  get status(): SwarmStatus {
    return this.shown;
  }

  /**
   * Takes part in the election. Resolves after a first transaction, and rejects if the browser does not let the page
   * store data. If the signal aborts first, the swarm closes, and `connect` rejects.
   */
  async connect({ signal }: { readonly signal?: AbortSignal } = {}): Promise<void> {
    const aborted = new Promise<never>((_, reject) => {
      const abort = (): void => reject(signal!.reason);
      if (signal?.aborted) abort();
      signal?.addEventListener("abort", abort);
    });
    try {
      await Promise.race([(this.ready ??= this.driver.open()), aborted]);
    } catch (error) {
      if (signal?.aborted) void this.close();
      this.show("failed");
      throw error;
    }
    if (this.shown === "closed") throw new Error("this swarm is closed; create another one");
    this.show("connected");
  }

  /**
   * Runs `work` in each leadership of this tab. The next tab leads only after the returned promise has settled or the
   * deadline has passed. Returns a function that stops this for later leaderships.
   */
  whileLeading(work: (leadership: Leadership) => unknown): () => void {
    return this.work.register(work);
  }

  /** Publishes a message to all tabs as the leader. Rejects if this tab does not lead. */
  publish(name: string, data?: unknown): Promise<void> {
    return this.held.publish(name, data);
  }

  /** Saves state for the next leader. Rejects if this tab does not lead, or if the state is too large. */
  checkpoint(state: unknown): Promise<void> {
    return this.held.save(state);
  }

  /** Publishes a message to all tabs, as any tab may. */
  async send(name: string, data?: unknown): Promise<void> {
    this.deliver(name, data, null);
  }

  /** Adds a listener for messages of all tabs, except those of replaced leaders. */
  subscribe(listener: (message: TabMessage) => void): () => void {
    return this.message.register(listener);
  }

  /** Ends this tab's leadership. The tab does not campaign for `cooldownMillis`. */
  resign(): void {
    this.driver.resign();
  }

  /** Resigns and ends the swarm. A closed swarm cannot connect again. */
  close(): Promise<void> {
    const closed = this.driver.close();
    this.show("closed");
    return closed;
  }

  private readonly deliver = (name: string, data: unknown, term: number | null): void => {
    const message = { name, data, clientId: this.id, term };
    this.driver.post(message);
    this.receive(structuredClone(message));
  };

  private receive(message: TabMessage): void {
    const term = message.term ?? this.messageTerm;
    if (term < this.messageTerm) return;
    this.messageTerm = term;
    this.message.emit(message);
  }

  private show(status: SwarmStatus): void {
    if (this.shown === status || this.shown === "closed") return;
    this.shown = status;
    this.statusChanged.emit(status);
  }
}
