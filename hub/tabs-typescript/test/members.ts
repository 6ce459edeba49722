import { Swarm, type SwarmOptions } from "../src/index.js";
import { FakeBrowser, FakeTab } from "./fake-browser.js";

/** A swarm of the channel "orders" in its own tab, with the events and errors that it has reported. */
export interface Member {
  readonly swarm: Swarm;
  readonly tab: FakeTab;
  readonly events: string[];
  readonly errors: unknown[];
}

/** Returns a fake browser and functions that open tabs in it. */
export function newMembers() {
  const browser = new FakeBrowser();
  const member = (options: SwarmOptions = {}): Member => {
    const tab = new FakeTab(browser);
    const errors: unknown[] = [];
    const events: string[] = [];
    const swarm = new Swarm("orders", { browser: tab, onError: (error) => errors.push(error), ...options });
    swarm.onElection(({ term }) => events.push(`elected ${term}`));
    swarm.onDemotion((reason) => events.push(reason));
    return { swarm, tab, events, errors };
  };
  /** Opens two connected tabs. The first tab leads in term 1. */
  const pair = async (): Promise<[Member, Member]> => {
    const one = member();
    const other = member();
    await Promise.all([one.swarm.connect(), browser.advance(100)]);
    await Promise.all([other.swarm.connect(), browser.advance(100)]);
    return [one, other];
  };
  return { browser, member, pair };
}
