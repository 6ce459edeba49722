/**
 * Reads members from presence messages and compares them. A *member* is one client on one connection.
 *
 * The rules are K3 to K6 of docs/spec/ranking.md.
 */

/** The role of a member: `L` claims leadership, and `F` follows. */
export type Role = "L" | "F";

/** A member as the channel's presence set describes it. */
export interface Member {
  /** The unique key of the member. Two connections never have the same key. */
  readonly key: string;
  readonly clientId: string;
  /** The hub's timestamp of the member's current presence data, in milliseconds. A later time gives a lower rank. */
  readonly order: number;
  readonly role: Role;
  /** The term that the member wrote, or 0 if the member wrote none. */
  readonly term: number;
  /**
   * The term that the hub granted, which no member can write. The value is null if the hub has granted no claim of this
   * member.
   */
  readonly stamped: number | null;
  readonly prio: number;
  /** True if the member may be elected. */
  readonly elig: boolean;
  /** The number that the member gave to this data. The value is null if the data is not from a swarm (K3). */
  readonly seq: number | null;
  /**
   * Set after the hub has ended the claim, until the member writes new data. `successor` is the named successor, or
   * null (K19).
   */
  readonly ended?: { readonly successor: string | null };
}

/**
 * The presence data that a swarm writes. A member with other data is not eligible, but its data can be a claim (K3).
 */
export interface MemberData {
  readonly v: 1;
  readonly role: Role;
  readonly term: number;
  readonly prio: number;
  readonly seq: number;
  readonly elig?: false;
  readonly ttl?: number;
}

/** The highest valid term (K3). The limit prevents another client from raising terms beyond the safe integers. */
export const MAX_TERM = 2 ** 52;

/**
 * The header for the term. The hub sets this header on the presence message of a member whose claim it has granted. A
 * leader sets it on its messages.
 */
export const TERM_HEADER = "doyen-term";

/** The header for the slot of a claim. A claim without this header is for the leader slot (claims.md, C13). */
const SLOT_HEADER = "doyen-slot";
const LEADER = "leader";

/** The headers for the reason why a claim ended and for the successor (claims.md, C16). */
const REASON_HEADER = "doyen-reason";
const SUCCESSOR_HEADER = "doyen-successor";

/** The fields of a presence message that affect decisions. */
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

/** Converts a presence message to a member. If the data is not from a swarm, the member is not eligible (K3). */
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
  // A member that holds or claims another slot is not a leader here, whatever its term, because each slot has
  // its own terms.
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

/**
 * Returns the leader's term in `extras.headers`. The header is a number or a string of digits. Returns null if there is
 * no term, or if the term belongs to another slot.
 */
export function stampedTerm(extras: unknown): number | null {
  const slot = header(extras, SLOT_HEADER);
  if (typeof slot === "string" && slot !== LEADER && !slot.startsWith(`${LEADER}/`)) return null;
  const value = header(extras, TERM_HEADER);
  return termOf(typeof value === "string" && /^\d{1,16}$/.test(value) ? Number(value) : value);
}

/** Returns the term of a claim: the stamped term, otherwise the member's own term (K4). */
export function termOfClaim(member: Member): number {
  return member.stamped ?? member.term;
}

/**
 * Returns the member that leads in a set, or null (K4).
 *
 * If the hub has stamped a claim with a term, only stamped claims count. Otherwise all claims count. The highest term
 * wins, then the lowest order, then the lowest key.
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

/**
 * Returns the number of eligible members that rank before this member. The first member in rank has position 0
 * (K5).
 */
export function position(members: Iterable<Member>, me: Member): number {
  let before = 0;
  for (const member of members) {
    if (member.elig && member.key !== me.key && compareRank(member, me) < 0) before++;
  }
  return before;
}

/**
 * Compares members by rank: higher priority, then lower order, then lower key (K5). The result is negative if `a`
 * ranks before `b`.
 */
export function compareRank(a: Member, b: Member): number {
  return b.prio - a.prio || a.order - b.order || compareKeys(a.key, b.key);
}

/** Compares keys by their UTF-8 bytes. This order is the order of code points, not of UTF-16 units. */
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
