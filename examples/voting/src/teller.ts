import type { Leadership } from "@doyen/swarm";
import { settle, type Answer, type Desk } from "./desk.js";
import { FIRST_POLL, readPoll } from "./poll.js";

/**
 * Counts for as long as this page leads, beginning with the poll that the last teller handed over. Each tally is saved before
 * anything is told that follows from it, and the saved tally is what all pages show: a vote that was ever seen is never lost.
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

  /** There is something on the desk. */
  called(): void {
    this.wake();
  }

  private async work(): Promise<void> {
    const { leadership, desk } = this;
    let poll = readPoll(leadership.checkpoint?.state) ?? FIRST_POLL;
    try {
      // Handed over once more as it is: by that the others hear of the new term, and send what they still wait for.
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
      // Refused here or at the hub: this page leads no more. What was not dealt with is still on every desk.
    }
  }
}
