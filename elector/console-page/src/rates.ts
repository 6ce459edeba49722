import type { HubSnapshot } from "./snapshot.js";

/** The numbers of events per second in the last few snapshots. */
export interface Rates {
  readonly received: number;
  readonly delivered: number;
  readonly refused: number;
}

const KEPT = 6;

/** Computes rates from counters. A restart of the hub resets the counters and the rates. */
export class RateMeter {
  private snapshots: HubSnapshot[] = [];

  next(snapshot: HubSnapshot): Rates {
    const last = this.snapshots.at(-1);
    if (last !== undefined && (snapshot.received < last.received || snapshot.at <= last.at)) this.snapshots = [];
    this.snapshots.push(snapshot);
    if (this.snapshots.length > KEPT) this.snapshots.shift();
    const first = this.snapshots[0] ?? snapshot;
    const seconds = (snapshot.at - first.at) / 1000;
    const rate = (now: number, then: number) => (seconds === 0 ? 0 : (now - then) / seconds);
    return {
      received: rate(snapshot.received, first.received),
      delivered: rate(snapshot.delivered, first.delivered),
      refused: rate(snapshot.refused, first.refused),
    };
  }
}

/** Formats a rate. A small rate has one decimal. */
export function rateText(perSecond: number): string {
  if (perSecond >= 100) return Math.round(perSecond).toLocaleString("en");
  return perSecond === 0 ? "0" : perSecond.toFixed(1);
}
