import type { SdkChannel, SdkMember } from "./sdk.js";

const CLAIM_REFUSED = 40910;

/** How a peer finds the first of the members. */
export interface Sorting {
  readonly name: string;
  readonly compare: (a: SdkMember, b: SdkMember) => number;
}

export const SORTINGS: readonly Sorting[] = [
  {
    // Connection ids are no numbers, so this is NaN, and the order is whatever the SDK's map happens to have.
    name: "as published, by the difference of connection ids",
    compare: (a, b) => (a.connectionId as unknown as number) - (b.connectionId as unknown as number),
  },
  {
    name: "as meant, by the lowest client id",
    compare: (a, b) => (a.clientId < b.clientId ? -1 : 1),
  },
];

/**
 * A peer written the way the published guide writes it: on every presence event look at the set; if nobody is the
 * leader and the first of the sorted members is me, set my presence data to "leader". There is no demotion, no term
 * and no second thought in it, on purpose: with this code a bare presence channel gets two leaders.
 */
export class TutorialPeer {
  /** What became of its own claims, in order. */
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
   * The page is closed: the SDK drops what was under way, and nobody is left to care. Resolves when its client may be
   * closed: closed while it encodes an update, the SDK attaches once more and leaves the rejection of that to nobody.
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
