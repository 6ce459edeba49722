import type { Action, Leader } from "./guide.js";

/** The handlers for commands and for the news of other pages. */
export interface Handlers extends Readonly<Record<Action, () => void>> {
  readonly leads: (leader: Leader) => void;
  readonly wrote: (answer: string) => void;
}

type Message =
  | { readonly type: "command"; readonly to: string; readonly action: Action }
  | { readonly type: "received"; readonly from: string }
  | { readonly type: "leads"; readonly leader: Leader }
  | { readonly type: "wrote"; readonly answer: string };

/**
 * Sends the commands of the guide to the other tabs of this browser.
 *
 * The messages do not pass through the hub, so a frozen page also receives them.
 */
export class Commands {
  private readonly tabs = new BroadcastChannel("doyen-guide");
  private readonly self: string;
  private readonly handlers: Handlers;
  private receivers = new Set<string>();

  constructor(self: string, handlers: Handlers) {
    this.self = self;
    this.handlers = handlers;
    this.tabs.addEventListener("message", ({ data }: MessageEvent<Message>) => this.received(data));
  }

  /** Sends a command to a page. Returns a function that returns true after the page has received the command. */
  send(to: string, action: Action): () => boolean {
    this.receivers = new Set();
    this.publish({ type: "command", to, action });
    return () => this.receivers.has(to);
  }

  leads(leader: Leader): void {
    this.publish({ type: "leads", leader });
  }

  wrote(answer: string): void {
    this.publish({ type: "wrote", answer });
  }

  /** A BroadcastChannel does not deliver a message to its own page, so this page also processes the message itself. */
  private publish(message: Message): void {
    this.tabs.postMessage(message);
    this.received(message);
  }

  private received(message: Message): void {
    switch (message.type) {
      case "command":
        if (message.to !== this.self) return;
        this.publish({ type: "received", from: this.self });
        return this.handlers[message.action]();
      case "received":
        this.receivers.add(message.from);
        return;
      case "leads":
        return this.handlers.leads(message.leader);
      case "wrote":
        return this.handlers.wrote(message.answer);
    }
  }
}
