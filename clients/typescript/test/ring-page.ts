import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { RingSwarm, type RingBehaviour, type RingLeadership, type RingLoss } from "../src/ring-swarm.js";
import type { FakeClient } from "./fake/client.js";
import { FakeHub } from "./fake/hub.js";
import { ManualTime } from "./fake/time.js";

export interface Page {
  readonly ring: RingSwarm;
  readonly client: FakeClient;
  readonly elections: RingLeadership[];
  readonly losses: RingLoss[];
  readonly errors: unknown[];
}

export let time: ManualTime;
export let hub: FakeHub;

/** For each test, a hub that nobody has been on. */
beforeEach(() => {
  time = new ManualTime();
  hub = new FakeHub(time);
});

export async function join(id: string, behaviour: RingBehaviour = {}): Promise<Page> {
  const client = hub.client(id);
  const errors: unknown[] = [];
  const ring = new RingSwarm("room", { client, clock: time, onError: (error) => errors.push(error), ...behaviour });
  const page: Page = { ring, client, elections: [], losses: [], errors };
  ring.onElection((leadership) => page.elections.push(leadership));
  ring.onDemotion((reason) => page.losses.push(reason));
  void ring.connect();
  await time.advance(40);
  return page;
}

export async function three(): Promise<[Page, Page, Page]> {
  const pages: [Page, Page, Page] = [await join("ann"), await join("bob"), await join("cyd")];
  await time.advance(1000);
  return pages;
}

/** Exactly one of them leads, and all name it. */
export function leaderOf(pages: readonly Page[]): Page {
  const leaders = pages.filter(({ ring }) => ring.isLeader);
  assert.equal(leaders.length, 1, JSON.stringify(pages.map(({ ring }) => [ring.id, ring.leader, ring.members])));
  const [leader] = leaders as [Page];
  for (const { ring } of pages) {
    assert.deepEqual(ring.leader, { id: leader.ring.id, term: leader.ring.term, self: ring === leader.ring });
    assert.equal(ring.members.length, pages.length);
  }
  return leader;
}

export function leaders(pages: readonly Page[]): Page[] {
  return pages.filter(({ ring }) => ring.isLeader);
}

/** Gives the leader work that does not end before the result is called. */
export async function workOf({ ring }: Page): Promise<() => void> {
  let end = (): void => {};
  const work = new Promise<void>((resolve) => (end = resolve));
  const remove = ring.onElection(() => {
    remove();
    return work;
  });
  await time.advance(1);
  return end;
}

/** The kind of the message in a letter, by its number on the wire. */
export function kindOf(data: unknown): number | undefined {
  const { m } = data as { m?: string };
  return m === undefined ? undefined : Buffer.from(m, "base64")[1];
}
