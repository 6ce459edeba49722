import type { LeaseRecord, Moment } from "./lease-state.js";

/** The functions of the browser that a swarm uses. Tests replace them. */
export interface Browser {
  moment(): Moment;
  /** Calls `run` once after at least `millis`. Returns a function that cancels the call. */
  after(millis: number, run: () => void): () => void;
  /**
   * Passes the record of the channel to `change`, and stores its result in the same transaction. The result null changes
   * nothing. Returns the new record, or null if `change` returned null.
   */
  transact(channel: string, change: (record: LeaseRecord | null) => LeaseRecord | null): Promise<LeaseRecord | null>;
  /** Acquires a lock that no other tab requests exclusively. Returns a function that releases it. */
  hold(lock: string): Promise<() => void>;
  /** Calls `ended` when nobody holds the lock. Returns a function that stops the wait. */
  watch(lock: string, ended: () => void): () => void;
  /** Opens the channel that connects the tabs of this origin, without this swarm itself. */
  channel(name: string, receive: (data: unknown) => void): { post(data: unknown): void; close(): void };
  visible(): boolean;
  /** Watches the life cycle of the page. Returns a function that stops the watch. */
  watchPage(events: PageEvents): () => void;
}

export interface PageEvents {
  visibility(): void;
  /** The page is about to freeze or to go to the back-forward cache. */
  away(): void;
  back(): void;
  /** The page ends. */
  gone(): void;
}

/** The name of the database and of its only object store. */
const NAME = "doyen";

/** The database of the origin. All swarms of the page share the connection. */
let database: Promise<IDBDatabase> | undefined;

/** The open transactions of this page. A frozen page with an open transaction blocks all other tabs. */
const open = new Set<IDBTransaction>();

/** Undefined on a page without https. */
const locks = globalThis.navigator?.locks as LockManager | undefined;

export const browser: Browser = {
  moment: () => ({ now: performance.now(), wall: Date.now() }),
  after(millis, run) {
    const timer = setTimeout(run, millis);
    return () => clearTimeout(timer);
  },

  async transact(channel, change) {
    let transaction: IDBTransaction | undefined;
    try {
      const db = await (database ??= new Promise((resolve, reject) => {
        const opening = indexedDB.open(NAME, 1);
        opening.onupgradeneeded = () => opening.result.createObjectStore(NAME);
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          // A page wants to delete the database.
          opening.result.onversionchange = () => opening.result.close();
          resolve(opening.result);
        };
      }));
      // With strict durability, a term stays in use after a power failure.
      const mine = (transaction = db.transaction(NAME, "readwrite", { durability: "strict" }));
      open.add(mine);
      return await new Promise((resolve, reject) => {
        let result: LeaseRecord | null;
        const store = mine.objectStore(NAME);
        const reading = store.get(channel);
        reading.onsuccess = () => {
          result = change((reading.result as LeaseRecord | undefined) ?? null);
          if (result) store.put(result, channel);
        };
        mine.oncomplete = () => resolve(result);
        mine.onabort = () => reject(mine.error ?? new Error("the page froze"));
      });
    } catch (error) {
      // The connection has perhaps closed, because the user has deleted the site's data. Open it again.
      database = undefined;
      throw error;
    } finally {
      open.delete(transaction!);
    }
  },

  hold(lock) {
    // The browser releases the lock when the inner promise settles.
    return new Promise((resolve, reject) => {
      if (locks) locks.request(lock, () => new Promise<void>((release) => resolve(release))).catch(reject);
      else resolve(() => {});
    });
  },

  watch(lock, ended) {
    const stop = new AbortController();
    // The wait also ends if it is stopped, or if the browser does not allow locks. Then the ttl decides.
    locks?.request(lock, { mode: "shared", signal: stop.signal }, ended).catch(() => {});
    return () => stop.abort();
  },

  channel(name, receive) {
    const channel = new BroadcastChannel(name);
    channel.onmessage = ({ data }) => receive(data);
    return { post: (data) => channel.postMessage(data), close: () => channel.close() };
  },

  visible: () => globalThis.document?.visibilityState !== "hidden",

  watchPage({ visibility, away, back, gone }) {
    const end = new AbortController();
    const options = { signal: end.signal };
    const page = globalThis.document as Document | undefined;
    const on = (target: EventTarget | undefined, type: string, listener: (event: PageTransitionEvent) => void) =>
      page && target!.addEventListener(type, listener as EventListener, options);
    const freeze = (): void => {
      away();
      for (const transaction of open) {
        try {
          transaction.abort();
        } catch {
          // The transaction is already committing, and needs no more events of this page.
        }
      }
    };
    on(page, "visibilitychange", visibility);
    on(page, "freeze", freeze);
    on(page, "resume", back);
    on(globalThis, "pagehide", ({ persisted }) => (persisted ? freeze() : gone()));
    on(globalThis, "pageshow", ({ persisted }) => persisted && back());
    return () => end.abort();
  },
};
