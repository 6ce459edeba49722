import { ask, close, count, readBallot, readQuestion, voteOf, type Ballot, type Poll, type Verdict } from "./poll.js";

/** A request to the teller. Any page can be the teller. */
export type Paper =
  | { readonly kind: "ballot"; readonly voter: string; readonly ballot: Ballot }
  | { readonly kind: "close"; readonly poll: number }
  | { readonly kind: "ask"; readonly after: number; readonly question: string; readonly choices: readonly string[] };

/**
 * A teller's answer to a voter whose ballot the teller did not count. Other voters need no answer, because the tally
 * contains the ids of all counted voters.
 */
export interface Answer {
  readonly to: string;
  readonly poll: number;
  readonly verdict: Verdict;
  /** The voter's counted vote; null if no vote of the voter is counted. */
  readonly choice: number | null;
}

/** The maximum number of stored requests. If the box is full, voters send their ballots again later. */
export const MAX_PAPERS = 1000;

/**
 * Parses a member's message. Returns null if the message is not a request. `from` is the sender that
 * the hub reports.
 */
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
 * The open requests in the order of their arrival.
 *
 * Every page stores the open requests, not only the teller's page. Therefore a new teller has the requests that
 * the last teller did not process.
 */
export class BallotBox {
  private waiting: readonly Paper[] = [];

  get papers(): readonly Paper[] {
    return this.waiting;
  }

  /**
   * Stores a request. Returns false if the box is full or the request is a duplicate. Also returns false if the request
   * is not a ballot and the poll is unknown or would not change.
   *
   * For each poll, only the first ballot of a voter is stored.
   */
  put(paper: Paper, poll: Poll | null): boolean {
    if (this.waiting.length >= MAX_PAPERS || this.waiting.some((each) => isSame(each, paper))) return false;
    if (paper.kind !== "ballot" && (poll === null || settle(poll, [paper]).poll === poll)) return false;
    // The method always creates a new array, because the teller iterates over the old array while
    // requests arrive.
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
 * The answers are valid only for the returned poll. Send the answers after this poll is saved, because the next teller
 * may decide differently if the poll is lost.
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
