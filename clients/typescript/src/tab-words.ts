/**
 * What tabs of one browser say to each other over a BroadcastChannel. Whoever can speak there runs in this origin; what
 * is read is checked all the same, because an older or newer page of the same site may speak there too.
 */
import type { InboundMessage } from "ably";
import type { SwarmLeader, SwarmMember, SwarmStatus } from "./any-swarm.js";

/** Part of the names of the lock and the channel: pages of different versions have a socket each. */
export const VERSION = 1;

/** What the holder knows of the channel, as every tab shows it. */
export interface View {
  readonly status: SwarmStatus;
  readonly leader: SwarmLeader | null;
  readonly members: SwarmMember[];
}

/** Why a message was not sent, with the hub's code if it was the hub. */
export interface Refusal {
  readonly message: string;
  readonly code?: number;
}

/** Said by the tab that holds the lock. Whatever it says shows that it is alive. */
export type HolderSays =
  | { readonly kind: "beat" }
  | { readonly kind: "view"; readonly view: View; readonly to?: string }
  | { readonly kind: "news"; readonly messages: readonly InboundMessage[]; readonly to?: string }
  | { readonly kind: "sent"; readonly to: string; readonly n: number; readonly error?: Refusal };

/** Said by any tab. */
export type TabSays =
  /** I am new here, or lost sight: tell me what you know. */
  | { readonly kind: "hello"; readonly visible: boolean }
  | { readonly kind: "here"; readonly visible: boolean }
  /** The holder is silent; unless it answers, the best of those who bid steals the lock (T7). */
  | { readonly kind: "bid"; readonly visible: boolean }
  | { readonly kind: "bye" }
  | { readonly kind: "send"; readonly to: string; readonly n: number; readonly name: string; readonly data?: unknown };

export type FromHolder = HolderSays & {
  readonly v: 1;
  readonly from: string;
  /** Rises from holder to holder. */
  readonly tenure: number;
  /** The client id of this browser. */
  readonly device: string;
  /** Whether the lock was stolen. */
  readonly stolen: boolean;
};
export type FromTab = TabSays & { readonly v: 1; readonly from: string; readonly tenure?: undefined };
export type Word = FromHolder | FromTab;

const SHAPES: Readonly<Record<Word["kind"], (word: Record<string, unknown>) => boolean>> = {
  beat: fromHolder,
  view: (word) => typeof word["view"] === "object" && word["view"] !== null && fromHolder(word),
  news: (word) => Array.isArray(word["messages"]) && fromHolder(word),
  sent: (word) => typeof word["n"] === "number" && fromHolder(word),
  hello: (word) => typeof word["visible"] === "boolean",
  here: (word) => typeof word["visible"] === "boolean",
  bid: (word) => typeof word["visible"] === "boolean",
  bye: () => true,
  send: (word) => typeof word["to"] === "string" && typeof word["n"] === "number" && typeof word["name"] === "string",
};

/** A word of this version, or null. */
export function readWord(data: unknown): Word | null {
  if (typeof data !== "object" || data === null) return null;
  const word = data as Record<string, unknown>;
  if (word["v"] !== VERSION || typeof word["from"] !== "string" || typeof word["kind"] !== "string") return null;
  if (!Object.hasOwn(SHAPES, word["kind"])) return null;
  return SHAPES[word["kind"] as Word["kind"]](word) ? (data as Word) : null;
}

function fromHolder(word: Record<string, unknown>): boolean {
  const { tenure, device, stolen } = word;
  return Number.isSafeInteger(tenure) && typeof device === "string" && typeof stolen === "boolean";
}
