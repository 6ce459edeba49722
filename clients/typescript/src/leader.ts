/** The leader, as the elector last reported it. */
export interface Leader {
  /** The leader's name; `""` if nobody leads or the leader is unknown. */
  readonly name: string;
  /** True if the elector's last answer is at most `believeMillis` old. False before the first answer. */
  readonly known: boolean;
  /**
   * True if this app is the leader. This field is false if `known` is false. In a replayed event, the field
   * describes the past.
   */
  readonly isMe: boolean;
  /** The leader's term, which is a fencing token. Only the API under `/v1` reports the term. */
  readonly term?: number;
}

export const UNKNOWN: Leader = { name: "", known: false, isMe: false };

/** Parses `{"name","last_update"}` or an election of `/v1`, and throws if the text has neither form. */
export function leaderIn(json: string, me: string): Leader {
  let body: unknown;
  try {
    body = JSON.parse(json);
  } catch {
    body = undefined;
  }
  const fields = record(body);
  const leader = record(fields?.["leader"]);
  const name = fields?.["name"];
  const isElection = fields !== undefined && "leader" in fields;
  // The NAIS elector answers `{}` before it has found a leader.
  const isEmpty = fields !== undefined && !Array.isArray(fields) && Object.keys(fields).length === 0;
  if (isEmpty || (isElection && fields["leader"] === null)) return { name: "", known: true, isMe: false };
  if (isElection) {
    const [id, term] = [leader?.["id"], leader?.["term"]];
    if (typeof id === "string" && typeof term === "number") return { name: id, known: true, isMe: id === me, term };
  } else if (typeof name === "string") {
    return { name, known: true, isMe: name !== "" && name === me };
  }
  throw new Error(`the response is not an answer of an elector: ${json.slice(0, 100)}`);
}

/** Returns true if both answers contain the same state. */
export function same(one: Leader, other: Leader): boolean {
  return one.name === other.name && one.known === other.known && one.term === other.term;
}

function record(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
}
