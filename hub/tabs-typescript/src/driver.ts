import type { Checkpoint, LossReason } from "./api.js";
import type { Browser } from "./browser.js";
import { lockOf, newLease, sameVersion } from "./lease.js";
import type { LeaderView, LeaseEffect, LeaseInput, LeaseRecord, LeaseSettings } from "./lease-state.js";

/** The events that the driver reports. The functions must not throw. */
export interface LeaseEvents {
  elected(term: number, checkpoint: Checkpoint | null): void;
  /** This tab no longer leads. The driver releases the lease after the promise has settled. */
  demoted(reason: LossReason): Promise<unknown>;
  leaderChanged(): void;
  /** Receives a message of another tab. */
  message(message: unknown): void;
  error(error: unknown): void;
}

/** Runs the machine of one tab in one channel. */
export interface LeaseDriver {
  /** Takes part in the election. Rejects if the page cannot use IndexedDB. */
  open(): Promise<void>;
  close(): Promise<void>;
  resign(): void;
  remainingMillis(): number;
  leader(): LeaderView | null;
  /** Sends a message to the other tabs. A page in the back-forward cache sends nothing. */
  post(message: object): void;
  /** Stores the saved state. Returns false if this tab no longer holds the lease in this term. */
  save(term: number, state: unknown): Promise<boolean>;
}

type Change = (now: LeaseRecord | null) => LeaseRecord | null;

/**
 * Creates a driver. The names of the record, of the channel and of the locks begin with `name`. The driver is a closure
 * and no class, because minifiers shorten only local names.
 */
export function driveLease(
  browser: Browser,
  name: string,
  settings: LeaseSettings,
  tab: string,
  events: LeaseEvents,
): LeaseDriver {
  const idle = (): void => {};
  const inputs: LeaseInput[] = [];
  const lease = newLease(settings, tab);
  let busy = false;
  let closed = false;
  let watched: string | undefined;
  let shown: LeaderView | null = null;
  let cancelWake = idle;
  let unwatch = idle;
  let unwatchPage = idle;
  let drop = idle;
  let channel: ReturnType<Browser["channel"]> | undefined;
  let checkpoint: Checkpoint | null = null;
  let released: Promise<void> | undefined;

  const lockName = (lock: string): string => `${name}/${lock}`;

  /** Passes one input after the other to the machine, and carries out its effects. */
  const feed = (input: LeaseInput): void => {
    inputs.push(input);
    if (busy) return;
    busy = true;
    for (let next = inputs.shift(); next; next = inputs.shift()) {
      const at = browser.moment();
      const spareMillis = lease.remainingMillis(at);
      const { effects, wakeAt, watched: lock, shown: leader } = lease.step(at, next);
      cancelWake();
      cancelWake = wakeAt === undefined ? idle : browser.after(wakeAt - at.now, () => feed({ type: "tick" }));
      const leaderChanged = leader !== shown;
      shown = leader;
      for (const effect of effects) carryOut(effect, spareMillis);
      if (lock !== watched) {
        unwatch();
        unwatch = lock ? browser.watch(lockName(lock), () => feed({ type: "gone", lock })) : idle;
        watched = lock;
      }
      if (leaderChanged) events.leaderChanged();
    }
    busy = false;
  };

  const failed = (error: unknown): void => {
    events.error(error);
    feed({ type: "failed" });
  };

  /** Runs a transaction of the machine, and returns its result to the machine. */
  const store = async (change: Change, undone = idle): Promise<void> => {
    let before: LeaseRecord | null = null;
    try {
      const after = await browser.transact(name, (now) => change((before = now)));
      if (!after) undone();
      const record = after ?? before;
      checkpoint = record?.saved ?? null;
      feed({ type: "stored", record, done: !!after });
    } catch (error) {
      undone();
      failed(error);
    }
  };

  /** Returns a change of the record that applies only while this tab holds the lease in this term. */
  const ifMine =
    (term: number, part: (now: LeaseRecord) => Partial<LeaseRecord>): Change =>
    (now) =>
      now?.term === term && now.holder === tab ? { ...now, ...part(now) } : null;

  /** Tells the other tabs to read the record again. */
  const recordChanged = (): void => channel?.post(0);

  const claim = async (expected: LeaseRecord | null, record: LeaseRecord): Promise<void> => {
    try {
      const end = await browser.hold(lockName(lockOf(record)!));
      drop = end;
      void store((now) => (sameVersion(now, expected) ? { ...now, ...record } : null), end);
    } catch (error) {
      failed(error);
    }
  };

  /**
   * Releases the record after the work has stopped, and then the lock. A page that freezes releases only the lock,
   * because its open transaction would block the transactions of all other tabs.
   */
  const release = async (
    { term, atOnce, reason }: LeaseEffect & { type: "release" },
    spareMillis: number,
  ): Promise<void> => {
    const end = drop;
    const stopped = reason && events.demoted(reason);
    if (!atOnce) {
      await Promise.race([stopped, new Promise<void>((resolve) => browser.after(spareMillis, resolve))]);
      await browser
        .transact(
          name,
          ifMine(term, () => ({ holder: null })),
        )
        .catch(events.error);
    }
    end();
    recordChanged();
    feed({ type: "released" });
  };

  const carryOut = (effect: LeaseEffect, spareMillis: number): void => {
    switch (effect.type) {
      case "read":
        return void store(() => null);
      case "claim":
        return void claim(effect.expected, effect.record);
      case "renew": {
        const { term, renewal, ttl } = effect;
        return void store(ifMine(term, () => ({ renewal, ttl })));
      }
      case "startWork":
        recordChanged();
        return events.elected(effect.term, checkpoint);
      case "release":
        released = release(effect, spareMillis);
    }
  };

  /** Closes everything that would prevent the browser from caching the page. */
  const silence = (): void => {
    channel?.close();
    channel = undefined;
  };

  const start = (): void => {
    channel ??= browser.channel(name, (message) => {
      if (message) events.message(message);
      else feed({ type: "changed" });
    });
    feed({ type: "start", visible: browser.visible() });
  };

  const close = async (): Promise<void> => {
    closed = true;
    feed({ type: "close" });
    unwatchPage();
    await released;
    silence();
  };

  return {
    open: async () => {
      await browser
        .transact(name, () => null)
        .catch((error) => {
          throw new Error(`this page cannot use IndexedDB, so it cannot take part: ${error}`);
        });
      if (closed) return;
      unwatchPage = browser.watchPage({
        visibility: () => feed({ type: "visibility", visible: browser.visible() }),
        away: () => {
          feed({ type: "away" });
          silence();
        },
        back: start,
        gone: close,
      });
      start();
    },
    close,
    resign: () => feed({ type: "resign" }),
    remainingMillis: () => lease.remainingMillis(browser.moment()),
    leader: () => shown,
    post: (message) => channel?.post(message),
    save: async (term, state) => {
      const change = ifMine(term, ({ saved }) => ({ saved: { term, seq: (saved?.seq ?? 0) + 1, state } }));
      return !!(await browser.transact(name, change));
    },
  };
}
