import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { hubOptions } from "@doyen/swarm";
import { Realtime } from "ably";
import type { Browser, Page } from "playwright-core";
import { launch, noBrowser } from "../src/browser.js";
import { Doomed } from "../src/doomed.js";
import { KEY, Program } from "../src/program.js";
import { connected, type SdkChannel, type SdkClient } from "../src/sdk.js";
import { seeded } from "../src/seeded.js";
import { until } from "../src/until.js";

const TALLY = "doyen:checkpoint";
const KILLS = 6;
/** The number of new voters in each round. One kill happens in each round. */
const VOTERS = 12;

interface Poll {
  readonly number: number;
  readonly open: boolean;
  readonly votes: Readonly<Record<string, number>>;
}

/** A tally that the hub accepted. */
interface Tally {
  readonly term: number;
  readonly by: string;
  readonly poll: Poll;
}

interface Answer {
  readonly to: string;
  readonly poll: number;
  readonly verdict: string;
  readonly choice: number | null;
}

describe("the vote whose teller is elected", { skip: noBrowser }, () => {
  let browser: Browser;
  let program: Program;
  let pages: Doomed;
  let voters: SdkClient;
  let room: { publish(message: object): Promise<unknown> };
  const tallies: Tally[] = [];
  const answers: Answer[] = [];

  before(async () => {
    [browser, program] = await Promise.all([launch(), Program.start({ claimTtl: "3s" })]);
    pages = new Doomed(browser, new URL("/voting/", program.hub));
    // This client has no client id. Its key allows it to publish for any client id.
    const where = { endpoint: "localhost", port: Number(program.hub.port), tls: false, logLevel: 0 };
    voters = new Realtime(hubOptions({ key: KEY, ...where })) as unknown as SdkClient;
    await connected(voters);
    const channel: SdkChannel = voters.channels.get("voting");
    room = channel as unknown as typeof room;
    await channel.subscribe((message) => {
      const { extras } = message as { extras?: { headers?: Record<string, unknown> } };
      const term = Number(extras?.headers?.["doyen-term"]);
      if (!(term > 0)) return;
      if (message.name === "answer") answers.push(message.data as Answer);
      if (message.name !== TALLY) return;
      const poll = (message.data as { state: Poll }).state;
      tallies.push({ term, by: message.clientId ?? "", poll });
    });
  });
  after(async () => {
    voters?.close();
    await browser?.close();
    await program?.[Symbol.asyncDispose]();
  });

  const last = (): Tally | undefined => tallies.at(-1);
  const vote = (clientId: string, choice: number, poll = 1): Promise<unknown> =>
    room.publish({ name: "ballot", clientId, data: { poll, choice } });
  const answered = (to: string): Promise<unknown> =>
    until(
      `the teller has answered ${to}`,
      () => answers.filter((answer) => answer.to === to),
      (all) => all.length > 0,
    );

  test(`each vote is counted once although the teller is closed or killed ${KILLS} times`, async () => {
    const lot = seeded(7);
    const cast = new Map<string, number>();
    await Promise.all([pages.open(), pages.open(), pages.open()]);
    await until("a tally", last, (tally) => tally !== undefined);
    for (let kill = 0; kill < KILLS; kill++) {
      const { term, by } = last()!;
      const fall = lot(VOTERS);
      let ended: Promise<unknown> = Promise.resolve();
      for (let i = 0; i < VOTERS; i++) {
        const voter = `voter-${kill}-${i}`;
        cast.set(voter, lot(3));
        await vote(voter, cast.get(voter)!);
        if (i === fall) ended = pages.end(by, kill % 2 === 0 ? "killed" : "closed");
        // Some voters vote again or change their choice. The first vote counts.
        if (lot(3) === 0) await vote(voter, lot(3));
        const earlier = `voter-${lot(kill + 1)}-${lot(i + 1)}`;
        if (lot(3) === 0) await vote(earlier, lot(3));
      }
      await ended;
      await pages.open();
      await until("the next teller", last, (tally) => tally!.term > term);
    }
    const all = await until(
      "every vote is counted",
      () => last()!.poll.votes,
      (votes) => Object.keys(votes).length >= cast.size,
    );

    assert.deepEqual(new Map(Object.entries(all).sort()), new Map([...cast].sort()));
    assert.equal(cast.size, KILLS * VOTERS);
    assertMonotone();
    // A teller does not answer a repeated vote if the next tally contains the voter. This vote changes no tally.
    const repeated = "voter-0-0";
    await vote(repeated, (cast.get(repeated)! + 1) % 3);
    await answered(repeated);
    for (const { to, choice, verdict } of answers) {
      assert.deepEqual([verdict, choice], ["counted before", cast.get(to)], `the answer to ${to}`);
    }
  });

  test("a vote survives the teller that counted it, and all pages show the same tally", async () => {
    const before = Object.keys(last()!.poll.votes).length;
    const { by, term } = last()!;
    const page = pages.all.find((each) => each !== pages.page(by)) as Page;
    await page.click("#choices li:nth-child(2) button");
    await page.waitForSelector('body[data-mine="counted"]');
    await pages.end(by, "closed");
    await until("the next teller", last, (tally) => tally!.term > term);
    await page.reload();
    await page.waitForSelector('body[data-mine="counted"]');
    for (const each of pages.all) await each.waitForSelector(`body[data-votes="${before + 1}"]`);
    assert.equal(await page.locator("#choices button[aria-pressed=true] .label").textContent(), "Noodles");
  });

  test("the teller answers late and stale votes and does not count them", async () => {
    const page = await pages.open();
    const votes = last()!.poll.votes;
    await page.click("#close");
    await until("the poll is closed", last, (tally) => !tally!.poll.open);
    await vote("tardy", 1);
    await answered("tardy");
    await page.fill("input[name=question]", "And where?");
    await page.fill("input[name=choices]", "Here, There");
    await page.click("#ask button");
    await until("the next question", last, (tally) => tally!.poll.number === 2);
    await vote("asleep", 1, 1);
    await answered("asleep");
    await vote("lost", 5, 2);
    await answered("lost");
    await vote("asleep", 1, 2);
    await until("the vote is counted", last, (tally) => tally!.poll.votes["asleep"] === 1);

    const verdicts = answers.filter(({ verdict }) => verdict !== "counted before");
    assert.deepEqual(verdicts, [
      { to: "tardy", poll: 1, verdict: "late", choice: null },
      { to: "asleep", poll: 1, verdict: "stale", choice: null },
      { to: "lost", poll: 2, verdict: "no such choice", choice: null },
    ]);
    assert.deepEqual(tallies.filter(({ poll }) => poll.number === 1).at(-1)?.poll.votes, votes);
    assert.deepEqual(last()!.poll.votes, { asleep: 1 });
    assertMonotone();
    assert.deepEqual(pages.faults, []);
  });

  /** Checks that no tally loses or changes a vote. Terms must not decrease, and each term must have one teller. */
  function assertMonotone(): void {
    const tellers = new Map<number, string>();
    tallies.forEach(({ term, by, poll }, i) => {
      assert.equal(tellers.get(term) ?? by, by, `two tellers in term ${term}`);
      tellers.set(term, by);
      const before = tallies[i - 1];
      if (before === undefined) return;
      assert.ok(term >= before.term && poll.number >= before.poll.number);
      if (poll.number > before.poll.number) return;
      for (const [voter, choice] of Object.entries(before.poll.votes)) {
        assert.equal(poll.votes[voter], choice, `the vote of ${voter} in term ${term} after term ${before.term}`);
      }
    });
  }
});
