import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Program } from "../src/program.js";
import { connected, SDKS, type SdkChannel, type SdkClient, type SdkMember } from "../src/sdk.js";
import { seeded } from "../src/seeded.js";
import { SORTINGS, TutorialPeer, type Sorting } from "../src/tutorial.js";

/** The minimum number of joins and leaves of a run. If too few elections have happened, the run continues. */
const STEPS = 1000;
const MOST_STEPS = 20 * STEPS;
const ENOUGH_CHANGES = 50;
const SEED = 20261121;
const CONNECTIONS = 8;

/** Counts the leaders at each event, in the hub's order. */
class Witness {
  readonly leaders = new Set<string>();
  most = 0;
  changes = 0;

  saw(member: SdkMember): void {
    const key = `${member.connectionId}:${member.clientId}`;
    if (member.action !== "leave" && member.data === "leader") {
      if (!this.leaders.has(key)) this.changes++;
      this.leaders.add(key);
    } else this.leaders.delete(key);
    this.most = Math.max(this.most, this.leaders.size);
  }
}

describe("a program of the published tutorial", () => {
  let program: Program;
  before(async () => {
    program = await Program.start();
  });
  after(() => program[Symbol.asyncDispose]());

  SORTINGS.forEach((sorting, index) => {
    const over = `at least ${STEPS} joins and leaves (seed ${SEED})`;
    test(`never has two leaders if members are sorted ${sorting.name}, over ${over}`, () => run(sorting, index));
  });

  async function run(sorting: Sorting, index: number): Promise<void> {
    const sdk = SDKS[0];
    assert.ok(sdk);
    const random = seeded(SEED);
    const observer = sdk.connect(program.hub, "observer");
    const clients: SdkClient[] = [];
    const peers: ({ peer: TutorialPeer; client: SdkClient } | null)[] = [];
    const witness = new Witness();
    const finished: TutorialPeer[] = [];
    const room = (client: SdkClient): SdkChannel => client.channels.get(`guide ${index}`);
    await room(observer).presence.subscribe((member) => witness.saw(member));
    await room(observer).attach();

    for (let i = 0; i < CONNECTIONS; i++) peers.push(null);
    const busy = new Set<Promise<void>>();
    const busySlots = new Set<number>();
    const claims = (): string[] => finished.flatMap((peer) => peer.claims);
    // With the rule that yields NaN, every peer may consider another peer the first. So the test does not wait for
    // elections under this rule.
    const seenEnough = (): boolean => index === 0 || (witness.changes > ENOUGH_CHANGES && claims().includes("refused"));
    for (let step = 0; step < STEPS || (step < MOST_STEPS && !seenEnough()); step++) {
      // Several steps run at the same time, so that joins, claims and leaves overlap. The seed determines the slot of
      // each step and the number of simultaneous steps. If the slot is busy, the step uses the next free slot.
      let slot = random(CONNECTIONS);
      while (busySlots.has(slot)) slot = (slot + 1) % CONNECTIONS;
      busySlots.add(slot);
      const present = peers[slot];
      peers[slot] = null;
      const run = async (): Promise<void> => {
        if (present) {
          finished.push(present.peer);
          if (random(3) === 0) await present.peer.gone();
          else await present.peer.leave();
          present.client.close();
        } else {
          // The id is random, so that a peer that joins late can have the lowest id.
          const id = `peer-${random(1_000_000)}-${step}`;
          const client = sdk.connect(program.hub, id, { transportParams: { remainPresentFor: 1000 } });
          clients.push(client);
          await connected(client);
          const peer = new TutorialPeer(room(client), id, sorting);
          await peer.join();
          peers[slot] = { peer, client };
        }
      };
      const job = run().finally(() => {
        busySlots.delete(slot);
        busy.delete(job);
      });
      busy.add(job);
      if (busy.size >= 1 + random(4)) await Promise.race(busy);
    }
    await Promise.all(busy);
    for (const left of peers) {
      await left?.peer.gone();
      if (left) finished.push(left.peer);
    }
    clients.forEach((client) => client.close());
    observer.close();

    assert.equal(witness.most, 1, 'the maximum number of members with the data "leader" at one time');
    if (index === 0) return;
    assert.ok(witness.changes > ENOUGH_CHANGES, `the run has only ${witness.changes} elections`);
    assert.ok(claims().includes("refused"), "the run must contain rejected claims; otherwise the test checks nothing");
  }
});
