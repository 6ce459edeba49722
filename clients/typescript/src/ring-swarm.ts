import { Realtime, type InboundMessage, type PresenceMessage } from "ably";
import { AnyMember, type SwarmLeader, type SwarmStatus } from "./any-member.js";
import { settledWithin, systemClock, type Clock } from "./clock.js";
import { Hook, reporter, type Listener, type Register } from "./hook.js";
import { HubEntry } from "./hub-entry.js";
import { HubSeat, LEAVE_MILLIS, type SeatEvents } from "./hub-seat.js";
import type { RealtimeClient } from "./realtime.js";
import { MalformedMessageError, readMessage, writeMessage, type RingMessage, type RingTerm } from "./ring-message.js";
import { RingLoop } from "./ring-loop.js";
import { cooldownOf, ringConnection, ringSettings, topicOf, type RingOptions } from "./ring-options.js";
import { memberOf, OBSTACLES, peersOf, type RingPeer } from "./ring-people.js";
import { ringLeader, type RingEffect, type RingLoss } from "./ring-state.js";
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
import { Tenure as RingLeadership } from "./tenure.js";

export type { SwarmLeader, SwarmStatus } from "./any-member.js";
export type { Clock } from "./clock.js";
export type { Listener, Register } from "./hook.js";
export type { RealtimeChannel, RealtimeClient } from "./realtime.js";
export { Tenure as RingLeadership } from "./tenure.js";
export type { RingBehaviour, RingOptions } from "./ring-options.js";
export type { RingPeer } from "./ring-people.js";
export type { RingAlgorithm, RingLoss } from "./ring-state.js";

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
 * Listeners: assign one (`ring.onElection = f`; null removes it) or call with any number (`ring.onElection(f)`); the call
 * returns what removes it. What a listener throws goes to `onError`.
 *
 * Errors: the constructor throws on impossible settings, `connect` rejects if the channel cannot be attached or entered; it
 * may be called again then.
 *
 * Source: docs/spec/ring.md. This class drives, with `RingLoop`, the machines in `ring.ts` and `roll-call.ts`: it decides nothing.
 */
export class RingSwarm extends AnyMember<RingLeadership, RingLoss> {
  private readonly me: RingMember;
  private readonly topic: string;
  private readonly seat: HubSeat;
  private readonly entry: HubEntry;
  private readonly loop: RingLoop;
  private readonly work: RingWork;
  private readonly clock: Clock;
  private readonly cooldownMillis: number;
  private readonly onError: (error: unknown) => void;
  private readonly peers: Hook<RingPeer[]>;

  private connecting: Promise<void> | null = null;
  /** Settles when it is closed; null before it was asked to. */
  private ended: Promise<void> | null = null;
  private closed = false;
  private shownMembers = "";
  private held: RingLeadership | null = null;
  /** Whether it would lead, as far as its page and its user are asked. */
  private willing = true;
  private readonly blamed = new Set<string>();

  constructor(channelName: string, options: RingOptions) {
    const report = reporter(options.onError);
    super(report);
    this.onError = report;
    this.clock = options.clock ?? systemClock;
    this.cooldownMillis = cooldownOf(options);
    this.topic = topicOf(channelName, options);
    const settings = ringSettings(options);
    const client = options.client ?? (new Realtime(ringConnection(options)) as RealtimeClient);
    this.seat = new HubSeat(channelName, client, options.client === undefined, "a member");
    this.me = memberOf(this.seat.id);
    this.entry = new HubEntry(this.seat, presenceData(this.me), report);
    this.loop = new RingLoop(settings, this.me, this.clock, {
      effect: (effect, spareMillis) => this.carryOut(effect, spareMillis),
      say: ({ view, silent, at }) => this.publish(announcement(this.me, view, silent, at)),
      failed: report,
      rested: () => this.show(),
    });
    this.peers = new Hook<RingPeer[]>(report);
    this.work = new RingWork(this.clock, {
      send: ({ to, message }) =>
        this.publish(letterTo(to, this.me, this.loop.roll.view?.id ?? null, this.topic, writeMessage(message))),
      overdue: (term, cause) => this.workOverdue(term, cause),
      stopped: (wasOverdue) => this.workStopped(wasOverdue),
    });
  }

