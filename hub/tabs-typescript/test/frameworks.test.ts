import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { DestroyRef, Injector, runInInjectionContext } from "@angular/core";
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { effectScope, watch } from "vue";
import { injectLeader } from "../src/angular.js";
import type { AnySwarm, LeaderSnapshot } from "../src/api.js";
import { newHook } from "../src/hook.js";
import { watchLeader } from "../src/leader-snapshot.js";
import { LeaderOnly, useLeader as useReactLeader } from "../src/react.js";
import { leaderStore } from "../src/svelte.js";
import { useLeader as useVueLeader } from "../src/vue.js";
import type { FakeBrowser } from "./fake-browser.js";
import { newMembers, type Member } from "./members.js";

let browser: FakeBrowser;
let member: () => Member;

/** The page resigns in term 1, and is elected again after the cooldown. */
const TERMS = [null, 1, null, 2];

async function electResignElect({ swarm }: Member): Promise<void> {
  await browser.advance(100);
  swarm.resign();
  await browser.advance(6000);
}

/** Returns the terms in which the snapshots lead, without repetitions. */
function terms(snapshots: readonly LeaderSnapshot[]): (number | null)[] {
  const all = snapshots.map(({ leadership }) => leadership?.term ?? null);
  return all.filter((term, i) => i === 0 || term !== all[i - 1]);
}

const inPage = globalThis as { document?: unknown };

describe("a framework in a page", () => {
  beforeEach(() => {
    ({ browser, member } = newMembers());
    inPage.document = {};
  });
  afterEach(() => {
    delete inPage.document;
  });

  it("Vue_shows_each_term_until_its_scope_stops", async () => {
    const one = member();
    const shown: LeaderSnapshot[] = [];
    const scope = effectScope();
    const state = scope.run(() => useVueLeader(one.swarm))!;
    const stop = watch(state, (snapshot) => shown.push(snapshot), { immediate: true, flush: "sync" });
    await electResignElect(one);
    assert.deepEqual(terms(shown), TERMS);
    scope.stop();
    void one.swarm.close();
    assert.equal(state.value.status, "connected");
    stop();
  });

  it("shows_that_the_leadership_ended_although_the_leader_has_not_changed", () => {
    const demotion = newHook<string>(assert.ifError);
    const none = newHook<never>(assert.ifError).register;
    const swarm = {
      isLeader: true,
      onElection: none,
      onDemotion: demotion.register,
      onLeaderChanged: none,
      onStatusChanged: none,
      connect: async () => {},
    };
    const shown: boolean[] = [];
    watchLeader(swarm as unknown as AnySwarm, ({ isLeader }) => shown.push(isLeader));
    swarm.isLeader = false;
    demotion.emit("expired");
    assert.deepEqual(shown, [true, false]);
  });

  it("Svelte_receives_a_value_at_once_and_each_term_until_it_unsubscribes", async () => {
    const one = member();
    const shown: LeaderSnapshot[] = [];
    const stop = leaderStore(one.swarm).subscribe((snapshot) => shown.push(snapshot));
    assert.equal(shown.length, 1);
    await electResignElect(one);
    assert.deepEqual(terms(shown), TERMS);
    stop();
    const { length } = shown;
    void one.swarm.close();
    assert.equal(shown.length, length);
  });

  it("Angular_shows_the_term_until_its_injector_is_destroyed", async () => {
    const one = member();
    const injector = Injector.create({ providers: [] }) as Injector & { destroy(): void };
    assert.ok(injector.get(DestroyRef));
    const state = runInInjectionContext(injector, () => injectLeader(one.swarm));
    assert.deepEqual([state().status, state().leadership], ["connecting", null]);
    await electResignElect(one);
    assert.equal(state().leadership?.term, 2);
    injector.destroy();
    void one.swarm.close();
    assert.equal(state().status, "connected");
  });
});

describe("a framework on a server", () => {
  it("shows_a_follower_and_does_not_connect", async () => {
    ({ browser, member } = newMembers());
    const { swarm } = member();
    const Room = () => JSON.stringify(useReactLeader(swarm)).replaceAll('"', "");
    assert.match(renderToString(createElement(Room)), /isLeader:false.+status:connecting/);
    assert.equal(renderToString(createElement(LeaderOnly, { swarm, fallback: "wait", children: "lead" })), "wait");
    const shown: LeaderSnapshot[] = [];
    leaderStore(swarm).subscribe((snapshot) => shown.push(snapshot));
    assert.deepEqual(
      shown.map(({ status, isLeader }) => [status, isLeader]),
      [["connecting", false]],
    );
    await browser.advance(100);
    assert.equal(browser.records.size, 0);
  });
});
