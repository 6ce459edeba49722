import { compareMembers, type RingMember, type RingView } from "../src/ring-view.js";
import { initialRing, ringLeader, type RingAlgorithm, type RingEffect, type RingState } from "../src/ring-state.js";
import { ringSettings } from "../src/ring-options.js";
import { stepRing } from "../src/ring.js";
import type { RingMessage } from "../src/ring-message.js";
import type { RingInput } from "../src/ring-state.js";

const AT = { now: 0, wall: 0 };

/**
 * One election of shipped machines on a ring where nothing is lost, time stands still and every link keeps order: all install
 * the view before any message is delivered. Counts one message for each link it crosses, as `QuietRing` of Java does.
 */
export class QuietRing {
  contest = 0;
  chosen = 0;
  lap = 0;
  readonly leaders: RingMember[] = [];
  private readonly states = new Map<string, RingState>();
  private readonly links: { to: RingMember; from: RingMember; message: RingMessage }[] = [];

  constructor(algorithm: RingAlgorithm, members: readonly RingMember[]) {
    const view: RingView = { id: { number: 1, creator: "test" }, members };
    const settings = ringSettings({ algorithm });
    for (const member of members) this.states.set(nameOf(member), initialRing(settings, member));
    for (const member of members) this.step(member, { type: "installed", view });
    for (let i = 0; i < this.links.length; i++) {
      if (i > members.length ** 2 + 4 * members.length) throw new Error("the messages do not end");
      const { to, from, message } = this.links[i] as (typeof this.links)[number];
      this.step(to, { type: "received", from, message });
    }
  }

  /** The members as they sit on the ring. */
  get ring(): readonly RingMember[] {
    return [...this.states.values()][0]?.seat?.view.members ?? [];
  }

  /** Whether every member names this one, in term 1. */
  agreesOn(leader: RingMember): boolean {
    return [...this.states.values()].every((state) => {
      const term = ringLeader(state);
      return term !== null && term.counter === 1 && compareMembers(term.creator, leader) === 0;
    });
  }

  private step(member: RingMember, input: RingInput): void {
    const { state, effects } = stepRing(this.states.get(nameOf(member)) as RingState, AT, input);
    this.states.set(nameOf(member), state);
    for (const effect of effects) this.carryOut(member, effect);
  }

  private carryOut(member: RingMember, effect: RingEffect): void {
    if (effect.type === "lead") this.leaders.push(member);
    if (effect.type === "dropped") throw new Error(`dropped on a quiet ring: ${JSON.stringify(effect)}`);
    if (effect.type !== "send") return;
    const { kind } = effect.message;
    if (kind === "elect" || kind === "compare") this.contest++;
    else if (kind === "chosen") this.chosen++;
    else this.lap++;
    this.links.push({ to: effect.to, from: member, message: effect.message });
  }
}

function nameOf({ id, incarnation }: RingMember): string {
  return `${id}\0${incarnation}`;
}
