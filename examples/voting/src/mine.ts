import { voteOf, type Poll, type Verdict } from "./poll.js";
import type { Answer } from "./ballot-box.js";

/** This page's own vote. */
export interface Mine {
  readonly poll: number;
  readonly choice: number;
  /** The teller's verdict; `sent` before the verdict. */
  readonly verdict: Verdict | "sent";
  /** The term in which the vote was last sent. */
  readonly term: number;
  /** The time at which the vote was last sent, in milliseconds. */
  readonly sentAt: number;
}

/** The delay before a ballot without a verdict is sent again. The teller's box of requests may have been full. */
export const AGAIN_MILLIS = 2000;

export function cast(poll: Poll, choice: number, term: number, now: number): Mine {
  return { poll: poll.number, choice, verdict: "sent", term, sentAt: now };
}

/** Returns this page's vote, updated from the tally. A vote in the tally is a counted vote. */
export function inTally(mine: Mine | null, poll: Poll, voter: string): Mine | null {
  const choice = voteOf(poll, voter);
  // The vote may have been counted before this page was reloaded.
  if (choice !== null) return { poll: poll.number, choice, verdict: "counted", term: 0, sentAt: 0 };
  return mine !== null && mine.poll < poll.number ? null : mine;
}

export function answered(mine: Mine | null, answer: Answer, voter: string): Mine | null {
  if (mine === null || answer.to !== voter || answer.poll !== mine.poll || mine.verdict !== "sent") return mine;
  return { ...mine, verdict: answer.verdict, choice: answer.choice ?? mine.choice };
}

/** Returns true if the ballot must be sent again: at once to a new teller, and otherwise after `AGAIN_MILLIS`. */
export function isDue(mine: Mine | null, term: number, now: number): mine is Mine {
  if (mine === null || mine.verdict !== "sent") return false;
  return term > mine.term || now - mine.sentAt >= AGAIN_MILLIS;
}
