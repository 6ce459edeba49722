/**
 * A *member* is one client on one connection, present on the channel; this file says how members compare.
 *
 * Source: docs/spec/ranking.md, K3 to K5.
 */

/** `L` claims to lead, `F` follows. */
export type Role = "L" | "F";

/** One member as the channel's presence set shows it. */
export interface Member {
  /** Unique among all members, and never the same on two connections. */
  readonly key: string;
  readonly clientId: string;
  /** The hub's time of the member's present data, in milliseconds: members that changed later stand further back. */
  readonly order: number;
  readonly role: Role;
  /** The term the member itself wrote; 0 if it wrote none. */
  readonly term: number;
  /** The term the hub granted, which no member can write; null where the hub does not grant claims. */
  readonly stamped: number | null;
  readonly prio: number;
  /** Whether it may be elected. */
  readonly elig: boolean;
  /** The number its author gave to this data; null in data that is not ours. */
  readonly seq: number | null;
  /** There while this is the data that the hub left it when it took its claim away; who is to claim next, if it said so. */
  readonly ended?: { readonly heir: string | null };
}

/** The presence data a swarm writes. Other clients may write other data: they are members that never lead. */
export interface MemberData {
  readonly v: 1;
  readonly role: Role;
  readonly term: number;
  readonly prio: number;
  readonly seq: number;
  readonly elig?: false;
  readonly ttl?: number;
}

/** A data term beyond this is taken for nonsense, so that nobody can push the next claim out of the integers. */
export const MAX_TERM = 2 ** 52;

/** The header that a hub stamps on the presence of the member it granted a claim to, and a leader on its messages. */
export const TERM_HEADER = "doyen-term";

/** The header that says which slot of the channel a claim is for; where there is none it is the leader's (claims.md, C13). */
const SLOT_HEADER = "doyen-slot";
const LEADER = "leader";

/** The headers by which a hub says why it took a claim away, and who is to claim next (claims.md, C16). */
const REASON_HEADER = "doyen-reason";
const HEIR_HEADER = "doyen-heir";

/** What a presence message says, whoever wrote it. */
export interface PresenceFacts {
  readonly clientId: string;
  readonly connectionId: string;
  readonly timestamp: number;
  readonly data: unknown;
  readonly extras: unknown;
}

export function memberKey(connectionId: string, clientId: string): string {
  return `${connectionId}:${clientId}`;
}

/** Reads a member out of a presence message. Data that is not ours is a member that is not eligible (K3). */
export function readMember(message: PresenceFacts): Member {
  const key = memberKey(message.connectionId, message.clientId);
  const heir = header(message.extras, HEIR_HEADER);
  const ended = typeof header(message.extras, REASON_HEADER) === "string";
  const common = {
    key,
    clientId: message.clientId,
    order: message.timestamp,
    stamped: stampedTerm(message.extras),
    ...(ended ? { ended: { heir: typeof heir === "string" ? heir : null } } : {}),
  };
  const data = message.data;
  if (!isRecord(data)) {
    const role = data === "leader" ? "L" : "F";
    return { ...common, role, term: 0, prio: 0, elig: false, seq: null };
  }
  // Whoever holds or wants another slot leads nobody here, whatever its term is: each slot counts its own.
  const other = (data["slot"] ?? LEADER) !== LEADER;
  return {
    ...common,
    role: data["role"] === "L" && !other ? "L" : "F",
    term: termOf(data["term"]) ?? 0,
    prio: Number.isSafeInteger(data["prio"]) ? (data["prio"] as number) : 0,
    elig: data["v"] === 1 && data["elig"] !== false && !other,
    seq: Number.isSafeInteger(data["seq"]) ? (data["seq"] as number) : null,
  };
}

/** The leader's term in `extras.headers`, a number or digits in a string; null if there is none, or another slot's. */
export function stampedTerm(extras: unknown): number | null {
  const slot = header(extras, SLOT_HEADER);
  if (typeof slot === "string" && slot !== LEADER && !slot.startsWith(`${LEADER}/`)) return null;
  const value = header(extras, TERM_HEADER);
  return termOf(typeof value === "string" && /^\d{1,16}$/.test(value) ? Number(value) : value);
}

/** The term a member's claim counts for: the hub's, else its own (K4). */
export function termOfClaim(member: Member): number {
  return member.stamped ?? member.term;
}

/**
 * The one member that leads in a set, or null (K4). If the hub stamped any claim, only stamped ones count. Then the
 * highest term; then the first in hub order; then the lowest key.
 */
export function winner(members: Iterable<Member>): Member | null {
  let best: Member | null = null;
  for (const member of members) {
    if (member.role === "L" && (best === null || beats(member, best))) best = member;
  }
  return best;
}

function beats(a: Member, b: Member): boolean {
  if ((a.stamped === null) !== (b.stamped === null)) return a.stamped !== null;
  const terms = termOfClaim(a) - termOfClaim(b);
  if (terms !== 0) return terms > 0;
  return (a.order - b.order || compareKeys(a.key, b.key)) < 0;
}

/** How many eligible members stand before this one: 0 is the first to claim (K5). */
export function position(members: Iterable<Member>, me: Member): number {
  let before = 0;
  for (const member of members) {
    if (member.elig && member.key !== me.key && compareRank(member, me) < 0) before++;
  }
  return before;
}

/** Negative if `a` stands before `b`: higher priority, then hub order, then key (K5). */
export function compareRank(a: Member, b: Member): number {
  return b.prio - a.prio || a.order - b.order || compareKeys(a.key, b.key);
}

/** Orders keys by their UTF-8 bytes, which is the order of their code points and not that of UTF-16 units. */
export function compareKeys(a: string, b: string): number {
  const left = Array.from(a);
  const right = Array.from(b);
  const length = Math.min(left.length, right.length);
  for (let i = 0; i < length; i++) {
    const difference = (left[i]?.codePointAt(0) ?? 0) - (right[i]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

function termOf(value: unknown): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 && value <= MAX_TERM ? value : null;
}

function header(extras: unknown, name: string): unknown {
  return isRecord(extras) && isRecord(extras["headers"]) ? extras["headers"][name] : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
