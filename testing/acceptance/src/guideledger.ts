import assert from "node:assert/strict";
import { connected, SDKS, type SdkChannel, type SdkClient, type SdkMember } from "./sdk.js";

/** A message of the guide's counter. The term is null if its author did not lead at that time. */
export interface Count {
  readonly n: number;
  readonly by: string;
  readonly term: number | null;
}

type Marked = SdkMember & { readonly extras?: { readonly headers?: Record<string, number> } };

/** Records the counts and the leaders of a channel, in the hub's order. */
export class GuideLedger {
  readonly counts: Count[] = [];
  private readonly client: SdkClient;
  private readonly present = new Set<string>();
  private leader: { readonly member: string; readonly clientId: string; readonly term: number } | null = null;

  private constructor(client: SdkClient) {
    this.client = client;
  }

  static async open(hub: URL, name: string): Promise<GuideLedger> {
    const client = SDKS[0]?.connect(hub, "ledger") as SdkClient;
    await connected(client);
    const ledger = new GuideLedger(client);
    const channel: SdkChannel = client.channels.get(name);
    await channel.presence.subscribe((member) => ledger.saw(member));
    await channel.subscribe(({ data, clientId = "" }) => {
      const { leader } = ledger;
      ledger.counts.push({ n: Number(data), by: clientId, term: leader?.clientId === clientId ? leader.term : null });
    });
    return ledger;
  }

  private saw(member: Marked): void {
    const id = `${member.connectionId} ${member.clientId}`;
    if (member.action === "leave") this.present.delete(id);
    else this.present.add(id);
    if (member.action !== "leave" && member.data === "leader") {
      const term = member.extras?.headers?.["doyen-term"] ?? 0;
      this.leader = { member: id, clientId: member.clientId, term };
    } else if (this.leader?.member === id) this.leader = null;
  }

  /** Returns the client id of the leader; empty if nobody leads. */
  get leads(): string {
    return this.leader?.clientId ?? "";
  }

  /** Returns the number of present members. */
  get members(): number {
    return this.present.size;
  }

  /** Returns the number of terms in which a leader has counted. */
  get terms(): number {
    return new Set(this.counts.map((count) => count.term)).size;
  }

  /** Returns the counts whose author did not lead. */
  get strays(): readonly Count[] {
    return this.counts.filter((count) => count.term === null);
  }

  by(clientId: string): number {
    return this.counts.filter((count) => count.by === clientId).length;
  }

  /** Checks that each count is by a leader, and that each term has one author. */
  assertLeadersOnly(): void {
    assert.deepEqual(this.strays, [], "counts of clients that did not lead");
    assertOneAuthor("term", this.counts, (count) => count.term);
  }

  /** Also checks that no number has two authors. A program that starts at 0 or misses counts can repeat a number. */
  assertOneAuthor(): void {
    this.assertLeadersOnly();
    assertOneAuthor("count", this.counts, (count) => count.n);
  }

  close(): void {
    this.client.close();
  }
}

function assertOneAuthor(what: string, counts: readonly Count[], key: (count: Count) => number | null): void {
  const authors = new Map<number | null, string>();
  for (const count of counts) {
    const author = authors.get(key(count)) ?? count.by;
    assert.equal(author, count.by, `${what} ${key(count)} has two authors`);
    authors.set(key(count), author);
  }
}
