import type { SdkChannel, SdkMember } from "./sdk.js";

const CLAIM_REFUSED = 40910;

/** A rule by which a peer determines the first member of the presence set. */
export interface Sorting {
  readonly name: string;
  readonly compare: (a: SdkMember, b: SdkMember) => number;
}

export const SORTINGS: readonly Sorting[] = [
  {
    // Connection ids are not numbers, so the difference is NaN. The order is then the order of the SDK's map.
    name: "as published, by the difference of connection ids",
    compare: (a, b) => (a.connectionId as unknown as number) - (b.connectionId as unknown as number),
  },
  {
    name: "as intended, by the lowest client id",
    compare: (a, b) => (a.clientId < b.clientId ? -1 : 1),
  },
];

/**
 * A peer that elects a leader by presence, as a published tutorial does.
 *
 * At every presence event the peer reads the presence set. If the set has no leader and the peer is the first of the
 * sorted members, the peer sets its presence data to "leader". As in the tutorial, a leader never steps down, and a
 * leadership has no term. If the hub does not check such updates as claims, two peers can lead at the same time.
 */
export class TutorialPeer {
  /** The results of this peer's claims, in order. */
  readonly claims: ("accepted" | "refused")[] = [];
  private readonly channel: SdkChannel;
  private readonly clientId: string;
  private readonly sorting: Sorting;
  private left = false;
  private readonly pending = new Set<Promise<void>>();

  constructor(channel: SdkChannel, clientId: string, sorting: Sorting) {
    this.channel = channel;
    this.sorting = sorting;
    this.clientId = clientId;
  }

  async join(): Promise<void> {
    await this.channel.presence.subscribe(() => {
      const claim = this.ensureLeader().finally(() => this.pending.delete(claim));
      this.pending.add(claim);
    });
    await this.channel.presence.enter();
  }

  async leave(): Promise<void> {
    this.left = true;
    await Promise.all(this.pending);
    await this.channel.presence.leave();
  }

  /**
   * Stops the peer as if its page were closed.
   *
   * After the promise has resolved, the test can close the client. If a client is closed while it encodes an update,
   * the SDK attaches again, and no code handles the rejection of that attach.
   */
  async gone(): Promise<void> {
    this.left = true;
    await new Promise((resolve) => setImmediate(resolve));
  }

  private async ensureLeader(): Promise<void> {
    const members = await this.channel.presence.get().catch(() => []);
    if (this.left || members.some((member) => member.data === "leader")) return;
    const first = [...members].sort(this.sorting.compare)[0];
    if (first?.clientId !== this.clientId) return;
    try {
      await this.channel.presence.update("leader");
      this.claims.push("accepted");
    } catch (error) {
      if ((error as { code?: number }).code === CLAIM_REFUSED) this.claims.push("refused");
      else if (!this.left) throw error;
    }
  }
}
