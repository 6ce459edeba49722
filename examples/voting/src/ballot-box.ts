import { ask, close, count, readBallot, readQuestion, voteOf, type Ballot, type Poll, type Verdict } from "./poll.js";

/** A request to the teller, whichever page that is. */
export type Paper =
  | { readonly kind: "ballot"; readonly voter: string; readonly ballot: Ballot }
  | { readonly kind: "close"; readonly poll: number }
  | { readonly kind: "ask"; readonly after: number; readonly question: string; readonly choices: readonly string[] };

/** A teller's answer to one voter whose ballot it did not count. Counted voters find their id in the tally. */
export interface Answer {
  readonly to: string;
  readonly poll: number;
  readonly verdict: Verdict;
  /** The counted vote, if there is one. */
  readonly choice: number | null;
}

/** Maximum number of stored requests. Voters send the others again. */
export const MAX_PAPERS = 1000;

/** Parses a member's message; null if it is no request. `from` is the sender according to the hub. */
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
 * The open requests, in the order of arrival.
 *
 * Every page stores them, not only the teller's. So a new teller finds those that the last one did not process.
 */
export class BallotBox {
  private waiting: readonly Paper[] = [];

  get papers(): readonly Paper[] {
    return this.waiting;
  }

  /**
   * Stores a request. Returns false if it is a duplicate, if there are too many, or if it would change nothing in the
   * poll.
   *
   * Only the first ballot of each voter is stored.
   */
  put(paper: Paper, poll: Poll | null): boolean {
    if (this.waiting.length >= MAX_PAPERS || this.waiting.some((each) => isSame(each, paper))) return false;
    if (paper.kind !== "ballot" && (poll === null || settle(poll, [paper]).poll === poll)) return false;
    // Always make a new array, because the teller iterates over the old one while requests still arrive.
    this.waiting = [...this.waiting, paper];
    return true;
  }

  /** Removes the requests that this saved tally contains. */
  handedOver(poll: Poll): void {
    this.waiting = this.waiting.filter((paper) => !isDone(paper, poll));
  }

  /** Removes the ballot that a teller has answered. */
  answered({ to, poll }: Answer): void {
    this.waiting = this.waiting.filter(
      (paper) => paper.kind !== "ballot" || paper.voter !== to || paper.ballot.poll !== poll,
    );
  }

  /** Removes requests whose results are saved or sent. */
  dealtWith(papers: readonly Paper[]): void {
    this.waiting = this.waiting.filter((paper) => !papers.includes(paper));
  }
}

/**
 * Processes requests in their order.
 *
 * The answers are valid for the returned poll. So send them only after that poll is saved; otherwise the next teller
 * might decide differently.
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
