/** The leader, as the elector last reported it. */
export interface Leader {
  /** The leader's name; `""` if nobody leads or the leader is unknown. */
  readonly name: string;
  /** False until the elector's first answer, and whenever its last one is older than `believeMillis`. */
  readonly known: boolean;
  /** Whether this app is the leader. Never true if `known` is false. In a replayed event it describes the past. */
  readonly isMe: boolean;
  /** The leader's term, a fencing token. Only the API under `/v1` reports it. */
  readonly term?: number;
}

export const UNKNOWN: Leader = { name: "", known: false, isMe: false };

/** Parses `{"name","last_update"}` or an election of `/v1`. Throws if the text is neither. */
export function leaderIn(json: string, me: string): Leader {
  let body: unknown;
  try {
    body = JSON.parse(json);
  } catch {
    body = undefined;
  }
  const said = record(body);
  const leader = record(said?.["leader"]);
  const name = said?.["name"];
  const isElection = said !== undefined && "leader" in said;
  // NAIS' elector answers `{}` before it knows the leader.
  const isEmpty = said !== undefined && !Array.isArray(said) && Object.keys(said).length === 0;
  if (isEmpty || (isElection && said["leader"] === null)) return { name: "", known: true, isMe: false };
  if (isElection) {
    const [id, term] = [leader?.["id"], leader?.["term"]];
    if (typeof id === "string" && typeof term === "number") return { name: id, known: true, isMe: id === me, term };
  } else if (typeof name === "string") {
    return { name, known: true, isMe: name !== "" && name === me };
  }
  throw new Error(`this is no answer of an elector: ${json.slice(0, 100)}`);
}

/** Whether both report the same state. */
export function same(one: Leader, other: Leader): boolean {
  return one.name === other.name && one.known === other.known && one.term === other.term;
}

function record(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
}
