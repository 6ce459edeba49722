/** Tests which presence messages claim leadership (ranking.md, K3 and K4). */
import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { readMember, stampedTerm, winner } from "../src/member.js";

const headers = (all: Record<string, unknown>) => ({ headers: all });

const present = (clientId: string, data: unknown, extras: unknown = null) =>
  readMember({ clientId, connectionId: `of-${clientId}`, timestamp: 1, data, extras });

describe("members of other slots", () => {
  const leader = present(
    "ann",
    { v: 1, role: "L", term: 3, prio: 0, seq: 1 },
    headers({ "doyen-term": 3, "doyen-slot": "leader/1" }),
  );
  const indexer = present(
    "ben",
    { role: "L", slot: "indexer" },
    headers({ "doyen-term": 9, "doyen-slot": "indexer/1" }),
  );

  it("K4_a_holder_of_another_slot_is_not_the_leader_at_any_term", () => {
    assert.equal(winner([leader, indexer])?.clientId, "ann");
    assert.equal(winner([indexer]), null);
  });

  it("K3_a_member_for_another_slot_does_not_campaign_for_this_slot", () => {
    const waiting = present("cid", { v: 1, role: "L", slot: "worker", term: 0, prio: 0, seq: 1 });
    assert.deepEqual([waiting.role, waiting.elig], ["F", false]);
    assert.equal(present("dee", { v: 1, role: "F", slot: "leader", term: 0, prio: 0, seq: 1 }).elig, true);
  });

  it("a_term_of_another_slot_is_not_the_term_of_the_leader", () => {
    assert.equal(stampedTerm(headers({ "doyen-term": 9, "doyen-slot": "worker/2" })), null);
    assert.equal(stampedTerm(headers({ "doyen-term": "9", "doyen-slot": "leader/1" })), 9);
    assert.equal(stampedTerm(headers({ "doyen-term": 9, "doyen-slot": "leader" })), 9);
    assert.equal(stampedTerm(headers({ "doyen-term": 9, "doyen-slot": "leadership/1" })), null);
    assert.equal(stampedTerm(headers({ "doyen-term": 9 })), 9);
  });
});
