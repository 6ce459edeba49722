import assert from "node:assert/strict";
import { it } from "node:test";
import { RingSwarm } from "../src/ring-swarm.js";
import type { FakeClient } from "./fake/client.js";
import { FakeHub } from "./fake/hub.js";
import { ManualTime } from "./fake/time.js";
import { Random } from "./simulation/random.js";

interface Page {
  readonly ring: RingSwarm;
  readonly client: FakeClient;
  readonly terms: number[];
  silent: boolean;
}

const SEEDS = Number(process.env["DOYEN_SEEDS"] ?? 40);
const FIRST = Number(process.env["DOYEN_SEED"] ?? 1);
/** Silence until it is noticed, a round that was given up twice, and the election. */
const HEALED_MILLIS = 20_000;

it(`rings_heal_whatever_happened_to_their_members (${SEEDS} seeds from ${FIRST})`, async () => {
  for (let seed = FIRST; seed < FIRST + SEEDS; seed++) await run(seed);
});

/** Members come, go, fall silent and come back, on the same connection or another; then that ends. */
async function run(seed: number): Promise<void> {
  const random = new Random(seed);
  const time = new ManualTime();
  const hub = new FakeHub(time);
  let pages: Page[] = [];
  const errors: unknown[] = [];
  const join = (): void => {
    const client = hub.client(`m${below(random, 4)}`);
    const ring = new RingSwarm("room", { client, clock: time, onError: (error) => errors.push(error) });
    const page: Page = { ring, client, terms: [], silent: false };
    ring.onElection(({ term }) => page.terms.push(term));
    void ring.connect();
    pages.push(page);
  };
  const actions = [
    (page: Page) => {
      void page.ring.close();
      pages = pages.filter((each) => each !== page);
    },
    (page: Page) => {
      page.client.fallSilent();
      page.silent = true;
    },
    (page: Page) => back(page, random),
    (page: Page) => back(page, random),
    (page: Page) => page.ring.resign(),
  ];
  for (let i = 0; i < 25; i++) {
    const page = pages[below(random, Math.max(1, pages.length))];
    if (page === undefined || (pages.length < 5 && below(random, 3) === 0)) join();
    else actions[below(random, actions.length)]?.(page);
    await time.advance(below(random, 2500));
  }
  if (pages.length === 0) join();
  for (const page of pages) back(page, random);
  await time.advance(HEALED_MILLIS);
  const said = `seed ${seed}: ${JSON.stringify(pages.map(({ ring }) => [ring.id, ring.leader, ring.members.length]))}`;
  assert.equal(pages.filter(({ ring }) => ring.isLeader).length, 1, said);
  const leader = pages.find(({ ring }) => ring.isLeader)?.ring;
  for (const { ring, terms } of pages) {
    assert.deepEqual([ring.leader?.id, ring.term, ring.members.length], [leader?.id, leader?.term, pages.length], said);
    assert.ok(
      terms.every((term, i) => i === 0 || term > (terms[i - 1] ?? 0)),
      `${said}; its terms ${terms.join()}`,
    );
  }
  assert.deepEqual(errors, [], said);
}

function back(page: Page, random: Random): void {
  if (page.silent) page.client.comeBack(below(random, 2) === 0);
  page.silent = false;
}

function below(random: Random, bound: number): number {
  return Math.floor(random.between(0, bound));
}
