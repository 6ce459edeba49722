/** The actions of the guide, in their order. The leader's page carries them out. */
export const ACTIONS = ["close", "freeze", "write"] as const;
export type Action = (typeof ACTIONS)[number];

export interface Leader {
  readonly id: string;
  readonly term: number;
}

/** The state of the page that the guide needs. */
export interface Known {
  readonly self: string;
  readonly leader: Leader | null;
  readonly members: number;
}

/** A page answers a command at once. A page of another browser or device does not receive the command. */
export const ANSWER_MILLIS = 1000;

/**
 * The guided minute: close the leader, freeze the next leader, and let the frozen leader write.
 *
 * This class decides which step is next and what the visitor reads. It sends nothing and has no clock.
 */
export class Guide {
  private readonly nameOf: (id: string) => string;
  private next = 0;
  private target: Leader | null = null;
  private awaits: "nothing" | "successor" | "answer" = "nothing";
  private happened = "";

  /** @param nameOf returns the name that the visitor sees for an id */
  constructor(nameOf: (id: string) => string) {
    this.nameOf = nameOf;
  }

  /** Returns the action whose button is enabled; null while the guide waits for something. */
  enabled(known: Known): Action | null {
    return this.awaits === "nothing" && this.obstacle(known) === "" ? this.action : null;
  }

  /** Returns what happened, and what the next button does or what it waits for. */
  text(known: Known): string {
    if (this.awaits !== "nothing") return this.happened;
    return `${this.happened} ${this.obstacle(known) || this.preview(known)}`.trim();
  }

  /** Starts the enabled action. Returns the id of the page that must carry out the action. */
  start(known: Known): string {
    const action = this.action;
    if (action !== "write") this.target = known.leader;
    const id = this.target?.id ?? "";
    const name = this.nameOf(id);
    this.awaits = action === "write" ? "answer" : "successor";
    this.happened = {
      close: `The tab of ${name} reloads, so its connection is closed.`,
      freeze: `${name} is frozen. It does not know that its time passes. The hub waits until its claim has expired.`,
      write: `${name} wakes and writes with its old term.`,
    }[action];
    return id;
  }

  /** Processes a leader that any page has seen. */
  leads(leader: Leader): void {
    if (this.awaits !== "successor" || this.target === null || leader.term <= this.target.term) return;
    const rest = this.action === "freeze" ? ` ${this.nameOf(this.target.id)} is still frozen.` : "";
    this.happened = `${this.nameOf(leader.id)} leads now, in term ${leader.term}, and continues the count.${rest}`;
    this.finish();
  }

  /** Processes the hub's answer to the write of the frozen leader. */
  wrote(answer: string): void {
    if (this.awaits !== "answer") return;
    this.happened = answer;
    this.finish();
  }

  /** The page of the leader did not receive the command. */
  unreached(): void {
    if (this.awaits === "nothing") return;
    const name = this.nameOf(this.target?.id ?? "");
    this.happened = `${name} is not a tab of this browser, so this page cannot control it.`;
    this.awaits = "nothing";
    this.next = 0;
  }

  private get action(): Action {
    return ACTIONS[this.next] ?? "close";
  }

  private finish(): void {
    this.awaits = "nothing";
    this.next = (this.next + 1) % ACTIONS.length;
  }

  private obstacle({ self, leader, members }: Known): string {
    if (this.action === "write") return "";
    if (members < 2) return "Open another tab first: a leader needs a successor.";
    if (leader === null) return "Wait for a leader.";
    if (this.action === "close" && leader.id === self) return "This tab leads. Follow the guide in another tab.";
    return "";
  }

  private preview({ leader }: Known): string {
    const name = this.nameOf((this.action === "write" ? this.target : leader)?.id ?? "");
    return {
      close: `Button 1 closes the tab of ${name}. Another tab then continues the count.`,
      freeze: `Button 2 freezes ${name}, as a browser freezes a tab in the background.`,
      write: `Button 3 wakes ${name}. It then writes, because it does not know its successor.`,
    }[this.action];
  }
}
