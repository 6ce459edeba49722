import type { Fate, Kind, Recording, Sent } from "./recording.js";

export interface MemberFrame {
  readonly number: number;
  /** The role of the member: active in the round, only forwarding, or crashed; `none` before its first view. */
  part: "none" | "active" | "relay" | "crashed";
  /**
   * The number that the member represents. With Peterson's algorithm, this number can be the number of another member.
   */
  temporaryId: number;
  leads: boolean;
  /** The ring position of the leader that the member reports; null if it reports no leader. */
  leader: number | null;
  /** The index of the member's installed view in the frame's views; -1 before its first view. */
  view: number;
  round: number;
}

export interface Token {
  readonly sent: Sent;
  /** The progress of the message, from 0 at the sender to 1 at the receiver. */
  readonly progress: number;
}

/** A message that ended a short time ago. */
export interface Trace {
  readonly sent: Sent;
  readonly fate: Fate;
  /** The age of the trace, from 0 (the message has just ended) to 1 (the trace is no longer shown). */
  readonly age: number;
}

/** One round of one view. The theoretical bounds count the messages of such a round. */
export interface Contest {
  readonly view: number;
  readonly round: number;
  readonly members: number;
  readonly began: number;
  /** The times at which the messages of the round were sent. */
  readonly sentAt: number[];
}

export interface Frame {
  readonly at: number;
  readonly members: readonly MemberFrame[];
  readonly tokens: readonly Token[];
  readonly traces: readonly Trace[];
  /** The members of each view, in ring order. */
  readonly views: readonly (readonly number[])[];
  /** The views that a live member has installed. */
  readonly rings: readonly (readonly number[])[];
  /** The links that the latest elected message of each ring has crossed or is crossing. */
  readonly lit: readonly { readonly from: number; readonly to: number; readonly progress: number }[];
  readonly counts: Readonly<Record<Kind, number>>;
  readonly contests: readonly Contest[];
  /** The members of one side while the network is partitioned. */
  readonly parted: readonly number[] | null;
  /** The ring positions of the current leaders. */
  readonly leaders: readonly number[];
}

/** The time for which a trace is shown, in hops. */
export const TRACE_HOPS = 0.9;

const CONTEST: ReadonlySet<Kind> = new Set<Kind>(["elect", "retry", "compare"]);

