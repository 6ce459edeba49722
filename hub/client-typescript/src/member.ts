/**
 * Reads members from presence messages and compares them. A *member* is one client on one connection.
 *
 * Source: docs/spec/ranking.md, K3 to K6.
 */

/** `L` claims leadership, `F` follows. */
export type Role = "L" | "F";

/** One member, as the channel's presence set shows it. */
export interface Member {
  /** Unique among all members, and never the same on two connections. */
  readonly key: string;
  readonly clientId: string;
  /** The hub's time of the member's present data, in milliseconds. A later change gives a lower rank. */
  readonly order: number;
  readonly role: Role;
  /** The term that the member wrote; 0 if it wrote none. */
  readonly term: number;
  /** The term that the hub granted, which no member can write. Null where the hub does not grant claims. */
  readonly stamped: number | null;
  readonly prio: number;
  /** Whether the member may be elected. */
  readonly elig: boolean;
  /** The number that the author gave to this data; null in a stranger's data (K3). */
  readonly seq: number | null;
  /** Set while the data is as the hub left it when it ended the claim. `successor` is the named successor, or null (K19). */
  readonly ended?: { readonly successor: string | null };
}

/** The presence data that a swarm writes. Clients that write other data are members that never lead. */
export interface MemberData {
  readonly v: 1;
  readonly role: Role;
  readonly term: number;
  readonly prio: number;
  readonly seq: number;
  readonly elig?: false;
  readonly ttl?: number;
}

/** The highest valid term (K3). The limit keeps a foreign member from pushing terms out of the safe integers. */
export const MAX_TERM = 2 ** 52;

/** The header for the term. The hub stamps it on the presence of a granted claim; a leader sets it on its messages. */
export const TERM_HEADER = "doyen-term";

/** The header for the slot of a claim. Without it the claim is for the leader's slot (claims.md, C13). */
const SLOT_HEADER = "doyen-slot";
const LEADER = "leader";

/** The headers for the reason of a claim's end, and for the successor (claims.md, C16). */
const REASON_HEADER = "doyen-reason";
const SUCCESSOR_HEADER = "doyen-successor";

/** The fields of a presence message that decide. */
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

/** Converts a presence message to a member. A stranger's data gives a member that is not eligible (K3). */
export function readMember(message: PresenceFacts): Member {
  const key = memberKey(message.connectionId, message.clientId);
  const successor = header(message.extras, SUCCESSOR_HEADER);
  const ended = typeof header(message.extras, REASON_HEADER) === "string";
  const common = {
    key,
    clientId: message.clientId,
    order: message.timestamp,
    stamped: stampedTerm(message.extras),
    ...(ended ? { ended: { successor: typeof successor === "string" ? successor : null } } : {}),
  };
  const data = message.data;
  if (!isRecord(data)) {
    const role = data === "leader" ? "L" : "F";
    return { ...common, role, term: 0, prio: 0, elig: false, seq: null };
  }
  // A member that holds or claims another slot leads nobody here, whatever its term, because each slot has its own
  // terms.
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

/** The leader's term in `extras.headers`, a number or digits. Null if there is none, or if it is another slot's. */
export function stampedTerm(extras: unknown): number | null {
  const slot = header(extras, SLOT_HEADER);
  if (typeof slot === "string" && slot !== LEADER && !slot.startsWith(`${LEADER}/`)) return null;
  const value = header(extras, TERM_HEADER);
  return termOf(typeof value === "string" && /^\d{1,16}$/.test(value) ? Number(value) : value);
}

/** The term that counts for a claim: the stamped one, else the member's own (K4). */
export function termOfClaim(member: Member): number {
  return member.stamped ?? member.term;
}

/**
 * The member that leads in a set, or null (K4).
 *
 * If the hub has stamped a claim, only stamped claims count. Then the highest term wins, then the lowest order, then
 * the lowest key.
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

/** Number of eligible members that rank before this one; 0 is first in rank (K5). */
export function position(members: Iterable<Member>, me: Member): number {
  let before = 0;
  for (const member of members) {
    if (member.elig && member.key !== me.key && compareRank(member, me) < 0) before++;
  }
  return before;
}

/**
 * Compares members by rank: higher priority, then lower order, then lower key (K5). Negative if `a` ranks before `b`.
 */
export function compareRank(a: Member, b: Member): number {
  return b.prio - a.prio || a.order - b.order || compareKeys(a.key, b.key);
}

/** Compares keys by their UTF-8 bytes. That is the order of code points, not of UTF-16 units. */
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
