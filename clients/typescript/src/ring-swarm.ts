import { Realtime, type InboundMessage, type PresenceMessage } from "ably";
import type { SwarmLeader, SwarmStatus } from "./any-swarm.js";
import { settledWithin, systemClock, type Clock } from "./clock.js";
import { Hook, type Listener, type Register } from "./hook.js";
import { RingLeadership } from "./ring-leadership.js";
import { ownConnection, randomId } from "./options.js";
import { watchPage } from "./page.js";
import type { Moment } from "./ranking.js";
import type { RealtimeChannel, RealtimeClient } from "./realtime.js";
import { MalformedMessageError, readMessage, writeMessage, type RingTerm } from "./ring-message.js";
import { cooldownOf, ringSettings, type RingOptions } from "./ring-options.js";
import { sameMember, type RingMember } from "./ring-view.js";
import {
  announcement,
  letterTo,
  MEMBER_MESSAGE,
  presenceData,
  readEntry,
  readLetter,
  type Letter,
} from "./ring-words.js";
import {
  initialRing,
  ringLeader,
  ringRemainingMillis,
  type Obstacle,
  type RingEffect,
  type RingInput,
  type RingLoss,
  type RingState,
} from "./ring-state.js";
import { stepRing } from "./ring.js";
import { initialRoll, stepRoll, type RollInput, type RollState } from "./roll-call.js";

export type { SwarmLeader, SwarmStatus } from "./any-swarm.js";
export type { Clock } from "./clock.js";
export type { Listener, Register } from "./hook.js";
export type { RealtimeChannel, RealtimeClient } from "./realtime.js";
export { RingLeadership } from "./ring-leadership.js";
export type { RingBehaviour, RingOptions } from "./ring-options.js";
export type { RingAlgorithm, RingLoss } from "./ring-state.js";

/** One member of a ring, as this one sees it. */
export interface RingPeer {
  readonly id: string;
  /** New with each start: tells two members of one id apart. */
  readonly incarnation: string;
  readonly leader: boolean;
  readonly self: boolean;
}

type Send = Extract<RingEffect, { type: "send" }>;

/** How often a member says something, at the least; who is silent for four times as long is left out. */
const SAY_MILLIS = 1000;
const OBSTACLES: Record<Obstacle, string> = {
  not_there: "the view has no other member of this id",
  another_elected: "another member was elected",
  no_answer: "it has done nothing in time, and the members elect",
};

/** So many messages wait for a leader's work to stop; then the oldest is lost. */
const MAX_UNSENT = 256;
/** Members whose faults are told once each; of others nothing is. */
const MAX_BLAMED = 100;

/**
 * A member of a ring on a channel of any hub that speaks Ably's protocol: the members elect one of them by messages that
 * go round, and the hub decides nothing. Processes with `ChannelMembership` in Java are members of the same ring.
 *
 * This is AP mode: if the hub falls apart, or messages do not pass, each side may have a leader until it has healed. The
 * term rises with each leader that a member sees, and is no fence across sides. If at most one leader is what you need,
 * use `Swarm`, where the hub grants the claim.
 *
 * A client is one member of a channel: two rings on one channel need two clients. Whoever may enter the channel's presence
 * and publish there may take part, and disturb.
 *
 * Listeners: assign one (`ring.onElection = f`) or call with any number (`ring.onElection(f)`); the call returns what
 * removes it. What a listener throws goes to `onError`.
 *
 * Errors: the constructor throws on impossible settings, `connect` rejects if the channel cannot be attached or entered.
 *
 * Source: docs/spec/ring.md. This class is the driver of the machines in `ring.ts` and `roll-call.ts`: it decides nothing.
 * It is longer than most because what comes in and what goes out share one state.
 */
export class RingSwarm {
  readonly id: string;
  private readonly me: RingMember;
  private readonly topic: string;
  private readonly client: RealtimeClient;
  private readonly ownsClient: boolean;
  private readonly channel: RealtimeChannel;
  private readonly clock: Clock;
  private readonly cooldownMillis: number;
  private readonly onError: (error: unknown) => void;
  private readonly hooks;

