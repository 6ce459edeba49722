/**
 * A recorded election on a ring, from /ring/recording.
 *
 * It contains the messages that the production ring machines sent in a world in which a link takes one hop. Members are
 * named by their ring positions, from 0. Times are milliseconds of that world.
 */
export interface Recording {
  /** The members' numbers, in ring order. The greatest one is to win. */
  readonly numbers: readonly number[];
  readonly algorithm: "chang-roberts" | "peterson";
  readonly fault: string;
  readonly seed: number;
  readonly hopMillis: number;
  /** False if the recording was cut short. */
  readonly whole: boolean;
  readonly events: readonly RecordedEvent[];
}

export type Kind = "elect" | "retry" | "compare" | "chosen" | "elected" | "heartbeat" | "nack" | "state";

/**
 * How a message ended.
 *
 * - `passed`: forwarded
 * - `stopped`: processed and not forwarded
 * - `home`: returned to its member
 * - `held`: kept for a later view
 * - `dropped`: ignored
 * - `lost`: did not arrive
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
  /** Whether it is the second of the two messages of a Peterson phase. */
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

/** The server's rejection of a request for a recording. */
export class Refused extends Error {}

export async function record(query: URLSearchParams): Promise<Recording> {
  const answer = await fetch(`recording?${query.toString()}`);
  if (!answer.ok) throw new Refused((await answer.text()).trim());
  return (await answer.json()) as Recording;
}

/** Time of the last event. */
export function endOf(recording: Recording): number {
  return recording.events.at(-1)?.at ?? 0;
}
