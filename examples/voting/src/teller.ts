import type { Leadership } from "@doyen/swarm";
import { settle, type Answer, type BallotBox } from "./ballot-box.js";
import { FIRST_POLL, readPoll } from "./poll.js";

/** The delay before a failed save or a failed answer is repeated. */
const RETRY_MILLIS = 1_000;

/**
 * Counts votes while this page leads. The teller starts with the poll that the last teller saved.
 *
 * The teller saves each tally before it sends answers that depend on this tally. Pages show only saved tallies.
 * Therefore a vote that a page has shown is never lost. A save or an answer that fails is repeated while this page
 * leads.
 */
export class Teller {
  private readonly leadership: Leadership;
  private readonly ballotBox: BallotBox;
  private readonly onError: (error: unknown) => void;
  private wake = (): void => {};

  /** Starts to count. `onError` receives each failure that happens while this page leads. */
  constructor(leadership: Leadership, ballotBox: BallotBox, onError: (error: unknown) => void) {
    this.leadership = leadership;
    this.ballotBox = ballotBox;
    this.onError = onError;
    leadership.signal.addEventListener("abort", () => this.wake());
    void this.work();
  }

  /** Wakes the teller, because the box has a new request. */
  called(): void {
    this.wake();
  }

  private async work(): Promise<void> {
    const { leadership, ballotBox } = this;
    let poll = readPoll(leadership.checkpoint?.state) ?? FIRST_POLL;
    // The unchanged poll is saved once more. The pages receive the new term with this state and send their
    // open ballots again.
    if (!(await this.repeated(() => leadership.save(poll)))) return;
    while (!leadership.signal.aborted) {
      const papers = ballotBox.papers;
      const settled = settle(poll, papers);
      // The hub has possibly stored a tally whose save failed. So the teller saves the same tally again. A tally
      // without its votes would replace it.
      if (settled.poll !== poll && !(await this.repeated(() => leadership.save(settled.poll)))) return;
      poll = settled.poll;
      for (const answer of settled.answers) {
        if (!(await this.repeated(() => leadership.publish("answer", answer satisfies Answer)))) return;
      }
      ballotBox.dealtWith(papers);
      if (ballotBox.papers.length === 0) await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  /**
   * Repeats a call until it succeeds. Returns false if this page no longer leads. The box of every page still has the
   * open requests in this case.
   */
  private async repeated(call: () => Promise<void>): Promise<boolean> {
    const { signal } = this.leadership;
    while (!signal.aborted) {
      try {
        await call();
        return true;
      } catch (error) {
        if (signal.aborted) return false;
        this.onError(error);
        await new Promise((resolve) => setTimeout(resolve, RETRY_MILLIS));
      }
    }
    return false;
  }
}