  private ring: RingState;
  private roll: RollState;
  private readonly tasks: (() => void)[] = [];
  private busy = false;
  private ringWakeAt: number | null = null;
  private rollWakeAt: number | null = null;
  private cancelWake = (): void => {};
  private syncs = 0;
  private entering: Promise<void> | null = null;
  private closing = false;
  private closed = false;
  private greeted = false;
  private shownStatus: SwarmStatus = "connecting";
  private shownMembers = "";
  private held: RingLeadership | null = null;
  /** What runs under the leadership: promises that its listeners returned, and that have not settled. */
  private readonly work = new Set<Promise<unknown>>();
  /** The work of a term that is over goes on; until it has stopped, no other is told to have begun. */
  private stopping = false;
  /** Whether the machine was told to stand back, since that takes so long. */
  private benched = false;
  private cancelPatience = (): void => {};
  /** What is sent once that work has stopped (R9), or the leadership would be over by itself; null if nothing waits. */
  private unsent: Send[] | null = null;
  private sentOn: Promise<void> = Promise.resolve();
  /** Whether it would lead, as far as its page and its user are asked. */
  private willing = true;
  private readonly blamed = new Set<string>();
  private unwatch: (() => void) | null = null;

  constructor(channelName: string, options: RingOptions) {
    this.onError = options.onError ?? ((error) => console.error(error));
    this.clock = options.clock ?? systemClock;
    this.cooldownMillis = cooldownOf(options);
    this.topic = `ring/${options.election ?? channelName}`;
    const settings = ringSettings(options);
    this.ownsClient = options.client === undefined;
    this.client = options.client ?? (new Realtime(ownConnection(options)) as RealtimeClient);
    this.id = this.client.auth.clientId;
    if (typeof this.id !== "string" || this.id === "" || this.id === "*") {
      throw new TypeError(`the client's clientId is ${JSON.stringify(this.id)}: a member needs one of its own`);
    }
    this.me = { id: this.id, incarnation: randomId() };
    this.channel = this.client.channels.get(channelName);
    this.ring = initialRing(settings, this.me);
    this.roll = initialRoll(this.me, SAY_MILLIS);
    this.hooks = {
      election: new Hook<RingLeadership>(this.onError, (listener) => this.greetLate(listener)),
      demotion: new Hook<RingLoss>(this.onError),
      leader: new Hook<SwarmLeader | null>(this.onError),
      members: new Hook<RingPeer[]>(this.onError),
      status: new Hook<SwarmStatus>(this.onError),
    };
  }

  /**
   * Called when this member is elected. If it returns a promise, that is the work of the term: it is to end when
   * `leadership.signal` aborts, and until it has settled this member is not elected again.
   */
  get onElection(): Register<RingLeadership> {
    return this.hooks.election.register;
  }
  set onElection(listener: Listener<RingLeadership>) {
    this.hooks.election.assign(listener);
  }

  /**
   * Called when a leadership ends. If it returns a promise, or what `onElection` returned has not settled, nobody is let in
   * before that settles, or before the leadership would have ended by itself.
   */
  get onDemotion(): Register<RingLoss> {
    return this.hooks.demotion.register;
  }
  set onDemotion(listener: Listener<RingLoss>) {
    this.hooks.demotion.assign(listener);
  }

  /** Called with the new leader, or null, whenever this member knows of another one. */
  get onLeaderChanged(): Register<SwarmLeader | null> {
    return this.hooks.leader.register;
  }
  set onLeaderChanged(listener: Listener<SwarmLeader | null>) {
    this.hooks.leader.assign(listener);
  }

  /** Called with all members whenever another view is installed. */
  get onMembersChanged(): Register<RingPeer[]> {
    return this.hooks.members.register;
  }
  set onMembersChanged(listener: Listener<RingPeer[]>) {
    this.hooks.members.assign(listener);
  }

  /** Called whenever `status` changed. */
  get onStatusChanged(): Register<SwarmStatus> {
    return this.hooks.status.register;
  }
  set onStatusChanged(listener: Listener<SwarmStatus>) {
    this.hooks.status.assign(listener);
  }

  /** Whether this member leads now, by both clocks at the time of the call. True is a claim, false only doubt. */
  get isLeader(): boolean {
    return this.remainingMillis > 0;
  }

  /** For how long this member may count on leading if it hears nothing more, in milliseconds; 0 if it does not lead. */
  get remainingMillis(): number {
    return this.held?.remainingMillis ?? 0;
  }

  /** The term that this member leads in, as an object to act with; null if it does not lead. */
  get leadership(): RingLeadership | null {
    return this.isLeader ? this.held : null;
  }

  /** The leader as this member knows it, or null. */
  get leader(): SwarmLeader | null {
    return this.describe(ringLeader(this.ring));
  }

