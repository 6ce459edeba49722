import { Realtime, type InboundMessage, type PresenceMessage } from "ably";
import { AnyMember, type SwarmLeader, type SwarmStatus } from "./any-member.js";
import { momentOf, systemClock, type Clock } from "./clock.js";
import { Hook, type Listener, type Register } from "./hook.js";
import { Tenure as RingLeadership } from "./tenure.js";
import { ownConnection, randomId } from "./options.js";
import { HubSeat, type SeatEvents } from "./hub-seat.js";
import type { RealtimeClient } from "./realtime.js";
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
import { RingWork } from "./ring-work.js";
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

export type { SwarmLeader, SwarmStatus } from "./any-member.js";
export type { Clock } from "./clock.js";
export type { Listener, Register } from "./hook.js";
export type { RealtimeChannel, RealtimeClient } from "./realtime.js";
export { Tenure as RingLeadership } from "./tenure.js";
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

/** How often a member says something, at the least; who is silent for four times as long is left out. */
const SAY_MILLIS = 1000;
const OBSTACLES: Record<Obstacle, string> = {
  not_there: "the view has no other member of this id",
  another_elected: "another member was elected",
  no_answer: "it has done nothing in time, and the members elect",
};

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
export class RingSwarm extends AnyMember<RingLeadership, RingLoss> {
  private readonly me: RingMember;
  private readonly topic: string;
  private readonly seat: HubSeat;
  private readonly clock: Clock;
  private readonly cooldownMillis: number;
  private readonly onError: (error: unknown) => void;
  private readonly peers: Hook<RingPeer[]>;

  private ring: RingState;
  private roll: RollState;
  private readonly tasks: (() => void)[] = [];
  private busy = false;
  private ringWakeAt: number | null = null;
  private rollWakeAt: number | null = null;
  private cancelWake = (): void => {};
  private entering: Promise<void> | null = null;
  private closing = false;
  private closed = false;
  private shownMembers = "";
  private held: RingLeadership | null = null;
  private readonly work: RingWork;
  /** Whether it would lead, as far as its page and its user are asked. */
  private willing = true;
  private readonly blamed = new Set<string>();

  constructor(channelName: string, options: RingOptions) {
    const report = options.onError ?? ((error) => console.error(error));
    super(report);
    this.onError = report;
    this.clock = options.clock ?? systemClock;
    this.cooldownMillis = cooldownOf(options);
    this.topic = `ring/${options.election ?? channelName}`;
    const settings = ringSettings(options);
    const client = options.client ?? (new Realtime(ownConnection(options)) as RealtimeClient);
    this.seat = new HubSeat(channelName, client, options.client === undefined, "a member");
    this.me = { id: this.seat.id, incarnation: randomId() };
    this.ring = initialRing(settings, this.me);
    this.roll = initialRoll(this.me, SAY_MILLIS);
    this.peers = new Hook<RingPeer[]>(report);
    this.work = new RingWork(this.clock, {
      send: ({ to, message }) =>
        this.publish(letterTo(to, this.me, this.roll.view?.id ?? null, this.topic, writeMessage(message))),
      overdue: (term, cause) => this.workOverdue(term, cause),
      stopped: (wasOverdue) => this.workStopped(wasOverdue),
    });
  }

  /** Called with all members whenever another view is installed. */
  get onMembersChanged(): Register<RingPeer[]> {
    return this.peers.register;
  }
  set onMembersChanged(listener: Listener<RingPeer[]>) {
    this.peers.assign(listener);
  }

  get id(): string {
    return this.me.id;
  }

  get isLeader(): boolean {
    return this.remainingMillis > 0;
  }

  get remainingMillis(): number {
    return this.held?.remainingMillis ?? 0;
  }

  get leadership(): RingLeadership | null {
    return this.isLeader ? this.held : null;
  }

  get leader(): SwarmLeader | null {
    return this.describe(ringLeader(this.ring));
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
    return this.seat.status(this.closed, this.roll.connected && this.roll.synced && this.ring.seat !== null);
  }

