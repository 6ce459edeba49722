/**
 * A recording, as /ring/recording gives it: what shipped ring machines sent in a world in which a link takes one hop. Members
 * are named by their places on the ring, from 0; times are milliseconds of that world.
 */
export interface Recording {
  /** Of the members, in the order of the ring; the greatest is to win. */
  readonly numbers: readonly number[];
  readonly algorithm: "chang-roberts" | "peterson";
  readonly mishap: string;
  readonly seed: number;
  readonly hopMillis: number;
  /** False if it was cut short. */
  readonly whole: boolean;
  readonly events: readonly RecordedEvent[];
}

export type Kind = "elect" | "retry" | "compare" | "chosen" | "elected" | "beat" | "nack" | "state";

/** Sent on, read and gone no further, back home, kept for a view to come, of no use, not arrived. */
export type Fate = "passed" | "stopped" | "home" | "held" | "dropped" | "lost";

export interface Sent {
  readonly at: number;
  readonly what: "sent";
  readonly id: number;
  readonly kind: Kind;
  readonly from: number;
  readonly to: number;
  /** Of the member that the message is about. */
  readonly number: number;
  readonly view: number;
  readonly round: number;
  /** Peterson's, from 1. */
  readonly phase?: number;
  /** Of Peterson's two messages of a phase. */
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

/** What the server said when it would not make one. */
export class Refused extends Error {}

export async function record(query: URLSearchParams): Promise<Recording> {
  const answer = await fetch(`recording?${query.toString()}`);
  if (!answer.ok) throw new Refused((await answer.text()).trim());
  return (await answer.json()) as Recording;
}

/** When the last thing happens. */
export function endOf(recording: Recording): number {
  return recording.events.at(-1)?.at ?? 0;
}
