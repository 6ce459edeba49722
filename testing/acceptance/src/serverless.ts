import assert from "node:assert/strict";
import type { Pages } from "./pages.js";
import type { AnyBrowser, AnyTab } from "./tabs.js";
import { until } from "./until.js";

/** The state that pages/serverless-tab.ts reports. */
export interface Shown {
  readonly id: string;
  readonly leads: boolean;
  readonly leader: string | null;
  readonly term: number | null;
  readonly terms: readonly number[];
  readonly losses: readonly string[];
  readonly errors: readonly string[];
  readonly checkpoint: string | null;
  readonly restored: boolean;
}

interface Span {
  readonly term: number;
  readonly from: number;
  readonly to: number;
}

export interface NamedTab<T extends AnyTab> {
  readonly tab: T;
  readonly name: string;
}

/** The pages of these tests need no hub. */
export const NO_HUB = { hub: new URL("http://localhost:1") };

/** Tabs of one browser that take part in one election, and the times in which each tab saw itself as the leader. */
export class Room<T extends AnyTab> {
  open: NamedTab<T>[] = [];
  private readonly browser: AnyBrowser<T>;
  private readonly pages: Pages;
  private readonly name: string;
  private readonly settings: Readonly<Record<string, string>>;
  private opened = 0;

  constructor(browser: AnyBrowser<T>, pages: Pages, name: string, settings: Readonly<Record<string, string>> = {}) {
    this.settings = settings;
    this.browser = browser;
    this.pages = pages;
    this.name = name;
  }

  async join(): Promise<void> {
    const name = `${this.name} ${++this.opened}`;
    const url = this.pages.url("tab", NO_HUB, { name, room: this.name, ...this.settings });
    const tab = await this.browser.open(url);
    this.open.push({ tab, name });
  }

  /** Removes a tab that has ended or will end. */
  remove(name: string): void {
    this.open = this.others(name);
  }

  others(name: string): NamedTab<T>[] {
    return this.open.filter((each) => each.name !== name);
  }

  /** Waits until one tab leads in a higher term, and all others observe it in the same term. */
  async leader(above = 0, tabs = this.open): Promise<NamedTab<T> & { seen: Shown; term: number }> {
    const all = await until(
      `one tab leads in a term above ${above}, and the others follow it`,
      async () => Promise.all(tabs.map(({ tab }) => tab.evaluate<Shown>("globalThis.shown?.() ?? null"))),
      (seen) => {
        const lead = seen.find((each) => each?.leads);
        return (
          seen.filter((each) => each?.leads).length === 1 &&
          (lead?.term ?? 0) > above &&
          seen.every((each) => each?.leader === lead?.id && each?.term === lead?.term)
        );
      },
    );
    const i = all.findIndex((each) => each?.leads);
    return { ...tabs[i]!, seen: all[i]!, term: all[i]!.term ?? 0 };
  }

  /**
   * Checks the times in which each tab saw itself as the leader, up to this term. No two times may overlap, and the terms
   * must rise. Returns the times without a leader, in milliseconds.
   */
  async ledger(term: number): Promise<number[]> {
    const read = `Object.entries(localStorage).filter(([key]) => key.startsWith("spans ${this.name} ")).map(([, value]) => JSON.parse(value))`;
    // Another process of the browser receives a change of localStorage later.
    const all = await until(
      `the tabs have stored term ${term}`,
      async () => ((await this.open[0]!.tab.evaluate<Span[][]>(read)) ?? []).flat(),
      (spans) => spans.some((span) => span.term === term),
    );
    const spans = all.sort((a, b) => a.from - b.from);
    return spans.slice(1).map((span, i) => {
      const earlier = spans[i]!;
      assert.ok(span.term > earlier.term, `term ${span.term} follows term ${earlier.term}`);
      assert.ok(span.from > earlier.to, `terms ${earlier.term} and ${span.term} overlap`);
      return Math.round(span.from - earlier.to);
    });
  }

  /** Returns the time without a leader before this term, in milliseconds. */
  async gapBefore(term: number): Promise<number> {
    return (await this.ledger(term)).at(-1) ?? 0;
  }
}
