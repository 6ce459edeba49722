import type { SdkChannel, SdkMember } from "./sdk.js";

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
  private left = false;
  private readonly pending = new Set<Promise<void>>();

  constructor(channel: SdkChannel, clientId: string) {
    this.channel = channel;
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

  private async ensureLeader(): Promise<void> {
    const members = await this.channel.presence.get();
    if (this.left || members.some((member) => member.data === "leader")) return;
    const first = [...members].sort(byConnection)[0];
    if (first?.clientId !== this.clientId) return;
    try {
      await this.channel.presence.update("leader");
      this.claims.push("accepted");
    } catch {
      this.claims.push("refused");
    }
  }
}

/** As in the guide: connection ids are no numbers, so this is NaN, and the order is whatever it was. */
function byConnection(a: SdkMember, b: SdkMember): number {
  return (a.connectionId as unknown as number) - (b.connectionId as unknown as number);
}
