import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { Swarm, type Leadership } from "@doyen/swarm";
import { launch, noBrowser } from "../src/browser.js";
import { Doomed } from "../src/doomed.js";
import { KEY, Program } from "../src/program.js";
import { connected, SDKS, type SdkChannel, type SdkClient } from "../src/sdk.js";
import { seeded } from "../src/seeded.js";
import { HANG_MILLIS, until } from "../src/until.js";

const FRAME = "doyen:checkpoint";
/** `./dev verify long` sets more kills. */
const KILLS = Number(process.env["KILLS"] ?? 6);
const POINTS = 7;
/** The limits of examples/game/src/game.ts: the speed in radii of the arena per second, and the steps per second. */
const MAX_SPEED = 2.4;
const STEPS_PER_SECOND = 60;
/** The maximum number of steps between two frames. */
const MAX_STEPS = 6;

interface Score {
  readonly id: string;
  readonly points: number;
}

/** A frame that the hub accepted. */
interface Frame {
  readonly term: number;
  /** The number that the host gave to the frame within the term. */
  readonly seq: number;
  readonly by: string;
  readonly at: number;
  readonly tick: number;
  readonly x: number;
  readonly y: number;
  readonly scores: readonly Score[];
  /** The places of the paddles in their arcs, from -1 to 1. */
  readonly seats: readonly { readonly id: string; readonly at: number }[];
}

/** A state of the game that an observing page accepted. */
interface Taken {
  readonly term: number;
  readonly tick: number;
  readonly points: number;
}

