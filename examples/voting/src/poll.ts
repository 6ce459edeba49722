/**
 * The state of a poll. All functions of this file are pure, so the next teller continues exactly like the
 * last teller.
 *
 * This value is the complete state of a poll, which a teller saves.
 */
export interface Poll {
  /** The number of the poll, which rises by one with each question. */
  readonly number: number;
  readonly question: string;
  readonly choices: readonly string[];
  readonly open: boolean;
  /** The choice of each voter, as an index into `choices`. Each voter occurs once and has one vote. */
  readonly votes: Readonly<Record<string, number>>;
}

/** The message of a voter. */
export interface Ballot {
  readonly poll: number;
  readonly choice: number;
}

/** The result for a ballot. Only `counted` changes the tally. */
export type Verdict = "counted" | "counted before" | "late" | "stale" | "no such choice" | "no name" | "full";

/**
 * The maximum number of votes. This many names of the maximum length fit into a saved state, which
 * has at most 48 KiB.
 */
export const MAX_VOTES = 500;
export const MAX_CHOICES = 6;
/** The maximum length of a question and of a choice, in characters. */
export const MAX_QUESTION = 140;
export const MAX_CHOICE = 40;
/** The form of a voter's name. Each character of the name takes one byte in a message. */
const NAME = /^[\w.:@+-]{1,64}$/;

export const FIRST_POLL: Poll = {
  number: 1,
  question: "What shall we have for lunch?",
  choices: ["Soup", "Noodles", "Salad"],
  open: true,
  votes: {},
};

/** Counts a ballot. Only the first ballot of each voter is counted. */
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

/** Closes the poll with this number, and leaves any other poll unchanged. The function is idempotent. */
export function close(poll: Poll, number: number): Poll {
  return poll.open && poll.number === number ? { ...poll, open: false } : poll;
}

/** Starts another question if the poll with this number is closed. The function is idempotent. */
export function ask(poll: Poll, after: number, question: string, choices: readonly string[]): Poll {
  if (poll.open || poll.number !== after) return poll;
  return { number: poll.number + 1, question, choices, open: true, votes: {} };
}

/** Returns the counted vote of this voter; null if no vote of the voter is counted. */
export function voteOf(poll: Poll, voter: string): number | null {
  return Object.hasOwn(poll.votes, voter) ? (poll.votes[voter] ?? null) : null;
}

/** Returns the number of votes for each choice. */
export function tally(poll: Poll): number[] {
  const counts = poll.choices.map(() => 0);
  for (const choice of Object.values(poll.votes)) counts[choice] = (counts[choice] ?? 0) + 1;
  return counts;
}

/** Parses a saved poll. Returns null if the state is not a poll. */
export function readPoll(state: unknown): Poll | null {
  const found = record(state);
  if (found === null) return null;
  const { number, open } = found;
  const parsed = readQuestion(found);
  const votes = record(found["votes"]);
  if (parsed === null || votes === null || typeof open !== "boolean") return null;
  if (!Number.isSafeInteger(number) || (number as number) < 1) return null;
  const entries = Object.entries(votes);
  const counts = ([voter, choice]: [string, unknown]): boolean =>
    isVoter(voter) && Number.isInteger(choice) && (choice as number) >= 0 && (choice as number) < parsed.choices.length;
  if (entries.length > MAX_VOTES || !entries.every(counts)) return null;
  return { number: number as number, ...parsed, open, votes: votes as Record<string, number> };
}

/** Parses a ballot. Returns null if the message is not a ballot. */
export function readBallot(data: unknown): Ballot | null {
  const { poll, choice } = record(data) ?? {};
  return Number.isSafeInteger(poll) && Number.isSafeInteger(choice) ? ({ poll, choice } as Ballot) : null;
}

/**
 * Parses a question with its choices. Returns null if the question has fewer than two or too many choices, or if a text
 * is empty or too long.
 */
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
