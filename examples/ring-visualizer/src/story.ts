import type { Recording, RecordedEvent, Sent } from "./recording.js";
import { frameAt, type MemberFrame } from "./frame.js";

/** A sentence that describes the events of a moment. */
export interface Line {
  readonly at: number;
  readonly text: string;
  /** The importance of the line: 0 for routine, 1 for a part of the election, 2 for an important event. */
  readonly weight: 0 | 1 | 2;
}

type Ended = Extract<RecordedEvent, { what: "ended" }>;

const NAMED_AT_ONCE = 2;

/** Describes each moment of a recording. A description is created on demand and then stored. */
export class Story {
  /** The times of all events, in order. */
  readonly moments: readonly number[];
  private readonly recording: Recording;
  private readonly events: readonly (readonly RecordedEvent[])[];
  private readonly messages: ReadonlyMap<number, Sent>;
  private readonly described = new Map<number, Line | null>();

  constructor(recording: Recording) {
    this.recording = recording;
    const byMoment = new Map<number, RecordedEvent[]>();
    for (const event of recording.events) {
      const same = byMoment.get(event.at);
      if (same === undefined) byMoment.set(event.at, [event]);
      else same.push(event);
    }
    this.moments = [...byMoment.keys()];
    this.events = [...byMoment.values()];
    this.messages = new Map(
      recording.events.flatMap((event) => (event.what === "sent" ? [[event.id, event] as const] : [])),
    );
  }

  /** Returns the last lines at or before a time, latest first. */
  linesAt(at: number, most: number): readonly Line[] {
    const lines: Line[] = [];
    for (let i = this.lastAt(at); i >= 0 && lines.length < most; i--) {
      const line = this.line(i);
      if (line !== null) lines.push(line);
    }
    return lines;
  }

  /** Returns true if an important event occurs later than `after` and not later than `until`. */
  matters(after: number, until: number): boolean {
    for (let i = this.lastAt(until); i >= 0 && this.moments[i]! > after; i--) {
      if (this.line(i)?.weight === 2) return true;
    }
    return false;
  }

  /** Returns the first moment after a time; null if no moment follows. */
  next(at: number): number | null {
    return this.moments[this.lastAt(at) + 1] ?? null;
  }

  /** Returns the last moment before a time; null if no moment precedes the time. */
  previous(at: number): number | null {
    return this.moments[this.lastAt(at - 0.001)] ?? null;
  }

  private line(i: number): Line | null {
    const known = this.described.get(i);
    if (known !== undefined) return known;
    const at = this.moments[i]!;
    const line = new MomentText(this.recording, this.events[i]!, at, this.messages).line();
    const described = line === null ? null : { at, ...line };
    this.described.set(i, described);
    return described;
  }

