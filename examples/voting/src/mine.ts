import { voteOf, type Poll, type Verdict } from "./poll.js";
import type { Answer } from "./desk.js";

/** This page's own vote. */
export interface Mine {
  readonly poll: number;
  readonly choice: number;
  /** What is known of it; `sent` until a teller has said something. */
  readonly verdict: Verdict | "sent";
  /** In which term it was sent last, and when, in milliseconds. */
  readonly term: number;
  readonly sentAt: number;
}

/** A ballot that nobody has dealt with is sent again after so long: a teller's desk may have been full. */
export const AGAIN_MILLIS = 2000;

export function cast(poll: Poll, choice: number, term: number, now: number): Mine {
  return { poll: poll.number, choice, verdict: "sent", term, sentAt: now };
}

/** What the tally says of it: in there, it is counted, and as the tally says. */
export function inTally(mine: Mine | null, poll: Poll, voter: string): Mine | null {
  const choice = voteOf(poll, voter);
  // A vote that was counted before this page was loaded again is this voter's all the same.
  if (choice !== null) return { poll: poll.number, choice, verdict: "counted", term: 0, sentAt: 0 };
  return mine !== null && mine.poll < poll.number ? null : mine;
}

export function told(mine: Mine | null, answer: Answer, voter: string): Mine | null {
  if (mine === null || answer.to !== voter || answer.poll !== mine.poll || mine.verdict !== "sent") return mine;
  return { ...mine, verdict: answer.verdict, choice: answer.choice ?? mine.choice };
}

/** Whether to send it again: to another teller at once, to the same one after a while; to nobody as long as there is none. */
export function isDue(mine: Mine | null, term: number, now: number): mine is Mine {
  if (mine === null || mine.verdict !== "sent") return false;
  return term > mine.term || now - mine.sentAt >= AGAIN_MILLIS;
}
