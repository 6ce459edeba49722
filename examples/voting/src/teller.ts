import type { Leadership } from "@doyen/swarm";
import { settle, type Answer, type BallotBox } from "./ballot-box.js";
import { FIRST_POLL, readPoll } from "./poll.js";

/**
 * Counts votes while this page leads. The teller starts with the poll that the last teller saved.
 *
 * The teller saves each tally before it sends answers that depend on this tally. Pages show only saved tallies.
 * Therefore a vote that a page has shown is never lost.
 */
export class Teller {
  private readonly leadership: Leadership;
  private readonly ballotBox: BallotBox;
  private wake = (): void => {};

  constructor(leadership: Leadership, ballotBox: BallotBox) {
    this.leadership = leadership;
    this.ballotBox = ballotBox;
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
    try {
      // The unchanged poll is saved once more. The pages receive the new term with this state and send their
      // open ballots again.
      await leadership.save(poll);
      while (!leadership.signal.aborted) {
        const papers = ballotBox.papers;
        const settled = settle(poll, papers);
        if (settled.poll !== poll) await leadership.save(settled.poll);
        poll = settled.poll;
        for (const answer of settled.answers) await leadership.publish("answer", answer satisfies Answer);
        ballotBox.dealtWith(papers);
        if (ballotBox.papers.length === 0) await new Promise<void>((resolve) => (this.wake = resolve));
      }
    } catch {
      // A save or an answer failed. Usually this page no longer leads. The box of every page still has the open
      // requests.
    }
  }
}
