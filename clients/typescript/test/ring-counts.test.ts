import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it } from "node:test";
import type { RingAlgorithm } from "../src/ring-state.js";
import { compareMembers, type RingMember } from "../src/ring-view.js";
import { QuietRing } from "./quiet-ring.js";
import { Random } from "./simulation/random.js";

/**
 * R4: how many messages the shipped machine sends, against the same counts by hand that the machine in Java is held to in
 * `CountsTest`; so the two send as many.
 */
describe("as many messages as the machine in Java sends", () => {
  for (const n of [2, 3, 4, 5, 6]) {
    const members = membersAtSlots(n);
    const orders = permutations(n).map((ranks) => ranks.map((rank, slot) => members[rank]?.[slot] as RingMember));

    it(`peterson_in_every_order_of_${n}`, () => {
      const counts = orders.map((order) => elect("peterson", order).contest);
      assert.equal(Math.min(...counts), 3 * n);
      assert.ok(Math.max(...counts) <= 2 * n * Math.floor(Math.log2(n)) + n);
    });

    it(`chang_roberts_in_every_order_of_${n}`, () => {
      const counts = orders.map((order) => elect("chang-roberts", order).contest);
      assert.deepEqual([Math.min(...counts), Math.max(...counts)], [2 * n - 1, (n * (n + 1)) / 2]);
    });
  }

  for (const n of [16, 64, 256]) {
    it(`both_in_random_orders_of_${n}`, () => {
      const random = new Random(n);
      for (let run = 0; run < (n > 100 ? 2 : 5); run++) {
        const members = Array.from({ length: n }, (_, rank) => ({ id: name(rank), incarnation: `${random.next()}` }));
        elect("peterson", members);
        elect("chang-roberts", members);
      }
    });
  }
});

/** One election, and what is true of every one: the greatest key won, all know, and the winner's lap took n. */
function elect(algorithm: RingAlgorithm, members: readonly RingMember[]): QuietRing {
  const n = members.length;
  const run = new QuietRing(algorithm, members);
  const [greatest] = [...members].sort(compareMembers) as [RingMember];
  assert.deepEqual(run.leaders, [greatest]);
  assert.ok(run.agreesOn(greatest));
  assert.equal(run.lap, n);
  const ranks = run.ring.map(({ id }) => Number(id.slice(1)));
  assert.equal(run.contest, algorithm === "peterson" ? petersonByHand(n, ranks) : changRobertsByHand(ranks));
  assert.ok(algorithm === "peterson" ? run.chosen < n : run.chosen === 0);
  return run;
}

/** The same count without a ring, for keys ranked from 0, the greatest, as they sit on it. */
function petersonByHand(n: number, active: readonly number[]): number {
  if (active.length === 1) return n;
  const next = active.flatMap((mine, i) => {
    const [first = 0, second = 0] = [active.at(i - 1), active.at(i - 2)];
    return first < mine && first < second ? [first] : [];
  });
  return 2 * n + petersonByHand(n, next);
}

/** Each key goes on until it meets a greater one, or has come home. */
function changRobertsByHand(ranks: readonly number[]): number {
  const n = ranks.length;
  const hops = ranks.map((mine, i) => {
    for (let hop = 1; hop < n; hop++) if ((ranks[(i + hop) % n] ?? 0) < mine) return hop;
    return n;
  });
  return hops.reduce((one, other) => one + other, 0);
}

/** For each rank the member that sits at each slot of a ring of n: incarnations are tried until the hash falls there (R1). */
function membersAtSlots(n: number): readonly (readonly RingMember[])[] {
  return Array.from({ length: n }, (_, rank) =>
    Array.from({ length: n }, (_, slot) => {
      for (let i = 0; ; i++) {
        const hash = createHash("sha256")
          .update(`${name(rank)}\0${i}`)
          .digest();
        if (Math.floor((hash.readUInt32BE() / 2 ** 32) * n) === slot) return { id: name(rank), incarnation: `${i}` };
      }
    }),
  );
}

function permutations(n: number): readonly (readonly number[])[] {
  if (n === 0) return [[]];
  return permutations(n - 1).flatMap((rest) =>
    Array.from({ length: n }, (_, at) => [...rest.slice(0, at), n - 1, ...rest.slice(at)]),
  );
}

function name(rank: number): string {
  return `m${10_000 + rank}`;
}
