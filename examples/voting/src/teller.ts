import type { Leadership } from "@doyen/swarm";
import { settle, type Answer, type BallotBox } from "./ballot-box.js";
import { FIRST_POLL, readPoll } from "./poll.js";

/**
 * Counts votes as long as this page leads. It begins with the poll that the last teller saved.
 *
 * It saves each tally before it sends answers that depend on it, and pages show only saved tallies. So a vote that a
 * page has shown is never lost.
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

  /** Wakes the teller, because the desk has a new request. */
  called(): void {
    this.wake();
  }

  private async work(): Promise<void> {
    const { leadership, ballotBox } = this;
    let poll = readPoll(leadership.checkpoint?.state) ?? FIRST_POLL;
    try {
      // Save it once more unchanged. The pages learn the new term from it and send their open ballots again.
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
      // The swarm or the hub rejected it, so this page no longer leads. Every desk still has the open requests.
    }
  }
}
