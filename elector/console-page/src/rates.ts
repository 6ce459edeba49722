import type { HubLook } from "./look.js";

/** Events per second, over the last few snapshots. */
export interface Rates {
  readonly received: number;
  readonly delivered: number;
  readonly refused: number;
}

const KEPT = 6;

/** Computes rates from counters. A restart of the hub resets the counters, and so the rates. */
export class RateMeter {
  private looks: HubLook[] = [];

  next(look: HubLook): Rates {
    const last = this.looks.at(-1);
    if (last !== undefined && (look.received < last.received || look.at <= last.at)) this.looks = [];
    this.looks.push(look);
    if (this.looks.length > KEPT) this.looks.shift();
    const first = this.looks[0] ?? look;
    const seconds = (look.at - first.at) / 1000;
    const rate = (now: number, then: number) => (seconds === 0 ? 0 : (now - then) / seconds);
    return {
      received: rate(look.received, first.received),
      delivered: rate(look.delivered, first.delivered),
      refused: rate(look.refused, first.refused),
    };
  }
}

/** Formats a rate, with one decimal while it is small. */
export function rateText(perSecond: number): string {
  if (perSecond >= 100) return Math.round(perSecond).toLocaleString("en");
  return perSecond === 0 ? "0" : perSecond.toFixed(1);
}
