/**
 * The poll and how it is counted: pure, so that the next teller counts on as the last one did. All there is to know of a
 * poll is in this value, which a teller hands over.
 */
export interface Poll {
  /** Rises by one with each question. */
  readonly number: number;
  readonly question: string;
  readonly choices: readonly string[];
  readonly open: boolean;
  /** What each voter chose, as the place of it in `choices`. A name is in here once: so is its vote. */
  readonly votes: Readonly<Record<string, number>>;
}

/** What a voter sends. */
export interface Ballot {
  readonly poll: number;
  readonly choice: number;
}

/** What became of a ballot. Only `counted` changes the tally. */
export type Verdict = "counted" | "counted before" | "late" | "stale" | "no such choice" | "no name" | "full";

/** A state that is handed over has 48 KiB at most; this many names of the greatest length fit. */
export const MAX_VOTES = 500;
export const MAX_CHOICES = 6;
/** Longest question and choice, in characters. */
export const MAX_QUESTION = 140;
export const MAX_CHOICE = 40;
/** A voter's name has a byte for each character, however it is written into a message. */
const NAME = /^[\w.:@+-]{1,64}$/;

export const FIRST_POLL: Poll = {
  number: 1,
  question: "What shall we have for lunch?",
  choices: ["Soup", "Noodles", "Salad"],
  open: true,
  votes: {},
};

/** Counts a ballot, once for each voter: the first that is counted stands. */
export function count(poll: Poll, voter: string, ballot: Ballot): { readonly poll: Poll; readonly verdict: Verdict } {
  const verdict = judge(poll, voter, ballot);
  if (verdict !== "counted") return { poll, verdict };
  return { poll: { ...poll, votes: { ...poll.votes, [voter]: ballot.choice } }, verdict };
}

function judge(poll: Poll, voter: string, { poll: number, choice }: Ballot): Verdict {
  if (!isVoter(voter)) return "no name";
  if (number !== poll.number) return "stale";
  if (voteOf(poll, voter) !== null) return "counted before";
  if (!poll.open) return "late";
  if (!Number.isInteger(choice) || choice < 0 || choice >= poll.choices.length) return "no such choice";
  return Object.keys(poll.votes).length >= MAX_VOTES ? "full" : "counted";
}

/** Ends the poll of this number; another is as it was. Asked twice, it is done once. */
export function close(poll: Poll, number: number): Poll {
  return poll.open && poll.number === number ? { ...poll, open: false } : poll;
}

/** Asks another question, if the poll of this number is over. Asked twice, it is asked once. */
export function ask(poll: Poll, after: number, question: string, choices: readonly string[]): Poll {
  if (poll.open || poll.number !== after) return poll;
  return { number: poll.number + 1, question, choices, open: true, votes: {} };
}

/** What this voter's counted vote is; null if none is counted. */
export function voteOf(poll: Poll, voter: string): number | null {
  return Object.hasOwn(poll.votes, voter) ? (poll.votes[voter] ?? null) : null;
}

/** How many votes each choice has. */
export function tally(poll: Poll): number[] {
  const counts = poll.choices.map(() => 0);
  for (const choice of Object.values(poll.votes)) counts[choice] = (counts[choice] ?? 0) + 1;
  return counts;
}

/** Reads a poll that was handed over; null if it is none. */
export function readPoll(state: unknown): Poll | null {
  const found = record(state);
  if (found === null) return null;
  const { number, open } = found;
  const asked = readQuestion(found);
  const votes = record(found["votes"]);
  if (asked === null || votes === null || typeof open !== "boolean") return null;
  if (!Number.isSafeInteger(number) || (number as number) < 1) return null;
  const entries = Object.entries(votes);
  const counts = ([voter, choice]: [string, unknown]): boolean =>
    isVoter(voter) && Number.isInteger(choice) && (choice as number) >= 0 && (choice as number) < asked.choices.length;
  if (entries.length > MAX_VOTES || !entries.every(counts)) return null;
  return { number: number as number, ...asked, open, votes: votes as Record<string, number> };
}

/** Reads a ballot; null if the message is none. */
export function readBallot(data: unknown): Ballot | null {
  const { poll, choice } = record(data) ?? {};
  return Number.isSafeInteger(poll) && Number.isSafeInteger(choice) ? ({ poll, choice } as Ballot) : null;
}

/** Reads a question with its choices; null if it has none, too many, or they are too long. */
export function readQuestion(data: unknown): { readonly question: string; readonly choices: readonly string[] } | null {
  const { question, choices } = record(data) ?? {};
  const isText = (text: unknown, max: number): boolean =>
    typeof text === "string" && text.trim() !== "" && text.length <= max;
  if (!isText(question, MAX_QUESTION) || !Array.isArray(choices)) return null;
  if (choices.length < 2 || choices.length > MAX_CHOICES) return null;
  if (!choices.every((choice) => isText(choice, MAX_CHOICE))) return null;
  return { question: question as string, choices: choices as string[] };
}

export function isVoter(id: unknown): id is string {
  return typeof id === "string" && NAME.test(id);
}

function record(data: unknown): Readonly<Record<string, unknown>> | null {
  return typeof data === "object" && data !== null && !Array.isArray(data) ? (data as Record<string, unknown>) : null;
}