  private lastAt(at: number): number {
    let [low, high] = [0, this.moments.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.moments[middle]! <= at) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

/** Describes one moment. The class compares the frame of this moment with the frame just before it. */
class MomentText {
  private readonly numbers: readonly number[];
  private readonly recording: Recording;
  private readonly events: readonly RecordedEvent[];
  private readonly at: number;
  private readonly messages: ReadonlyMap<number, Sent>;

  constructor(recording: Recording, events: readonly RecordedEvent[], at: number, messages: ReadonlyMap<number, Sent>) {
    this.recording = recording;
    this.numbers = recording.numbers;
    this.events = events;
    this.at = at;
    this.messages = messages;
  }

  line(): Omit<Line, "at"> | null {
    const important = this.important();
    if (important !== null) return { text: important, weight: 2 };
    const contest = this.recording.algorithm === "peterson" ? this.phases() : this.race();
    if (contest !== null) return { text: contest, weight: 1 };
    const rest = this.elected() ?? this.rest();
    return rest === null ? null : { text: rest, weight: 0 };
  }

  private important(): string | null {
    for (const event of this.events) {
      switch (event.what) {
        case "leads":
          return this.leads(event.member, event.term);
        case "stepsDown":
          return `${this.name(event.member)} learns of a later term and stops leading.`;
        case "crashed": {
          const led = this.before().members[event.member]!.leads;
          return `${this.name(event.member)}${led ? ", the leader," : ""} crashes. Nobody has noticed yet.`;
        }
        case "parted":
          return event.members.length === 1
            ? `${this.name(event.members[0]!)}, the leader, is cut off from the others.`
            : `The network is divided: ${this.names(event.members)} receive nothing from the others.`;
        case "healed":
          return "The network works again. The membership has not noticed it yet.";
        case "view":
          return this.view(event.members);
      }
    }
    const lost = this.ended("lost").find(({ kind }) => kind !== "heartbeat");
    if (lost === undefined) return null;
    const what =
      lost.kind === "elect" || lost.kind === "retry" ? `The election message of ${lost.number}` : "A message";
    return `${what} is lost on its way from ${this.name(lost.from)} to ${this.name(lost.to)}.`;
  }

  private leads(member: number, term: number): string {
    const me = this.name(member);
    const alone = (this.frame().views[this.frame().members[member]!.view]?.length ?? 0) === 1;
    if (alone) return `${me} is alone in its view and leads at once, in term ${term}.`;
    return this.recording.algorithm === "peterson"
      ? `The number of ${me} is the only one left. ${me} leads in term ${term} and sends an elected message around the ring.`
      : `The message of ${me} has returned, so ${me} has the greatest number. ${me} leads in term ${term} and sends an elected message around the ring.`;
  }

  private view(members: readonly number[]): string {
    const { views } = this.frame();
    const all = members.length === this.numbers.length;
    if (views.length === 1) {
      return `${members.length} members on a ring. Each sends its number to the next one.`;
    }
    if (all) return "The membership has found all members again. It installs one view, and all members elect.";
    if (this.before().parted !== null) {
      return members.length === 1
        ? `The membership installs a view of ${this.names(members)} alone, which continues to lead. On a ring each side of a partition has a leader.`
        : `The membership installs a view of ${this.names(members)}, which elect a leader among them.`;
    }
    const gone = this.numbers.filter((_, place) => !members.includes(place));
    return members.length === 1
      ? `The membership removes ${list(gone)}. Only ${this.names(members)} is left.`
      : `The membership removes ${list(gone)} and installs a new view. The others elect.`;
  }

  /** Describes, for Chang-Roberts, which members drop a message and which members forward a message. */
  private race(): string | null {
    const again = this.events.find(
      (event): event is Sent => event.what === "sent" && event.kind === "retry" && this.isOwn(event),
    );
    if (again !== undefined) {
      return `${again.number} has seen no greater number, and its own message has not returned. It sends its number again.`;
    }
    const tokens = (fate: Ended["fate"]) => this.ended(fate).filter(({ kind }) => kind === "elect" || kind === "retry");
    const swallowed = tokens("stopped");
    const held = tokens("held")[0];
    if (swallowed.length > 0) {
      const named = swallowed.slice(0, swallowed.length > NAMED_AT_ONCE + 1 ? NAMED_AT_ONCE : NAMED_AT_ONCE + 1);
      const more = swallowed.length - named.length;
      if (swallowed.length === 1) {
        const only = swallowed[0]!;
        const by = this.name(only.to);
        return `${by} drops the message of ${only.number}, because ${this.whyNot(only)}.`;
      }
      const each = named.map((sent) => `${this.name(sent.to)} drops ${sent.number}`);
      return more === 0 ? `${list(each)}.` : `${each.join(", ")}, and greater members drop ${more} more messages.`;
    }
    if (held !== undefined) {
      return `The message of ${held.number} reaches ${this.name(held.to)} before the new view. ${this.name(held.to)} keeps it until then.`;
    }
    const passed = tokens("passed");
    if (passed.length === 0) return null;
    if (passed.length === 1) {
      const only = passed[0]!;
      const why = this.leadsAlready(only.number)
        ? `${only.number} leads, and a leader stays`
        : `${only.number} is greater`;
      return `${this.name(only.to)} forwards the message of ${only.number}, because ${why}.`;
    }
    const isPlain = !passed.some(({ number }) => this.leadsAlready(number));
    return `${isPlain ? "Lesser members forward" : "Members forward"} ${passed.length} messages.`;
  }

  /** Returns the reason why a member does not forward a message. */
  private whyNot({ to, number }: Sent): string {
    const by = this.numbers[to]!;
    if (this.leadsAlready(by)) {
      return this.leadsAlready(number) ? `${by} leads in a later term` : `${by} leads, and a leader stays`;
    }
    return by > number && !this.leadsAlready(number) ? `${by} is greater` : "it has forwarded a greater number before";
  }

  private leadsAlready(number: number): boolean {
    return this.before().members.some((member) => member.number === number && member.leads);
  }

  /**
   * Describes, for Peterson's algorithm, which members stay active, which numbers these members represent, and which
   * members only forward.
   */
  private phases(): string | null {
    const begins = this.events.find(
      (event): event is Sent =>
        event.what === "sent" && event.kind === "compare" && event.round > 0 && this.isOwn(event),
    );
    if (begins !== undefined && begins.phase === 1 && begins.second === false) {
      return "A message is missing, so no member can win. All begin another round.";
    }
    const before = this.before().members;
    const after = this.frame().members;
    const wasIn = (member: MemberFrame, place: number) => before[place]!.part === "active" && member.view >= 0;
    const out = after.filter((member, place) => wasIn(member, place) && member.part === "relay");
    const stays = after.filter(
      (member, place) =>
        wasIn(member, place) && member.part === "active" && member.temporaryId !== before[place]!.temporaryId,
    );
    if (stays.length === 0 && out.length === 0) {
      const received = this.ended("stopped").filter(({ kind }) => kind === "compare");
      if (received.length === 0) return null;
      const only = received[0]!;
      const isLast = this.events.some((event) => event.what === "sent" && event.kind === "chosen");
      if (isLast)
        return `${this.name(only.to)} receives ${only.number}, the number that it represents. No other number is left.`;
      return received.length === 1
        ? `${this.name(only.to)} receives ${only.number} and forwards it.`
        : `${received.length} members receive the number of the member before them and forward it.`;
    }
    const parts = [];
    if (stays.length > 3)
      parts.push(`${stays.length} members stay active, each for the greatest of the three numbers that it knows`);
    else parts.push(...stays.map((member) => `${member.number} stays active, for ${member.temporaryId}`));
    if (out.length > 3) parts.push(`${out.length} members only forward from now on`);
    else if (out.length > 0) {
      parts.push(`${list(out.map((member) => member.number))} only forward${out.length === 1 ? "s" : ""} from now on`);
    }
    return `${parts.join("; ")}.`;
  }

  private elected(): string | null {
    const home = this.ended("home").find(({ kind }) => kind === "elected");
    if (home !== undefined)
      return `The elected message has returned. All members of this ring know that ${home.number} leads.`;
    const passed = this.ended("passed").find(({ kind }) => kind === "elected");
    if (passed !== undefined)
      return `${this.name(passed.to)} learns that ${passed.number} leads and forwards the message.`;
    const heartbeat = this.ended("passed").find(({ kind }) => kind === "heartbeat");
    return heartbeat === undefined ? null : `${heartbeat.number} continues to lead and sends another heartbeat.`;
  }

  private rest(): string | null {
    const nack = this.ended("stopped").find(({ kind }) => kind === "nack");
    if (nack !== undefined) return `${this.name(nack.from)} notifies ${this.name(nack.to)} of a later term.`;
    const state = this.ended("stopped").find(({ kind }) => kind === "state");
    if (state !== undefined)
      return `${this.name(state.from)} sends ${this.name(state.to)} a message about a saved state.`;
    const chosen = this.ended("passed").find(({ kind }) => kind === "chosen");
    if (chosen !== undefined)
      return `${this.name(chosen.to)} forwards the message to ${chosen.number} that it has won.`;
    const compare = this.ended("passed").find(({ kind }) => kind === "compare");
    if (compare === undefined) return null;
    const by = this.name(compare.to);
    const what = this.isAbout(compare, compare.to) ? "its own number" : String(compare.number);
    return `${by} is not active and forwards ${what}.`;
  }

  private ended(fate: Ended["fate"]): Sent[] {
    return this.events.flatMap((event) =>
      event.what === "ended" && event.fate === fate ? [this.messages.get(event.id)!] : [],
    );
  }

  private isOwn(sent: Sent): boolean {
    return this.isAbout(sent, sent.from);
  }

  private isAbout(sent: Sent, place: number): boolean {
    return this.numbers[place] === sent.number;
  }

  private frame() {
    return frameAt(this.recording, this.at);
  }

  private before() {
    return frameAt(this.recording, this.at - 0.5);
  }

  private name(place: number): string {
    return String(this.numbers[place]);
  }

  private names(places: readonly number[]): string {
    return list(places.map((place) => this.numbers[place]!));
  }
}

function list(things: readonly (string | number)[]): string {
  if (things.length <= 1) return String(things[0] ?? "");
  if (things.length > 10) return `${things.slice(0, 8).join(", ")} and ${things.length - 8} more`;
  return `${things.slice(0, -1).join(", ")} and ${things.at(-1)}`;
}
