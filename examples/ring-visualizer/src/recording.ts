/**
 * A recorded election on a ring, which the server sends at /ring/recording.
 *
 * The recording contains the messages that the production ring machines sent in a simulated network. In this network, a
 * message crosses each link in one hop of `hopMillis`. Members are identified by their ring positions, from 0. Times
 * are in milliseconds of simulated time.
 */
export interface Recording {
  /** The numbers of the members, in ring order. The greatest number should win. */
  readonly numbers: readonly number[];
  readonly algorithm: "chang-roberts" | "peterson";
  readonly fault: string;
  readonly seed: number;
  readonly hopMillis: number;
  /** False if the recording stopped early because it reached the maximum length. */
  readonly whole: boolean;
  readonly events: readonly RecordedEvent[];
}

export type Kind = "elect" | "retry" | "compare" | "chosen" | "elected" | "heartbeat" | "nack" | "state";

/**
 * The fate of a message.
 *
 * - `passed`: the receiver forwarded the message
 * - `stopped`: the receiver processed the message and did not forward it
 * - `home`: the message returned to the member that it is about
 * - `held`: the receiver stores the message for a later view
 * - `dropped`: the receiver ignored the message
 * - `lost`: the message did not arrive
 */
export type Fate = "passed" | "stopped" | "home" | "held" | "dropped" | "lost";

export interface Sent {
  readonly at: number;
  readonly what: "sent";
  readonly id: number;
  readonly kind: Kind;
  readonly from: number;
  readonly to: number;
  /** The number of the member whose key the message carries. */
  readonly number: number;
  readonly view: number;
  readonly round: number;
  /** The phase of Peterson's algorithm, from 1. */
  readonly phase?: number;
  /** True if the message is the second message of its phase in Peterson's algorithm. */
  readonly second?: boolean;
}

export type RecordedEvent =
  | Sent
  | { readonly at: number; readonly what: "ended"; readonly id: number; readonly fate: Fate }
  | { readonly at: number; readonly what: "view"; readonly view: number; readonly members: readonly number[] }
  | { readonly at: number; readonly what: "installed"; readonly member: number; readonly view: number }
  | { readonly at: number; readonly what: "leads"; readonly member: number; readonly term: number }
  | {
      readonly at: number;
      readonly what: "stepsDown";
      readonly member: number;
      readonly term: number;
      readonly cause: string;
    }
  | { readonly at: number; readonly what: "knows"; readonly member: number; readonly leader?: number }
  | { readonly at: number; readonly what: "crashed"; readonly member: number }
  | { readonly at: number; readonly what: "parted"; readonly members: readonly number[] }
  | { readonly at: number; readonly what: "healed" };

/** Thrown if the server rejects a request for a recording. */
export class Refused extends Error {}

export async function record(query: URLSearchParams): Promise<Recording> {
  const answer = await fetch(`recording?${query.toString()}`);
  if (!answer.ok) throw new Refused((await answer.text()).trim());
  return (await answer.json()) as Recording;
}

/** Returns the time of the last event. */
export function endOf(recording: Recording): number {
  return recording.events.at(-1)?.at ?? 0;
}
