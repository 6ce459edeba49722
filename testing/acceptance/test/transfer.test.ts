import { Swarm } from "@doyen/swarm";
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { Program, KEY } from "../src/program.js";
import { connected, SDKS } from "../src/sdk.js";
import { until } from "../src/until.js";

const TTL_MILLIS = 5000;

/**
 * The number of members. During a transfer the other members wait half a ttl for the successor to claim. With this many
 * members, the last member in rank has a settle time (rule K7) of more than half a ttl.
 */
const SWARMS = 14;

describe("a transfer over /v1 among swarms", () => {
  let program: Program;
  let channel = "";
  let rooms = 0;
  before(async () => {
    program = await Program.start({ claimTtl: `${TTL_MILLIS}ms` });
  });
  after(() => program[Symbol.asyncDispose]());
  beforeEach(() => {
    channel = `handed-${++rooms}`;
  });

  function swarm(clientId: string): Swarm {
    return new Swarm(channel, {
      key: KEY,
      clientId,
      endpoint: "localhost",
      port: Number(program.hub.port),
      tls: false,
      ttlMillis: TTL_MILLIS,
      settleMillis: 100,
    });
  }

  async function command(what: string): Promise<string> {
    const answer = await fetch(new URL(`/v1/elections/${channel}/${what}`, program.elector), {
      method: "POST",
      headers: { authorization: `Bearer ${program.adminKey}` },
    });
    return `${answer.status} ${await answer.text()}`;
  }

  test("the successor leads next although it has the last rank, after the leader's work has stopped", async () => {
    const swarms = Array.from({ length: SWARMS }, (_, i) => swarm(`s${i}`));
    const events: string[] = [];
    const terms: number[] = [];
    for (const each of swarms) {
      each.onElection(({ term }) => {
        events.push(`${each.id} leads`);
        terms.push(term);
      });
      each.onDemotion(async () => {
        events.push(`${each.id} is demoted`);
        await new Promise((resolve) => setTimeout(resolve, 300));
        events.push(`${each.id} has stopped`);
      });
      // The members connect one after the other, so the test knows the last member in rank.
      await each.connect();
      await until(`${each.id} is a member`, () => each.members.some((member) => member.self), Boolean);
    }
    await until(
      "each member sees all members",
      () => swarms.every((each) => each.members.length === SWARMS && each.leader?.id === "s0"),
      Boolean,
    );
    const successor = swarms[SWARMS - 1]!;

    assert.match(await command(`transfer?to=${successor.id}&wait=60s`), /^200 .* leads now, in term 2/);

    await until(
      "another leader",
      () => swarms[1]?.leader?.id,
      (id) => id !== undefined && id !== "s0",
    );
    await until(
      "the successor's term",
      () => events.length,
      (length) => length >= 4,
    );
    assert.deepEqual(events, ["s0 leads", "s0 is demoted", "s0 has stopped", `${successor.id} leads`]);
    assert.ok(terms[1]! > terms[0]!, terms.join());
    await Promise.all(swarms.map((each) => each.close()));
  });

  for (const sdk of SDKS) {
    test(`${sdk.name} without the successor rule cannot claim instead of the successor, and another member leads if it is the successor`, async () => {
      const ann = swarm("ann");
      const ben = swarm("ben");
      await ann.connect();
      await until("ann leads", () => ann.isLeader, Boolean);
      await ben.connect();
      const client = sdk.connect(program.hub, "cat");
      await connected(client);
      const plain = client.channels.get(channel);
      await plain.attach();
      await plain.presence.enter("1");
      await until(
        "each member sees all members",
        () => ben.members.length,
        (length) => length === 3,
      );
      const rejections: unknown[] = [];
      await plain.presence.subscribe((member) => {
        // The client cat claims as soon as the leader ann has stepped down.
        if (member.clientId === "ann" && member.action === "update") {
          plain.presence.update("leader").catch((error: unknown) => rejections.push(error));
        }
      });

      assert.match(await command("transfer?to=ben&wait=60s"), /^200 /);
      await until("ben leads", () => ben.isLeader, Boolean);
      await until(
        "the hub rejected the claim of cat",
        () => rejections.length,
        (times) => times >= 1,
      );
      assert.equal((rejections[0] as { code?: number }).code, 40910);
      assert.equal(ann.isLeader, false);

      const term = ben.leadership?.term ?? 0;
      assert.match(
        await command("transfer?to=cat&wait=60s"),
        /^409 .* leads now, in term \d+, because .*cat.* did not take over/,
      );
      await until(
        "a swarm leads again",
        () => ann.leadership?.term ?? ben.leadership?.term ?? 0,
        (led) => led > term,
      );
      client.close();
      await Promise.all([ann.close(), ben.close()]);
    });
  }
});