  /** Takes part from then on. Resolves when the channel is attached and entered, rejects if the hub refuses. */
  async connect(): Promise<void> {
    if (!this.seat.open(this.ears())) return;
    if (this.seat.isAttached) this.attached();
    await this.seat.channel.attach();
    await this.entering;
  }

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
    await this.work.sentOn;
    this.closed = true;
    this.decide({ type: "leave" });
    this.cancelWake();
    this.work.close();
    // Not being able to leave is no news: the connection is gone, and the hub will notice.
    if (this.entering !== null) await this.seat.channel.presence.leave().catch(() => {});
    this.seat.close();
  }

  // -- what happens outside becomes input

  private ears(): SeatEvents {
    return {
      connection: (state) => this.count({ type: state === "connected" ? "connected" : "disconnected" }),
      channel: ({ current, resumed }) => {
        if (current !== "attached") this.count({ type: "syncStarted" });
        else if (!resumed || !this.roll.synced) this.attached();
      },
      presence: (message) => this.heardOfMember(message),
      message: (message) => this.heard(message),
      frozen: () => this.depart("suspended"),
      thawed: () => this.thaw(),
      gone: () => {
        this.depart("closed");
        void this.close();
      },
    };
  }

  private attached(): void {
    this.seat.greeted = true;
    this.enter();
    this.count({ type: "connected" });
    this.count({ type: "syncStarted" });
    this.seat.sync((present) => this.count({ type: "syncComplete", entries: present.map(readEntry) }), this.onError);
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
    this.count({ type: "heard", from: letter.from, view: letter.view, silent: letter.silent, at: letter.at });
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
    if (this.entering !== null) this.seat.channel.presence.leave().catch(() => {});
    this.entering = null;
  }

  private thaw(): void {
    if (this.closing) return;
    this.willing = true;
    if (!this.work.isOverdue) this.decide({ type: "stand" });
    this.enter();
  }

  private standBack(cause: RingLoss): void {
    this.willing = false;
    this.decide({ type: "standBack", cause });
  }

  /** Once: after another connection the SDK enters again by itself, with the same data. */
  private enter(): void {
    if (this.entering !== null || this.closing || !this.seat.isAttached) return;
    this.entering = this.seat.channel.presence.enter(presenceData(this.me));
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
        else this.publish(announcement(this.me, effect.view, effect.silent, effect.at));
      }
    });
  }

  private decide(input: RingInput): void {
    this.run(() => {
      const at = momentOf(this.clock);
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
    this.showStatus();
    const members = this.members.map(({ incarnation }) => incarnation).join();
    if (members === this.shownMembers) return;
    this.shownMembers = members;
    this.peers.emit(this.members);
  }

  private carryOut(effect: RingEffect, spareMillis: number): void {
    switch (effect.type) {
      case "send":
        return this.work.send(effect);
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

  private blame({ id, incarnation }: RingMember): void {
    if (this.blamed.size === MAX_BLAMED || this.blamed.has(incarnation)) return;
    this.blamed.add(incarnation);
    this.onError(new Error(`"${id}" uses another algorithm than this member; set the same for all`));
  }

  // -- the work of a leader

  private lead(term: RingTerm): void {
    if (this.work.isStopping) return;
    this.held = new RingLeadership(term.counter, () =>
      this.ring.reign?.term === term ? ringRemainingMillis(this.ring, momentOf(this.clock)) : 0,
    );
    this.work.add(this.hooks.election.emit(this.held));
  }

  protected override greeted(result: unknown): void {
    this.work.add([result]);
  }

  private stopWork(term: RingTerm, cause: RingLoss, spareMillis: number): void {
    const { held } = this;
    // A term that began while work was stopping was told to nobody.
    if (held === null) return;
    this.held = null;
    held.finish(cause);
    this.work.add(this.hooks.demotion.emit(cause));
    this.work.end(term, cause, spareMillis, this.ring.settings.leadMillis);
  }

  /** The work does not stop: who cannot lead does not stand. */
  private workOverdue({ counter }: RingTerm, cause: RingLoss): void {
    this.onError(
      new Error(
        `term ${counter} was over ${this.ring.settings.leadMillis} ms ago, and its work has not stopped: until it has, ` +
          "this member is not elected; end what onElection returned when leadership.signal aborts",
      ),
    );
    this.decide({ type: "standBack", cause });
  }

  /** What came of the election meanwhile holds, if it still does. */
  private workStopped(wasOverdue: boolean): void {
    if (this.closed) return;
    if (wasOverdue && this.willing) return this.decide({ type: "stand" });
    const { reign } = this.ring;
    if (reign !== null && ringRemainingMillis(this.ring, momentOf(this.clock)) > 0)
      this.run(() => this.lead(reign.term));
  }

  private publish(data: object): void {
    // The SDK would keep it and send it when nobody waits for it any more.
    if (this.seat.client.connection.state !== "connected" || !this.seat.isAttached) return;
    this.seat.channel.publish({ name: MEMBER_MESSAGE, data }).catch((error: unknown) => {
      if (!this.closed) this.onError(error);
    });
  }

  // -- small things

  private describe(term: RingTerm | null): SwarmLeader | null {
    if (term === null) return null;
    return { id: term.creator.id, term: term.counter, self: sameMember(term.creator, this.me) };
  }
}