  /** Called with all members whenever another view is installed. */
  get onMembersChanged(): Register<RingPeer[]> {
    return this.peers.register;
  }
  set onMembersChanged(listener: Listener<RingPeer[]> | null) {
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
    return this.describe(ringLeader(this.loop.ring));
  }

  /** The members of the view that is installed, in the order of the ring. */
  get members(): RingPeer[] {
    return peersOf(this.loop.ring, this.me);
  }

  /** *connected*: in the view of the members that the hub shows. The others as for `Swarm`. */
  get status(): SwarmStatus {
    const { ring, roll } = this.loop;
    return this.seat.status(this.closed, roll.connected && roll.synced && ring.seat !== null);
  }

  /** Takes part from then on. Resolves when the channel is attached and entered, rejects if the hub refuses. */
  connect(): Promise<void> {
    this.connecting ??= this.begin().catch((error: unknown) => {
      this.connecting = null;
      throw error;
    });
    return this.connecting;
  }

  private async begin(): Promise<void> {
    // A client that others use may be there already.
    const { isOpen } = this.seat;
    if (this.seat.open(this.ears()) && isOpen) this.attached();
    await this.seat.channel.attach();
    if (this.ended !== null) throw new Error("this member was closed before it was connected");
    this.entry.enter();
    await this.entry.tried;
  }

  resign(): void {
    if (this.loop.ring.reign !== null) this.loop.decide({ type: "resign", cooldownMillis: this.cooldownMillis });
  }

  /**
   * Hands over to the member of this id: stops, and then that one opens a round with a key that beats all others. This one does
   * not stand again for `cooldownMillis`. If that fails, the members elect as ever, and `onError` receives the reason. If no other
   * member of this id is in the view, this member goes on leading, and `onError` receives that.
   *
   * Errors: throws if this member does not lead.
   */
  transferTo(id: string): void {
    if (!this.isLeader) {
      const leader = this.leader?.id;
      throw new Error(`this member does not lead; ask ${leader === undefined ? "again when one does" : `"${leader}"`}`);
    }
    this.loop.decide({ type: "handOver", heir: id, cooldownMillis: this.cooldownMillis });
  }

  /** Gives up, leaves the channel, and closes the connection if it made it. It cannot be connected again. */
  close(): Promise<void> {
    if (this.ended === null) {
      // Later than what is under way, if a listener calls this: only then it is known which work has to stop.
      this.ended = Promise.resolve().then(() => this.end());
      // Whoever closes knows why it will not connect.
      this.connecting?.catch(() => {});
      this.standBack("closed");
    }
    return this.ended;
  }

  private async end(): Promise<void> {
    // Until the work has stopped, messages pass on through here; but for no longer than it could have led.
    await this.work.sentOn;
    this.closed = true;
    this.loop.decide({ type: "leave" });
    this.loop.end();
    this.work.close();
    await settledWithin(this.clock, LEAVE_MILLIS, this.entry.end());
    this.seat.close();
  }

  // -- what happens outside becomes input

