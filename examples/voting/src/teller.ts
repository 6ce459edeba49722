import type { Leadership } from "@doyen/swarm";
import { settle, type Answer, type Desk } from "./desk.js";
import { FIRST_POLL, readPoll } from "./poll.js";

/**
 * Counts votes as long as this page leads. It begins with the poll that the last teller saved.
 *
 * It saves each tally before it sends answers that depend on it, and pages show only saved tallies. So a vote that a
 * page has shown is never lost.
 */
export class Teller {
  private readonly leadership: Leadership;
  private readonly desk: Desk;
  private wake = (): void => {};

  constructor(leadership: Leadership, desk: Desk) {
    this.leadership = leadership;
    this.desk = desk;
    leadership.signal.addEventListener("abort", () => this.wake());
    void this.work();
  }

  /** Wakes the teller, because the desk has a new request. */
  called(): void {
    this.wake();
  }

  private async work(): Promise<void> {
    const { leadership, desk } = this;
    let poll = readPoll(leadership.checkpoint?.state) ?? FIRST_POLL;
    try {
      // Save it once more unchanged. The pages learn the new term from it and send their open ballots again.
      await leadership.save(poll);
      while (!leadership.signal.aborted) {
        const papers = desk.papers;
        const settled = settle(poll, papers);
        if (settled.poll !== poll) await leadership.save(settled.poll);
        poll = settled.poll;
        for (const answer of settled.answers) await leadership.publish("answer", answer satisfies Answer);
        desk.dealtWith(papers);
        if (desk.papers.length === 0) await new Promise<void>((resolve) => (this.wake = resolve));
      }
    } catch {
      // The swarm or the hub rejected it, so this page no longer leads. Every desk still has the open requests.
    }
  }
}
