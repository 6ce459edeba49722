/**
 * Messages that tabs of one browser send to each other over a BroadcastChannel.
 *
 * All senders belong to this origin. The receiver checks each message all the same, because a page of an older or newer
 * version may send on the channel too.
 */
import type { InboundMessage } from "ably";
import type { SwarmLeader, SwarmMember, SwarmStatus } from "./any-swarm.js";

/** Part of the names of the lock and the channel. Pages of different versions do not share a socket. */
export const VERSION = 1;

/** The holder's view of the channel, which every tab shows. */
export interface View {
  readonly status: SwarmStatus;
  readonly leader: SwarmLeader | null;
  readonly members: SwarmMember[];
}

/** Why a message was not sent, with the hub's code if the hub rejected it. */
export interface Refusal {
  readonly message: string;
  readonly code?: number;
}

/** Messages of the tab that holds the lock. Each of them shows that it is alive. */
export type HolderSays =
  | { readonly kind: "heartbeat" }
  | { readonly kind: "view"; readonly view: View; readonly to?: string }
  | { readonly kind: "news"; readonly messages: readonly InboundMessage[]; readonly to?: string }
  | { readonly kind: "sent"; readonly to: string; readonly n: number; readonly error?: Refusal };

/** Messages of any tab. */
export type TabSays =
  /** The tab is new or knows no holder, and asks for the holder's view. */
  | { readonly kind: "hello"; readonly visible: boolean }
  | { readonly kind: "here"; readonly visible: boolean }
  /**
   * A steal request: the holder is silent. Unless it answers, the best tab among those that sent one steals the lock
   * (T7).
   */
  | { readonly kind: "bid"; readonly visible: boolean }
  | { readonly kind: "bye" }
  | { readonly kind: "send"; readonly to: string; readonly n: number; readonly name: string; readonly data?: unknown };

export type FromHolder = HolderSays & {
  readonly v: 1;
  readonly from: string;
  /** The generation, which rises from holder to holder (T4). */
  readonly generation: number;
  /** The client id of this browser. */
  readonly device: string;
  /** Whether the sender stole the lock. */
  readonly stolen: boolean;
};
export type FromTab = TabSays & { readonly v: 1; readonly from: string; readonly generation?: undefined };
export type Word = FromHolder | FromTab;

const SHAPES: Readonly<Record<Word["kind"], (word: Record<string, unknown>) => boolean>> = {
  heartbeat: fromHolder,
  view: (word) => typeof word["view"] === "object" && word["view"] !== null && fromHolder(word),
  news: (word) => Array.isArray(word["messages"]) && fromHolder(word),
  sent: (word) => typeof word["n"] === "number" && fromHolder(word),
  hello: (word) => typeof word["visible"] === "boolean",
  here: (word) => typeof word["visible"] === "boolean",
  bid: (word) => typeof word["visible"] === "boolean",
  bye: () => true,
  send: (word) => typeof word["to"] === "string" && typeof word["n"] === "number" && typeof word["name"] === "string",
};

/** Returns a valid message of this version, or null. */
export function readWord(data: unknown): Word | null {
  if (typeof data !== "object" || data === null) return null;
  const word = data as Record<string, unknown>;
  if (word["v"] !== VERSION || typeof word["from"] !== "string" || typeof word["kind"] !== "string") return null;
  if (!Object.hasOwn(SHAPES, word["kind"])) return null;
  return SHAPES[word["kind"] as Word["kind"]](word) ? (data as Word) : null;
}

function fromHolder(word: Record<string, unknown>): boolean {
  const { generation, device, stolen } = word;
  return Number.isSafeInteger(generation) && typeof device === "string" && typeof stolen === "boolean";
}
