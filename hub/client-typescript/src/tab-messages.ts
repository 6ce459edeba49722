/**
 * The messages that the tabs of one browser send to each other over a BroadcastChannel.
 *
 * All senders belong to this origin. The receiver checks each message, because other code of this origin can also send
 * on the channel.
 */
import type { SwarmLeader, SwarmStatus } from "@doyen/tabs/api";
import type { InboundMessage } from "ably";
import type { SwarmMember } from "./any-swarm.js";

/**
 * The version, which is part of the names of the lock and the channel. Pages of different versions do not share a
 * socket.
 */
export const VERSION = 1;

/** The holder's view of the channel, which every tab displays. */
export interface View {
  readonly status: SwarmStatus;
  readonly leader: SwarmLeader | null;
  readonly members: SwarmMember[];
}

/** The reason why a message was not sent. It contains the hub's code if the hub rejected the message. */
export interface Refusal {
  readonly message: string;
  readonly code?: number;
}

/** The messages of the tab that holds the lock. Each message shows that the tab is alive. */
export type HolderContent =
  | { readonly kind: "heartbeat" }
  | { readonly kind: "view"; readonly view: View; readonly to?: string }
  | { readonly kind: "news"; readonly messages: readonly InboundMessage[]; readonly to?: string }
  | { readonly kind: "sent"; readonly to: string; readonly n: number; readonly error?: Refusal };

/** The messages that any tab may send. */
export type TabContent =
  /** Requests the holder's view. The tab has started, has returned from a freeze, or follows a new holder. */
  | { readonly kind: "hello"; readonly visible: boolean }
  | { readonly kind: "here"; readonly visible: boolean }
  /**
   * A steal request, which reports that the holder is silent. Unless the holder answers, the best tab among those
   * that sent a request steals the lock (T7).
   */
  | { readonly kind: "bid"; readonly visible: boolean }
  | { readonly kind: "bye" }
  | { readonly kind: "send"; readonly to: string; readonly n: number; readonly name: string; readonly data?: unknown };

export type FromHolder = HolderContent & {
  readonly v: 1;
  readonly from: string;
  /** The generation. Each new holder has a higher generation (T4). */
  readonly generation: number;
  /** The client id of this browser. */
  readonly device: string;
  /** True if the sender stole the lock. */
  readonly stolen: boolean;
};
export type FromTab = TabContent & { readonly v: 1; readonly from: string; readonly generation?: undefined };
export type TabMessage = FromHolder | FromTab;

const SHAPES: Readonly<Record<TabMessage["kind"], (message: Record<string, unknown>) => boolean>> = {
  heartbeat: fromHolder,
  view: (message) => typeof message["view"] === "object" && message["view"] !== null && fromHolder(message),
  news: (message) => Array.isArray(message["messages"]) && fromHolder(message),
  sent: (message) => typeof message["n"] === "number" && fromHolder(message),
  hello: (message) => typeof message["visible"] === "boolean",
  here: (message) => typeof message["visible"] === "boolean",
  bid: (message) => typeof message["visible"] === "boolean",
  bye: () => true,
  send: (message) =>
    typeof message["to"] === "string" && typeof message["n"] === "number" && typeof message["name"] === "string",
};

/** Returns a valid message of this version, or null. */
export function readMessage(data: unknown): TabMessage | null {
  if (typeof data !== "object" || data === null) return null;
  const message = data as Record<string, unknown>;
  if (message["v"] !== VERSION || typeof message["from"] !== "string" || typeof message["kind"] !== "string")
    return null;
  if (!Object.hasOwn(SHAPES, message["kind"])) return null;
  return SHAPES[message["kind"] as TabMessage["kind"]](message) ? (data as TabMessage) : null;
}

function fromHolder(message: Record<string, unknown>): boolean {
  const { generation, device, stolen } = message;
  return Number.isSafeInteger(generation) && typeof device === "string" && typeof stolen === "boolean";
}
