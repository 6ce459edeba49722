import { ask, close, count, readBallot, readQuestion, voteOf, type Ballot, type Poll, type Verdict } from "./poll.js";

/** What somebody asked of the teller, whoever that is. */
export type Paper =
  | { readonly kind: "ballot"; readonly voter: string; readonly ballot: Ballot }
  | { readonly kind: "close"; readonly poll: number }
  | { readonly kind: "ask"; readonly after: number; readonly question: string; readonly choices: readonly string[] };

/** What a teller tells one voter. Who was counted is told nothing: its name is in the tally. */
export interface Answer {
  readonly to: string;
  readonly poll: number;
  readonly verdict: Verdict;
  /** The counted vote, if there is one. */
  readonly choice: number | null;
}

/** More papers than these are not kept; their voters send them again. */
export const MAX_PAPERS = 1000;

/** Reads what a member sent; null if it is nothing for a teller. `from` is who the hub says sent it. */
export function readPaper(name: string | undefined, from: string | undefined, data: unknown): Paper | null {
  const numbers = data as { poll?: unknown; after?: unknown } | null | undefined;
  if (name === "ballot") {
    const ballot = readBallot(data);
    return ballot === null || from === undefined ? null : { kind: "ballot", voter: from, ballot };
  }
  if (name === "close") {
    return Number.isSafeInteger(numbers?.poll) ? { kind: "close", poll: numbers?.poll as number } : null;
  }
  const question = name === "ask" ? readQuestion(data) : null;
  if (question === null || !Number.isSafeInteger(numbers?.after)) return null;
  return { kind: "ask", after: numbers?.after as number, ...question };
}

/**
 * The papers that nobody has dealt with, in the order in which they came. Every page keeps them, not only the teller's: whoever
 * is elected finds those that the last teller left.
 */
export class Desk {
  private waiting: readonly Paper[] = [];

  get papers(): readonly Paper[] {
    return this.waiting;
  }

  /**
   * Keeps a paper; false if it is there already, there are too many, or it would change nothing at the poll as it is known here.
   * Of the ballots of one voter the first is kept.
   */
  put(paper: Paper, poll: Poll | null): boolean {
    if (this.waiting.length >= MAX_PAPERS || this.waiting.some((each) => isSame(each, paper))) return false;
    if (paper.kind !== "ballot" && (poll === null || settle(poll, [paper]).poll === poll)) return false;
    // Another list each time: the teller deals with the one it was given, while papers still come.
    this.waiting = [...this.waiting, paper];
    return true;
  }

  /** This tally was handed over: what it shows as done is done. */
  handedOver(poll: Poll): void {
    this.waiting = this.waiting.filter((paper) => !isDone(paper, poll));
  }

  /** A teller answered this voter. */
  answered({ to, poll }: Answer): void {
    this.waiting = this.waiting.filter(
      (paper) => paper.kind !== "ballot" || paper.voter !== to || paper.ballot.poll !== poll,
    );
  }

  /** These were dealt with: what follows from them is handed over or told. */
  dealtWith(papers: readonly Paper[]): void {
    this.waiting = this.waiting.filter((paper) => !papers.includes(paper));
  }
}

/**
 * Deals with papers in their order. The answers rest on the poll that comes back, so they may be told only when that has been
 * handed over: else the next teller might decide otherwise.
 */
export function settle(poll: Poll, papers: readonly Paper[]): { readonly poll: Poll; readonly answers: Answer[] } {
  const answers: Answer[] = [];
  for (const paper of papers) {
    if (paper.kind === "close") poll = close(poll, paper.poll);
    else if (paper.kind === "ask") poll = ask(poll, paper.after, paper.question, paper.choices);
    else {
      const { voter, ballot } = paper;
      const counted = count(poll, voter, ballot);
      poll = counted.poll;
      if (counted.verdict === "counted") continue;
      const choice = ballot.poll === poll.number ? voteOf(poll, voter) : null;
      answers.push({ to: voter, poll: ballot.poll, verdict: counted.verdict, choice });
    }
  }
  return { poll, answers };
}

function isSame(a: Paper, b: Paper): boolean {
  if (a.kind === "ballot") return b.kind === "ballot" && a.voter === b.voter && a.ballot.poll === b.ballot.poll;
  if (a.kind === "close") return b.kind === "close" && a.poll === b.poll;
  return b.kind === "ask" && a.after === b.after;
}

function isDone(paper: Paper, poll: Poll): boolean {
  if (paper.kind === "ballot") return paper.ballot.poll === poll.number && voteOf(poll, paper.voter) !== null;
  if (paper.kind === "close") return poll.number > paper.poll || (poll.number === paper.poll && !poll.open);
  return poll.number > paper.after;
}
