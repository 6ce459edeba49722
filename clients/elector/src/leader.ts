/** Who leads, as the elector said it last. */
export interface Leader {
  /** The leader's name; `""` if nobody leads, and if it is not known who does. */
  readonly name: string;
  /** False if the elector has not been heard for longer than it is believed, or not yet. */
  readonly known: boolean;
  /** Whether that is this app. Never true if it is not known. Of an event that is replayed it tells the past. */
  readonly isMe: boolean;
  /** The leader's term, a fencing token; told under `/v1` only. */
  readonly term?: number;
}

export const UNKNOWN: Leader = { name: "", known: false, isMe: false };

/** Reads `{"name","last_update"}` and an election of `/v1`. Throws if it is neither. */
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
  // NAIS' elector, before it knows anything.
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

/** Whether there is nothing new in it. */
export function same(one: Leader, other: Leader): boolean {
  return one.name === other.name && one.known === other.known && one.term === other.term;
}

function record(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
}