describe("the game whose host is elected", { skip: noBrowser }, () => {
  let browser: Browser;
  let program: Program;
  let observer: SdkClient;
  let room: SdkChannel;
  const frames: Frame[] = [];

  before(async () => {
    [browser, program] = await Promise.all([launch(), Program.start({ claimTtl: "3s" })]);
    observer = SDKS[0]?.connect(program.hub, "observer") as SdkClient;
    await connected(observer);
    room = observer.channels.get("game");
    await room.subscribe((message) => {
      const { extras } = message as { extras?: { headers?: Record<string, unknown> } };
      const term = Number(extras?.headers?.["doyen-term"]);
      if (message.name !== FRAME || !(term > 0)) return;
      const { seq, state } = message.data as {
        seq: number;
        state: { tick: number; ball: { x: number; y: number }; scores: Score[]; seats: Frame["seats"] };
      };
      const { tick, ball, scores, seats } = state;
      const [by, at] = [message.clientId ?? "", performance.now()];
      frames.push({ term, seq, by, at, tick, x: ball.x, y: ball.y, scores, seats });
    });
  });
  after(async () => {
    observer?.close();
    await browser?.close();
    await program?.[Symbol.asyncDispose]();
  });

  const last = (): Frame | undefined => frames.at(-1);
  const framesBeyond = (term: number, more: number): Promise<unknown> =>
    until(
      `${more} frames of a term after ${term}`,
      () => frames.filter((frame) => frame.term > term).length,
      (length) => length > more,
    );

  test(`the game continues after its host is closed or killed at ${KILLS} seeded moments`, async (t) => {
    const lot = seeded(20261122);
    const pages = new Doomed(browser, new URL("/game/?auto", program.hub));
    const spectator = await watch(new URL("/game/?watch", program.hub));
    await firstHost();
    let term = last()!.term;
    await Promise.all(Array.from({ length: 4 }, () => pages.open()));
    const gaps = { closed: [] as number[], killed: [] as number[] };
    let replaced: Promise<unknown> = Promise.resolve();
    for (let kill = 0; kill < KILLS; kill++) {
      await framesBeyond(term, lot(8));
      const host = last()!;
      term = host.term;
      const how = lot(5) < 3 ? "closed" : "killed";
      const before = performance.now();
      replaced = replaced.then(() => pages.open());
      await pages.end(host.by, how);
      // The first frame has no term, like a frame of a client that never hosted. The second frame has the old host's
      // term, like a frame of a host that was only disconnected.
      await forge({}, kill);
      await assert.rejects(forge({ headers: { "doyen-term": term } }, kill), /fence/);
      await framesBeyond(term, 0);
      gaps[how].push(Math.round((frames.find((frame) => frame.term > term)?.at ?? 0) - before));
      // The next kill needs at least two open pages. If enough pages are open, the test does not wait for the new page.
      if (pages.all.length < 2) await replaced;
    }
    await replaced;
    await framesBeyond(term, 5);
    for (const [how, millis] of Object.entries(gaps)) {
      t.diagnostic(`${millis.length} ${how}: the next host's first frame after ${Math.max(...millis)} ms at most`);
    }

    assertContinues();
    assert.ok(new Set(frames.map((frame) => frame.term)).size > KILLS, "each host has its own term");
    assert.equal(last()!.scores.find(({ id }) => id === "ann")?.points, POINTS, "the points survive all hosts");
    await until(
      "the observing page has taken a frame of the last host",
      async () => (await taken(spectator)).at(-1)?.term,
      (seen) => seen === last()!.term,
    );
    assertTaken(await taken(spectator));
    assert.deepEqual(pages.faults, []);
    for (const page of pages.all) await page.close({ runBeforeUnload: true });
  });

  test("a frozen host and a disconnected host are replaced, and a player that has left is not in the list", async () => {
    const pages = new Doomed(browser, new URL("/game/?auto", program.hub));
    await Promise.all([pages.open(), pages.open()]);
    for (const [button, shows] of Object.entries({ "#freeze": /^Frozen/, "#kill": /^Cut off/ })) {
      const host = await until("one of the two pages hosts", () => hosting(pages), Boolean);
      const { term } = last()!;
      const other = pages.all.find((page) => page !== host)!;
      assert.deepEqual(await enabled(other), [false, false], "only the host can be killed or frozen");
      await host!.click(button);
      await until(
        `the page of the host shows ${shows}`,
        () => host!.textContent("#state"),
        (state) => shows.test(state ?? ""),
      );
      await framesBeyond(term, 5);
      await other.waitForSelector("body[data-leader=true]");
      await host!.click(button);
      await host!.waitForSelector(`body[data-mode=open][data-leader=false][data-term="${last()!.term}"]`);
      await other.waitForFunction(() => document.querySelectorAll("#members li").length === 2);
    }
    const [left, other] = pages.all as [Page, Page];
    await left.close({ runBeforeUnload: true });
    await other.waitForFunction(() => document.querySelectorAll("#members li").length === 1);
    for (const [key, place] of [
      ["ArrowLeft", 1],
      ["ArrowRight", -1],
    ] as const) {
      await other.keyboard.down(key);
      await until(
        `${key} moves the paddle`,
        () => last()!.seats[0]?.at,
        (at) => Math.abs(Number(at) - place) < 1e-9,
      );
      await other.keyboard.up(key);
    }
    assert.match((await other.textContent("#rally")) ?? "", /the ball.* in a row, \d+ at most\.$/);
    assert.deepEqual(pages.faults, []);
  });

  /** Returns the page that has sent the last frame and that shows that it hosts; undefined if no page does. */
  async function hosting(pages: Doomed): Promise<Page | undefined> {
    for (const page of pages.all) {
      const { clientId, leader } = await page.evaluate(() => ({ ...document.body.dataset }));
      if (clientId === last()?.by && leader === "true") return page;
    }
    return undefined;
  }

  /** Returns whether the buttons of the page that kill and freeze it are enabled. */
  function enabled(page: Page): Promise<boolean[]> {
    return Promise.all(["#kill", "#freeze"].map((button) => page.isEnabled(button)));
  }

  /** Runs the first host, which is not a page. The host saves a game in which a player has points, and leaves. */
  async function firstHost(): Promise<void> {
    const where = { endpoint: "localhost", port: Number(program.hub.port), tls: false, logLevel: 0 };
    const swarm = new Swarm("game", { key: KEY, clientId: "ann", settleMillis: 0, ttlMillis: 1000, ...where });
    const elected = new Promise<Leadership>((resolve) => (swarm.onElection = resolve));
    await swarm.connect();
    const ball = { x: 0.1, y: 0.2, vx: 0.5, vy: 0.6 };
    const scores = [{ id: "ann", points: POINTS }];
    await (await elected).save({ tick: 100, ball, seats: [], scores, last: "", rally: 0, best: 2 });
    await until(
      "the saved game is received",
      () => frames.length,
      (length) => length >= 1,
    );
    await swarm.close();
  }

  /** Checks the frames in the order in which the hub accepted them. */
  function assertContinues(): void {
    const hosts = new Map<number, string>();
    frames.forEach((frame, i) => {
      assert.equal(hosts.get(frame.term) ?? frame.by, frame.by, `two hosts in term ${frame.term}`);
      hosts.set(frame.term, frame.by);
      const before = frames[i - 1];
      if (before === undefined) return;
      const nearby = frames.slice(Math.max(0, i - 3), i + 3).map(({ term, seq, tick }) => `${term}/${seq}: ${tick}`);
      const which = `step ${frame.tick} of term ${frame.term} after step ${before.tick} of term ${before.term}: ${nearby.join(", ")}`;
      assert.ok(frame.term >= before.term, which);
      assert.ok(frame.tick > before.tick && frame.tick <= before.tick + MAX_STEPS, which);
      const way = Math.hypot(frame.x - before.x, frame.y - before.y);
      const seconds = (frame.tick - before.tick) / STEPS_PER_SECOND;
      assert.ok(way <= MAX_SPEED * seconds + 1e-9, `${way} in ${seconds} s: ${which}`);
      for (const { id, points } of before.scores) {
        const now = frame.scores.find((score) => score.id === id)?.points;
        // The game stores at most sixteen scores, and first drops the players that left without points.
        assert.ok(now === undefined ? points === 0 : now >= points, `${points} points became ${now}: ${which}`);
      }
    });
  }

  /** Checks that the observing page took only frames that the hub had accepted, each state once and in order. */
  function assertTaken(all: readonly Taken[]): void {
    assert.ok(all.length > KILLS);
    const known = new Map(frames.map((frame) => [frame.tick, frame]));
    all.forEach((seen, i) => {
      assert.equal(known.get(seen.tick)?.term, seen.term, `step ${seen.tick} of term ${seen.term}`);
      const before = all[i - 1];
      if (before === undefined) return;
      assert.ok(seen.tick > before.tick && seen.term >= before.term && seen.points >= before.points);
    });
    // A delayed page draws only the newest frame, so the page can miss a host that sent only one frame.
    assert.ok(new Set(all.map((seen) => seen.term)).size > KILLS / 2, "the page has seen most of the hosts");
  }

  /** Sends a frame from a client that is not the host. */
  async function forge(extras: object, kill: number): Promise<void> {
    const ball = { x: 0, y: 0, vx: 0, vy: 0 };
    const state = { tick: 1_000_000 + kill, ball, seats: [], scores: [], last: "", rally: 0, best: 0 };
    const channel = room as unknown as { publish(message: object): Promise<unknown> };
    await channel.publish({ name: FRAME, data: { term: 1_000_000, seq: 1, state }, extras });
  }

  async function watch(url: URL): Promise<Page> {
    const context = await browser.newContext();
    context.setDefaultTimeout(HANG_MILLIS);
    const page = await context.newPage();
    await page.addInitScript(() => {
      const kept: Taken[] = [];
      Object.assign(globalThis, { kept });
      addEventListener("DOMContentLoaded", () => {
        const { body } = document;
        new MutationObserver(() => {
          const { term, tick, points } = body.dataset;
          if (tick === "" || Number(tick) === kept.at(-1)?.tick) return;
          kept.push({ term: Number(term), tick: Number(tick), points: Number(points) });
        }).observe(body, { attributeFilter: ["data-tick"] });
      });
    });
    await page.goto(url.href);
    await page.waitForFunction(() => document.body.dataset["connected"] === "true");
    return page;
  }

  function taken(page: Page): Promise<Taken[]> {
    return page.evaluate(() => (globalThis as typeof globalThis & { kept: Taken[] }).kept);
  }
});
