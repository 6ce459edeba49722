/**
 * The lease machine, which decides which tab of a browser leads a channel.
 *
 * The machine has no clock, timer, randomness or I/O. Each input contains the time. The state is in a closure, because
 * minifiers shorten only local names. The rules B1 to B9 are in docs/spec/browser-lease.md.
 */
import type { LossReason } from "./api.js";
import type {
  LeaderView,
  LeaseEffect,
  LeaseInput,
  LeaseMachine,
  LeaseRecord,
  LeaseSettings,
  Moment,
} from "./lease-state.js";

/** The part of the ttl for which a leader leads after it has sent its last confirmed write (B3). */
const LEAD_PART = 0.8;
/** The part of the ttl between two renewals. */
const RENEW_PART = 1 / 3;
/** The delay after a failed request. */
const RETRY_MILLIS = 500;
/** The ttl of a hidden leader. Browsers run the timers of a hidden page at most once a minute (B7). */
const HIDDEN_TTL_MILLIS = 120_000;

/** Returns the name of the Web Lock of the record's leadership; undefined if nobody holds the lease (B6). */
export function lockOf(record: LeaseRecord | null | undefined): string | undefined {
  return record?.holder ? `${record.holder}/${record.claim}` : undefined;
}

/** Returns true if these are the same version of the record. */
export function sameVersion(one: LeaseRecord | null | undefined, other: LeaseRecord | null | undefined): boolean {
  return one?.term === other?.term && one?.renewal === other?.renewal && one?.holder === other?.holder;
}

