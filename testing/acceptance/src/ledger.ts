import assert from "node:assert/strict";
import { connected, SDKS, type SdkClient } from "./sdk.js";

/** A tick of the demo's counter, with the time of its receipt. */
export interface Entry {
  readonly term: number;
  readonly n: number;
  readonly by: string;
  readonly at: number;
}

/** Records every number that is published on the demo's channel. */
export class Ledger {
  readonly entries: Entry[] = [];
  private readonly client: SdkClient;

  private constructor(client: SdkClient) {
    this.client = client;
  }

  static async open(hub: URL): Promise<Ledger> {
    const client = SDKS[0]?.connect(hub, "ledger") as SdkClient;
    await connected(client);
    const ledger = new Ledger(client);
    const channel = client.channels.get("counter");
    await channel.subscribe((message) => {
      if (message.name !== "count") return;
      const { term, n } = message.data as { term: number; n: number };
      ledger.entries.push({ term, n, by: message.clientId ?? "", at: performance.now() });
    });
    await channel.attach();
    return ledger;
  }

  get last(): Entry | undefined {
    return this.entries.at(-1);
  }

  /** Checks that the numbers rise by one. Terms must not decrease, and each term must have one author. */
  assertUnbroken(): void {
    const authors = new Map<number, string>();
    this.entries.forEach((entry, i) => {
      const before = this.entries[i - 1];
      if (before !== undefined) {
        assert.equal(
          entry.n,
          before.n + 1,
          `${before.n} (term ${before.term}) was followed by ${entry.n} (term ${entry.term})`,
        );
        assert.ok(entry.term >= before.term, `term ${before.term} was followed by ${entry.term}`);
      }
      assert.equal(authors.get(entry.term) ?? entry.by, entry.by, `two authors in term ${entry.term}`);
      authors.set(entry.term, entry.by);
    });
  }

  close(): void {
    this.client.close();
  }
}
