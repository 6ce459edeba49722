import type { Leadership, LossReason } from "@doyen/tabs/api";
import { MemoryClient, MemoryTime } from "./memory-client.js";
import { randomId, type Behaviour, type SwarmOptions } from "./options.js";
import { Swarm } from "./swarm.js";

/** The maximum number of timers that `elect` runs. An election needs at most five. */
const MOST_TIMERS = 20;
/** The time for which `demote("suspended")` suspends the computer, which is longer than every ttl. */
const SUSPENSION_MILLIS = 60_000;

/**
 * A swarm for tests, which needs no hub. The test decides when this member leads.
 *
 * The swarm takes the options of a `Swarm`, and ignores those of the connection and the clock. It is elected only by
 * `elect`. Its time stands still, so a leadership lasts until the test ends it. The swarm receives its own messages, as
 * on a hub.
 */
export class FakeSwarm extends Swarm {
  private readonly line: MemoryClient;
  private readonly time: MemoryTime;
  private readonly candidate: boolean;

  constructor(channelName: string, options: SwarmOptions | Behaviour = {}) {
    const time = new MemoryTime();
    const clientId = (options as { clientId?: string }).clientId ?? randomId();
    const client = new MemoryClient(channelName, clientId, time);
    super(channelName, { ...(options as Behaviour), settleMillis: 50, client, clock: time });
    this.line = client;
    this.time = time;
    this.candidate = options.candidate ?? true;
  }

  /**
   * Elects this member, and resolves with its leadership after `onElection` was called.
   *
   * If another member leads, it leaves. If the page is frozen, it resumes. Does nothing if this member leads. Rejects if
   * the swarm is not connected, or if it is an observer.
   */
  async elect(): Promise<Leadership> {
    if (this.status !== "connected") {
      throw new Error(`this swarm is ${this.status}, so it cannot be elected: await connect() before elect()`);
    }
    if (!this.candidate) throw new Error("this swarm is an observer, so it cannot be elected: set candidate to true");
    this.feed({ type: "thaw" });
    this.line.removeOther();
    for (let timers = 0; this.leadership === null; timers++) {
      if (timers === MOST_TIMERS) throw new Error(`this swarm was not elected after ${MOST_TIMERS} timers`);
      this.time.runNext();
      await settled();
    }
    return this.leadership;
  }

  /**
   * Ends the leadership of this member for this reason, before it returns.
   *
   * After the reason `superseded`, another member leads. After the reason `closed`, the swarm is closed. Throws if this
   * member does not lead.
   */
  demote(reason: LossReason = "superseded"): void {
    if (!this.isLeader) throw new Error("this member does not lead, so it cannot be demoted: await elect() first");
    switch (reason) {
      case "superseded":
        return this.line.electOther();
      case "expired":
        this.line.answersPings = false;
        while (this.isLeader) this.time.runNext();
        this.line.answersPings = true;
        return;
      case "suspended":
        this.time.suspend(SUSPENSION_MILLIS);
        return this.feed({ type: "tick" });
      case "resigned":
        return this.resign();
      case "closed":
        return void this.close();
    }
  }

  /**
   * Freezes the page, as the browser does with a hidden tab. A leadership ends with the reason `suspended`, and the
   * member leaves the channel. `elect` resumes the page.
   */
  freeze(): void {
    this.feed({ type: "freeze" });
  }
}

/** Waits until listeners that have already settled no longer delay a write of the swarm. */
async function settled(): Promise<void> {
  for (let i = 0; i < 10; i++) await null;
}