  private ears(): SeatEvents {
    return {
      connection: (state) => this.loop.count({ type: state === "connected" ? "connected" : "disconnected" }),
      channel: ({ current, previous, resumed }) => {
        if (current !== "attached") return this.loop.count({ type: "syncStarted" });
        if (!resumed || !this.loop.roll.synced) this.attached();
        // So the SDK reports that its own entering again has failed.
        if (resumed && previous === "attached") this.entry.again();
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
    this.entry.enter();
    this.loop.count({ type: "connected" });
    this.loop.count({ type: "syncStarted" });
    this.seat.sync(
      (present) => this.loop.count({ type: "syncComplete", entries: present.map(readEntry) }),
      this.onError,
    );
  }

  private heardOfMember(message: PresenceMessage): void {
    const entry = readEntry(message);
    if (message.action !== "leave") return this.loop.count({ type: "present", entry });
    // The SDK makes one without an id if a sync shows that somebody is missing, with the time of this machine.
    const hubs = typeof message.id === "string" && message.id !== "";
    this.loop.count({ type: "gone", key: entry.key, since: hubs ? entry.since : 0 });
  }

  private heard(message: InboundMessage): void {
    const letter = readLetter(message);
    if (letter === null) return;
    // First the view, which may be the one that the message is of.
    this.loop.count({ type: "heard", from: letter.from, view: letter.view, silent: letter.silent, at: letter.at });
    if (letter.to === this.me.incarnation && letter.topic === this.topic) this.open(letter);
    this.loop.wakeIfDue();
  }

  private open({ from, bytes }: Letter): void {
    let message: RingMessage;
    try {
      message = readMessage(bytes);
    } catch (error) {
      if (!(error instanceof MalformedMessageError)) throw error;
      return this.blame(from, `from ${from.id} came what is no message of the ring: ${error.message}`);
    }
    this.loop.decide({ type: "received", from, message });
  }

  /** A page that will stand still would keep the ring from closing. It leaves at once, for its work stands still as well. */
  private depart(cause: RingLoss): void {
    this.standBack(cause);
    void this.entry.leave();
  }

  private thaw(): void {
    if (this.ended !== null) return;
    this.willing = true;
    if (!this.work.isOverdue) this.loop.decide({ type: "stand" });
    this.entry.enter();
  }

  private standBack(cause: RingLoss): void {
    this.willing = false;
    this.loop.decide({ type: "standBack", cause });
  }

  // -- what the machines want is carried out

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
        if (effect.why !== "other_algorithm") return;
        return this.blame(
          effect.from,
          `"${effect.from.id}" uses another algorithm than this member; set the same for all`,
        );
      default:
        return; // Jeopardy and recovery concern nobody here.
    }
  }

  private blame({ incarnation }: RingMember, sentence: string): void {
    if (this.blamed.size === MAX_BLAMED || this.blamed.has(incarnation)) return;
    this.blamed.add(incarnation);
    this.onError(new Error(sentence));
  }

  // -- the work of a leader

  private lead(term: RingTerm): void {
    if (this.work.isStopping) return;
    this.held = new RingLeadership(term.counter, () =>
      this.loop.ring.reign?.term === term ? this.loop.remainingMillis : 0,
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
    // A listener that only closes this has no work of its own.
    this.work.add(this.hooks.demotion.emit(cause).filter((result) => result !== this.ended));
    this.work.end(term, cause, spareMillis, this.loop.ring.settings.leadMillis);
  }

  /** The work does not stop: who cannot lead does not stand. */
  private workOverdue({ counter }: RingTerm, cause: RingLoss): void {
    this.onError(
      new Error(
        `term ${counter} was over ${this.loop.ring.settings.leadMillis} ms ago, and its work has not stopped: until it has, ` +
          "this member is not elected; end what onElection returned when leadership.signal aborts",
      ),
    );
    this.loop.decide({ type: "standBack", cause });
  }

  /** What came of the election meanwhile holds, if it still does. */
  private workStopped(wasOverdue: boolean): void {
    if (this.closed) return;
    if (wasOverdue && this.willing) return this.loop.decide({ type: "stand" });
    const { reign } = this.loop.ring;
    if (reign !== null && this.loop.remainingMillis > 0) this.loop.run(() => this.lead(reign.term));
  }

  private publish(data: object): void {
    // The SDK would keep it and send it when nobody waits for it any more.
    if (!this.seat.isOpen) return;
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