/** Returns the machine of a tab that does not take part yet. `tab` is the unguessable name of the tab. */
export function newLease(settings: LeaseSettings, tab: string): LeaseMachine {
  /** True while the tab takes part. The page is not frozen and not in the back-forward cache. */
  let open = false;
  let closed = false;
  let visible = true;
  /** The observed record. Undefined before the first read, and null if the record does not exist. */
  let record: LeaseRecord | null | undefined;
  /** The time at which the holder's lease expires, by the clock of this tab. */
  let freeAt = 0;
  /** The time of the next read of a tab that does not lead. */
  let readAt = 0;
  let renewAt = 0;
  /** The time until which this tab does not claim. */
  let quietUntil = 0;
  let maxTerm = 0;
  /** The number of this tab's claims and renewals. */
  let writes = 0;
  /** The request that has not ended. */
  let request: "read" | "claim" | "renew" | undefined;
  /** The deadline after the browser has confirmed the request. It counts from the time before the request (B3). */
  let nextDeadline: Moment;
  /** The term in which this tab leads, or 0. */
  let leading = 0;
  let deadline: Moment;
  /** True until the work of the last leadership has stopped and its lease is released. */
  let releasing = false;
  /** The last lock that has ended. */
  let gone: string | undefined;
  /** The lock whose end this tab waits for. */
  let watched: string | undefined;
  let shown: LeaderView | null = null;
  /** The time and the effects of the present step. */
  let at: Moment;
  let now: number;
  let effects: LeaseEffect[];

  const remainingMillis = (at: Moment): number =>
    leading ? Math.max(0, Math.min(deadline.now - at.now, deadline.wall - at.wall)) : 0;

  const send = (effect: LeaseEffect & { type: "read" | "claim" | "renew" }, ttl: number): void => {
    request = effect.type;
    const lead = ttl * LEAD_PART;
    nextDeadline = { now: now + lead, wall: at.wall + lead };
    renewAt = now + ttl * RENEW_PART;
    readAt = now + settings.ttlMillis;
    effects.push(effect);
  };

  const readAgain = (): void => {
    record = undefined;
    readAt = now;
  };

  const release = (atOnce: boolean, reason?: LossReason): void => {
    const term = leading;
    // Mark the end before anything else. No later answer makes the term valid again.
    leading = 0;
    releasing = true;
    effects.push({ type: "release", term, atOnce, reason });
  };

  const lose = (reason: LossReason, atOnce = false): void => {
    if (!leading) return;
    release(atOnce, reason);
    readAgain();
  };

  const leave = (reason: LossReason): void => {
    lose(reason, !closed);
    open = false;
    record = gone = undefined;
  };

  const observe = (next: LeaseRecord | null): void => {
    // B4: the wait starts when this tab receives a new version.
    if (next && !sameVersion(record, next)) freeAt = now + next.ttl;
    record = next;
    maxTerm = Math.max(maxTerm, next?.term ?? 0);
  };

  const stored = (next: LeaseRecord | null, done: boolean): void => {
    const ended = request;
    request = undefined;
    if (open) observe(next);
    if (ended === "claim" && done) {
      leading = next!.term;
      deadline = nextDeadline;
      if (open && remainingMillis(at)) effects.push({ type: "startWork", term: leading });
      // The tab was frozen while it claimed.
      else release(true);
    } else if (ended === "renew" && leading) {
      if (!done) return lose("superseded");
      deadline = nextDeadline;
    }
  };

  const take = (input: LeaseInput): void => {
    switch (input.type) {
      case "start":
        open = !closed;
        visible = input.visible;
        return readAgain();
      case "visibility":
        // B7: a leader writes its new ttl at once.
        visible = input.visible;
        renewAt = now;
        return;
      case "stored":
        return stored(input.record, input.done);
      case "failed":
        // The outcome is unknown, so the term and the deadline do not change.
        request = undefined;
        readAt = quietUntil = renewAt = now + RETRY_MILLIS;
        return;
      case "released":
        releasing = false;
        return readAgain();
      case "gone":
        gone = input.lock;
        return;
      case "changed":
        readAt = now;
        return;
      case "resign":
        if (leading) quietUntil = now + settings.cooldownMillis;
        return lose("resigned");
      case "away":
        return leave("suspended");
      case "close":
        closed = true;
        return leave("closed");
    }
  };

  /** Returns the time at which this tab may claim, if it observes no other version of the record (B4, B6, B9). */
  const claimAt = (): number => {
    if (!settings.candidate || releasing || record === undefined) return Infinity;
    const free = record && (!record.holder || record.holder === tab || lockOf(record) === gone);
    return Math.max(quietUntil, free ? 0 : freeAt);
  };

  const decide = (): void => {
    if (!open || request) return;
    const ttl = Math.max(settings.ttlMillis, visible ? 0 : HIDDEN_TTL_MILLIS);
    if (leading) {
      if (now < renewAt) return;
      send({ type: "renew", term: leading, renewal: ++writes, ttl }, ttl);
      // B7: if the write shortens the ttl, others can observe it before this tab does. So the deadline moves first.
      const next = nextDeadline;
      deadline = { now: Math.min(deadline.now, next.now), wall: Math.min(deadline.wall, next.wall) };
    } else if (now >= claimAt()) {
      const claim = ++writes;
      const mine = { term: maxTerm + 1, holder: tab, claim, renewal: claim, ttl };
      send({ type: "claim", expected: record!, record: mine }, ttl);
    } else if (now >= readAt) send({ type: "read" }, 0);
  };

  const show = (): void => {
    const lock = open && record?.holder !== tab ? lockOf(record) : undefined;
    watched = lock === gone ? undefined : lock;
    // A tab that reads the record again keeps the leader that it has shown.
    if (open && !leading && record === undefined && shown?.id !== tab) return;
    const id = leading ? tab : watched && record!.holder!;
    const term = leading || record?.term || 0;
    if (!id) shown = null;
    else if (shown?.id !== id || shown.term !== term) shown = { id, term };
  };

  return {
    remainingMillis,
    step(moment, input) {
      at = moment;
      now = at.now;
      effects = [];
      // B5: a term whose deadline has passed ends, even if this input confirms a renewal.
      if (!remainingMillis(at)) lose("expired");
      take(input);
      decide();
      show();
      let wakeAt: number | undefined;
      if (leading) wakeAt = Math.min(deadline.now, request ? Infinity : renewAt);
      else if (open && !request) wakeAt = Math.min(readAt, claimAt());
      return { effects, watched, shown, wakeAt };
    },
  };
}