/** Computes the frame at a time of the recording, from all events up to this time. */
export function frameAt(recording: Recording, at: number): Frame {
  const members = recording.numbers.map((number): MemberFrame => ({
    number,
    part: "none",
    temporaryId: number,
    leads: false,
    leader: null,
    view: -1,
    round: 0,
  }));
  const views: (readonly number[])[] = [];
  const viewNumbers: number[] = [];
  const flying = new Map<number, Sent>();
  const all = new Map<number, Sent>();
  const traces: Trace[] = [];
  const counts: Record<Kind, number> = {
    elect: 0,
    retry: 0,
    compare: 0,
    chosen: 0,
    elected: 0,
    heartbeat: 0,
    nack: 0,
    state: 0,
  };
  const contests: Contest[] = [];
  let heartbeats: { sent: Sent; ended: boolean }[] = [];
  let parted: readonly number[] | null = null;
  /**
   * The member that has just received both messages of its phase in Peterson's algorithm; otherwise null.
   * This member stays active if it sends a message for the next phase at once.
   */
  let deciding: number | null = null;
  for (const event of recording.events) {
    if (event.at > at) break;
    switch (event.what) {
      case "sent": {
        all.set(event.id, event);
        flying.set(event.id, event);
        counts[event.kind]++;
        const sender = members[event.from]!;
        if (CONTEST.has(event.kind)) {
          contestOf(contests, event, sender.view, views[sender.view]?.length ?? 0).sentAt.push(event.at);
          enterRound(sender, event.round);
          if (deciding === event.from && event.second === false) {
            sender.part = "active";
            sender.temporaryId = event.number;
          }
        }
        if (event.kind === "elected") {
          // A new elected message starts at the member that it is about, and replaces the earlier elected message
          // of its ring.
          if (sender.number === event.number) {
            const ring = views[sender.view] ?? [];
            heartbeats = heartbeats.filter((heartbeat) => !ring.includes(heartbeat.sent.from));
          }
          heartbeats.push({ sent: event, ended: false });
        }
        break;
      }
      case "ended": {
        const sent = all.get(event.id)!;
        flying.delete(event.id);
        const age = (at - event.at) / (TRACE_HOPS * recording.hopMillis);
        if (age < 1) traces.push({ sent, fate: event.fate, age });
        const heartbeat = heartbeats.find((each) => each.sent === sent);
        if (heartbeat !== undefined) heartbeat.ended = event.fate !== "lost";
        deciding = CONTEST.has(sent.kind) && delivered(members[sent.to]!, sent, event.fate) ? sent.to : null;
        break;
      }
      case "view":
        views.push(event.members);
        viewNumbers.push(event.view);
        break;
      case "installed": {
        const member = members[event.member]!;
        member.view = latest(views, (view, i) => viewNumbers[i] === event.view && view.includes(event.member));
        member.round = 0;
        member.part = "active";
        member.temporaryId = member.number;
        heartbeats = heartbeats.filter((heartbeat) => heartbeat.sent.from !== event.member);
        break;
      }
      case "leads":
        members[event.member]!.leads = true;
        break;
      case "stepsDown":
        members[event.member]!.leads = false;
        break;
      case "knows":
        members[event.member]!.leader = event.leader ?? null;
        break;
      case "crashed": {
        const member = members[event.member]!;
        member.part = "crashed";
        member.leads = false;
        member.leader = null;
        heartbeats = heartbeats.filter((heartbeat) => heartbeat.sent.from !== event.member);
        break;
      }
      case "parted":
        parted = event.members;
        break;
      case "healed":
        parted = null;
        break;
    }
  }
  const tokens = [...flying.values()].map((sent) => ({
    sent,
    progress: Math.min(1, (at - sent.at) / recording.hopMillis),
  }));
  const inUse = new Set(members.filter((member) => member.part !== "crashed").map((member) => member.view));
  return {
    at,
    members,
    tokens,
    traces,
    views,
    rings: views.filter((_, i) => inUse.has(i)),
    lit: heartbeats
      .filter(({ sent, ended }) => ended || flying.has(sent.id))
      .map(({ sent, ended }) => ({
        from: sent.from,
        to: sent.to,
        progress: ended ? 1 : Math.min(1, (at - sent.at) / recording.hopMillis),
      })),
    counts,
    contests,
    parted,
    leaders: members.flatMap((member, place) => (member.leads ? [place] : [])),
  };
}

function latest<T>(all: readonly T[], fits: (each: T, i: number) => boolean): number {
  for (let i = all.length - 1; i >= 0; i--) if (fits(all[i]!, i)) return i;
  return -1;
}

function enterRound(member: MemberFrame, round: number): void {
  if (round <= member.round) return;
  member.round = round;
  member.part = "active";
  member.temporaryId = member.number;
}

/**
 * Applies a received message to a member. Returns true if the member must send a message for the next phase to stay
 * active.
 */
function delivered(member: MemberFrame, sent: Sent, fate: Fate): boolean {
  if (fate === "lost" || fate === "held" || fate === "dropped") return false;
  enterRound(member, sent.round);
  if (sent.kind !== "compare") {
    if (fate === "passed") member.part = "relay";
    return false;
  }
  if (sent.second !== true || fate !== "stopped") return false;
  member.part = "relay";
  return true;
}

function contestOf(contests: Contest[], sent: Sent, view: number, members: number): Contest {
  const known = contests.find((contest) => contest.view === view && contest.round === sent.round);
  if (known !== undefined) return known;
  const begun = { view, round: sent.round, members, began: sent.at, sentAt: [] };
  contests.push(begun);
  return begun;
}