  /** The term of that leader, or null. */
  get term(): number | null {
    return this.leader?.term ?? null;
  }

  /** The members of the view that is installed, in the order of the ring. */
  get members(): RingPeer[] {
    const leader = ringLeader(this.ring)?.creator;
    return (this.ring.seat?.view.members ?? []).map((member) => ({
      ...member,
      leader: leader !== undefined && sameMember(member, leader),
      self: sameMember(member, this.me),
    }));
  }

  /** *connected*: in the view of the members that the hub shows. The others as for `Swarm`. */
  get status(): SwarmStatus {
    if (this.closed) return "closed";
    if (this.client.connection.state === "failed" || this.channel.state === "failed") return "failed";
    if (this.roll.connected && this.roll.synced && this.ring.seat !== null) return "connected";
    return this.greeted ? "disconnected" : "connecting";
  }

  /** Takes part from then on. Resolves when the channel is attached and entered, rejects if the hub refuses. */
  async connect(): Promise<void> {
    if (this.unwatch !== null) return;
    this.unwatch = this.watch();
    this.client.connect();
    if (this.channel.state === "attached") this.attached();
    await this.channel.attach();
    await this.entering;
  }

  /** Gives the leadership up, and does not stand again for `cooldownMillis`. */
  resign(): void {
    if (this.ring.reign !== null) this.decide({ type: "resign", cooldownMillis: this.cooldownMillis });
  }

  /**
   * Hands over to the member of this id: stops, and then that one opens a round with a key that beats all others. This one does
   * not stand again for `cooldownMillis`. If nothing comes of it the members elect as ever, and `onError` is told why.
   *
   * Errors: throws if this member does not lead.
   */
  transferTo(id: string): void {
    if (!this.isLeader) {
      const leader = this.leader?.id;
      throw new Error(`this member does not lead; ask ${leader === undefined ? "again when one does" : `"${leader}"`}`);
    }
    this.decide({ type: "handOver", heir: id, cooldownMillis: this.cooldownMillis });
  }

  /** Gives up, leaves the channel, and closes the connection if it made it. It cannot be connected again. */
  async close(): Promise<void> {
    if (this.closing) return;
    this.closing = true;
    this.standBack("closed");
    // Until the work has stopped, messages pass on through here; but for no longer than it could have led.
    await this.sentOn;
    this.closed = true;
    this.decide({ type: "leave" });
    this.cancelWake();
    this.cancelPatience();
    // Not being able to leave is no news: the connection is gone, and the hub will notice.
    if (this.entering !== null) await this.channel.presence.leave().catch(() => {});
    this.unwatch?.();
    if (this.ownsClient) this.client.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  // -- what happens outside becomes input

  private watch(): () => void {
    const { connection } = this.client;
    const onConnection = ({ current }: { current: string }) =>
      this.count({ type: current === "connected" ? "connected" : "disconnected" });
    const onChannel = ({ current, resumed }: { current: string; resumed: boolean }) => {
      if (current !== "attached") this.count({ type: "syncStarted" });
      else if (!resumed || !this.roll.synced) this.attached();
    };
    const onMember = (message: PresenceMessage) => this.heardOfMember(message);
    const onMessage = (message: InboundMessage) => this.heard(message);
    connection.on(onConnection);
    this.channel.on(onChannel);
    // These two attach by themselves, or reject for a reason that `connect` reports as well.
    this.channel.presence.subscribe(onMember).catch(() => {});
    this.channel.subscribe(onMessage).catch(() => {});
    const unwatchPage = watchPage({
      frozen: () => this.depart("suspended"),
      thawed: () => this.thaw(),
      gone: () => {
        this.depart("closed");
        void this.close();
      },
    });
    return () => {
      connection.off(onConnection);
      this.channel.off(onChannel);
      this.channel.presence.unsubscribe(onMember);
      this.channel.unsubscribe(onMessage);
      unwatchPage();
    };
  }

  private attached(): void {
    this.greeted = true;
    this.enter();
    this.count({ type: "connected" });
    this.count({ type: "syncStarted" });
    const sync = ++this.syncs;
    this.channel.presence.get().then((messages) => {
      if (sync === this.syncs) this.count({ type: "syncComplete", entries: messages.map(readEntry) });
    }, this.onError);
  }

  private heardOfMember(message: PresenceMessage): void {
    const entry = readEntry(message);
    if (message.action !== "leave") return this.count({ type: "present", entry });
    // The SDK makes one without an id if a sync shows that somebody is missing, with the time of this machine.
    const hubs = typeof message.id === "string" && message.id !== "";
    this.count({ type: "gone", key: entry.key, since: hubs ? entry.since : 0 });
  }

  private heard(message: InboundMessage): void {
    const letter = readLetter(message);
    if (letter === null) return;
    // First the view, which may be the one that the message is of.
    this.count({ type: "heard", from: letter.from, view: letter.view, silent: letter.silent });
    if (letter.to === this.me.incarnation && letter.topic === this.topic) this.open(letter);
    // A browser slows the timers of a page that is hidden, but not what it hears.
    if (this.dueAt() <= this.clock.monotonicMillis()) this.wake();
  }

  private open({ from, bytes }: Letter): void {
    try {
      this.decide({ type: "received", from, message: readMessage(bytes) });
    } catch (error) {
      if (!(error instanceof MalformedMessageError)) throw error;
      this.onError(new Error(`from ${from.id} came what is no message of the ring: ${error.message}`));
    }
  }

  /** A page that will stand still would keep the ring from closing. It leaves at once, for its work stands still as well. */
  private depart(cause: RingLoss): void {
    this.standBack(cause);
    if (this.entering !== null) this.channel.presence.leave().catch(() => {});
    this.entering = null;
  }

  private thaw(): void {
    if (this.closing) return;
    this.willing = true;
    if (!this.benched) this.decide({ type: "stand" });
    this.enter();
  }

  private standBack(cause: RingLoss): void {
    this.willing = false;
    this.decide({ type: "standBack", cause });
  }

  /** Once: after another connection the SDK enters again by itself, with the same data. */
  private enter(): void {
    if (this.entering !== null || this.closing || this.channel.state !== "attached") return;
    this.entering = this.channel.presence.enter(presenceData(this.me));
    this.entering.catch(this.onError);
  }

  // -- the loop: one input at a time, one reading of the clocks each

  private count(input: RollInput): void {
    this.run(() => {
      const { state, effects, wakeAt } = stepRoll(this.roll, this.clock.monotonicMillis(), input);
      this.roll = state;
      this.rollWakeAt = wakeAt;
      for (const effect of effects) {
        if (effect.type === "install") this.decide({ type: "installed", view: effect.view });
        else this.publish(announcement(this.me, effect.view, effect.silent));
      }
    });
  }

  private decide(input: RingInput): void {
    this.run(() => {
      const at = this.moment();
      const spareMillis = ringRemainingMillis(this.ring, at);
      const { state, effects, wakeAt } = stepRing(this.ring, at, input);
      this.ring = state;
      this.ringWakeAt = wakeAt;
      for (const effect of effects) this.carryOut(effect, spareMillis);
    });
  }

  private run(task: () => void): void {
    this.tasks.push(task);
    if (this.busy) return;
    this.busy = true;
    try {
      for (let next = this.tasks.shift(); next !== undefined; next = this.tasks.shift()) next();
    } finally {
      this.busy = false;
    }
    this.show();
    this.wakeLater();
  }

  private wakeLater(): void {
    this.cancelWake();
    const at = this.dueAt();
    if (this.closed || at === Infinity) return;
    const wait = Math.max(0, Math.ceil(at - this.clock.monotonicMillis()));
    this.cancelWake = this.clock.after(wait, () => this.wake());
  }

  private dueAt(): number {
    return Math.min(this.ringWakeAt ?? Infinity, this.rollWakeAt ?? Infinity);
  }

  private wake(): void {
    const now = this.clock.monotonicMillis();
    if ((this.rollWakeAt ?? Infinity) <= now) this.count({ type: "tick" });
    this.decide({ type: "woken" });
  }

  private show(): void {
    const { status } = this;
    if (status !== this.shownStatus) {
      this.shownStatus = status;
      this.hooks.status.emit(status);
    }
    const members = this.members.map(({ incarnation }) => incarnation).join();
    if (members === this.shownMembers) return;
    this.shownMembers = members;
    this.hooks.members.emit(this.members);
  }

  private carryOut(effect: RingEffect, spareMillis: number): void {
    switch (effect.type) {
      case "send":
        if (this.unsent === null) return this.send(effect);
        // Who was to hear it hears it again, or is lost to it: R5 and R7 are for that.
        if (this.unsent.length === MAX_UNSENT) this.unsent.shift();
        this.unsent.push(effect);
        return;
      case "lead":
        return this.lead(effect.term);
      case "stepDown":
        return this.stopWork(effect.term, effect.cause, spareMillis);
      case "leader":
        this.hooks.leader.emit(this.describe(effect.term));
        return;
      case "handOverFailed":
        return this.onError(new Error(`"${effect.heir}" does not follow as it was to: ${OBSTACLES[effect.why]}`));
      case "dropped":
        if (effect.why === "other_algorithm") this.blame(effect.from);
        return;
      default:
        return; // Jeopardy and recovery concern nobody here.
    }
  }

  private send({ to, message }: Send): void {
    this.publish(letterTo(to, this.me, this.roll.view?.id ?? null, this.topic, writeMessage(message)));
  }

  private blame({ id, incarnation }: RingMember): void {
    if (this.blamed.size === MAX_BLAMED || this.blamed.has(incarnation)) return;
    this.blamed.add(incarnation);
    this.onError(new Error(`"${id}" uses another algorithm than this member; set the same for all`));
  }

  // -- the work of a leader

  private lead(term: RingTerm): void {
    if (this.stopping) return;
    this.held = new RingLeadership(term.counter, () =>
      this.ring.reign?.term === term ? ringRemainingMillis(this.ring, this.moment()) : 0,
    );
    this.working(this.hooks.election.emit(this.held));
  }

  /** What listeners have returned: promises are work, until they settle. */
  private working(results: readonly unknown[]): void {
    for (const result of results) {
      if (!(result instanceof Promise)) continue;
      this.work.add(result);
      const end = () => this.work.delete(result);
      result.then(end, end);
    }
  }

  private stopWork(term: RingTerm, cause: RingLoss, spareMillis: number): void {
    const { held, work } = this;
    // A term that began while work was stopping was told to nobody.
    if (held === null) return;
    this.held = null;
    held.finish(cause);
    this.working(this.hooks.demotion.emit(cause));
    if (work.size === 0) return;
    this.stopping = true;
    const { leadMillis } = this.ring.settings;
    this.cancelPatience = this.clock.after(leadMillis, () => this.bench(term, cause));
    const stopped = Promise.allSettled([...work]).then(() => this.workStopped());
    if (spareMillis <= 0) return;
    const unsent: Send[] = [];
    this.unsent = unsent;
    this.sentOn = settledWithin(this.clock, spareMillis, stopped).then(() => {
      if (this.unsent === unsent) this.sendOn();
    });
  }

  /** The work does not stop: who cannot lead does not stand. */
  private bench({ counter }: RingTerm, cause: RingLoss): void {
    this.benched = true;
    this.onError(
      new Error(
        `term ${counter} was over ${this.ring.settings.leadMillis} ms ago, and its work has not stopped: until it has, ` +
          "this member is not elected; end what onElection returned when leadership.signal aborts",
      ),
    );
    this.decide({ type: "standBack", cause });
  }

  /** What came of the election meanwhile holds, if it still does. */
  private workStopped(): void {
    this.stopping = false;
    this.cancelPatience();
    this.sendOn();
    const { benched } = this;
    this.benched = false;
    if (this.closed) return;
    if (benched && this.willing) return this.decide({ type: "stand" });
    const { reign } = this.ring;
    if (reign !== null && ringRemainingMillis(this.ring, this.moment()) > 0) this.run(() => this.lead(reign.term));
  }

  private sendOn(): void {
    const { unsent } = this;
    this.unsent = null;
    for (const effect of unsent ?? []) this.send(effect);
  }

  private publish(data: object): void {
    // The SDK would keep it and send it when nobody waits for it any more.
    if (this.client.connection.state !== "connected" || this.channel.state !== "attached") return;
    this.channel.publish({ name: MEMBER_MESSAGE, data }).catch((error: unknown) => {
      if (!this.closed) this.onError(error);
    });
  }

  // -- small things

  private describe(term: RingTerm | null): SwarmLeader | null {
    if (term === null) return null;
    return { id: term.creator.id, term: term.counter, self: sameMember(term.creator, this.me) };
  }

  private moment(): Moment {
    return { now: this.clock.monotonicMillis(), wall: this.clock.wallMillis() };
  }

  /** A listener that comes when this member leads already is told so. */
  private greetLate(listener: Listener<RingLeadership>): void {
    const { leadership } = this;
    if (leadership === null) return;
    queueMicrotask(() => {
      if (this.leadership === leadership) this.working([this.hooks.election.call(listener, leadership)]);
    });
  }
}
