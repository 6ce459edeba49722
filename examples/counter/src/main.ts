import { cut, freeze, lineMode, mend, viewTimers, wake } from "../../page/line.js";
import { Swarm, TERM_HEADER, type RealtimeChannel } from "@doyen/swarm";
import { connectionTo, loadConfig, type Config } from "../../page/config.js";
import { Count } from "./count.js";
import { displayName } from "../../../elector/console-page/src/names.js";
import { inPlainWords } from "../../../elector/console-page/src/words.js";
import { newClientId } from "../../page/names.js";
import { ANSWER_MILLIS, Guide, type Known } from "./guide.js";
import { Commands } from "./commands.js";
import { lead, TICK } from "./lead.js";
import { Timeline } from "./timeline.js";
import { View } from "./view.js";

const CATCH_UP_MILLIS = 1000;
/** A leader that sends no number for this many ticks counts as silent. */
const SILENT_TICKS = 2;

/** Starts the page, which has a swarm, a count that the leader advances, and four ways to disturb a leader. */
async function start(): Promise<void> {
  const view = new View();
  const found = await loadConfig((text) => view.fail(text));
  if (found === null) return;
  const config: Config = found;
  const report = (error: unknown): void => view.note(inPlainWords((error as Error).message ?? String(error)));
  const count = new Count();
  const guide = new Guide(displayName);
  const timeline = new Timeline(SILENT_TICKS * config.tickMillis);
  const swarm = new Swarm(config.channel, {
    clientId: newClientId(),
    ...connectionTo(location),
    ttlMillis: config.claimTtlMillis,
    settleMillis: 100,
    onError: report,
  });
  let channel: RealtimeChannel | null = null;
  let lastOwnTerm: number | null = null;

  swarm.onConnection = (attached) => {
    channel = attached;
    view.connected();
  };
  swarm.subscribe((message) => {
    if (message.name !== TICK || !count.take(message.data)) return;
    timeline.messageFrom(count.term, performance.now());
    view.ticked();
    render();
  });
  swarm.onElection = (leadership) => {
    lastOwnTerm = leadership.term;
    view.elected();
    void lead(leadership, count, config.tickMillis, report);
    render();
  };
  swarm.onDemotion = (reason) => {
    view.demoted(reason);
    render();
  };
  swarm.onLeaderChanged = (leader) => {
    timeline.leaderChanged(leader, performance.now());
    view.announce(announcement(leader));
    if (leader !== null) commands.leads({ id: leader.id, term: leader.term });
    render();
  };
  swarm.onSwarmPresenceChanged = () => render();

  view.onResign = () => swarm.resign();
  view.onKill = () => switchLine(lineMode() === "cut" ? mend : cut);
  view.onFreeze = () => switchLine(lineMode() === "frozen" ? wake : freeze);
  view.onOldTerm = () => {
    if (lineMode() === "frozen") switchLine(wake);
    void writeWithTerm(lastOwnTerm ?? swarm.term ?? 0);
  };

  const commands = new Commands(swarm.id, {
    // A reload closes the page for the hub. A script cannot close a tab that it has not opened.
    close: () => location.reload(),
    freeze: () => switchLine(freeze),
    write: () => {
      if (lineMode() === "frozen") switchLine(wake);
      void writeWithTerm(lastOwnTerm ?? 0).then((answer) => commands.wrote(answer));
    },
    leads: (leader) => guide.leads(leader),
    wrote: (answer) => guide.wrote(answer),
  });
  view.onGuide = async () => {
    const action = guide.enabled(known());
    if (action === null) return;
    const reached = commands.send(guide.start(known()), action);
    viewTimers.setTimeout(() => {
      if (!reached()) guide.unreached();
    }, ANSWER_MILLIS);
  };

  function known(): Known {
    return { self: swarm.id, leader: swarm.leader, members: swarm.members.length };
  }

  /**
   * Runs a change of the connection. Events arrive late around this change, so no takeover is measured until the page
   * is up to date.
   */
  function switchLine(change: () => void): void {
    timeline.stopMeasuring();
    change();
    if (lineMode() === "open") viewTimers.setTimeout(() => timeline.startMeasuring(), CATCH_UP_MILLIS);
    render();
  }

  /**
   * Writes with an old term and without the swarm, because the swarm would reject the write. A former leader that still
   * believes that it leads writes in the same way. Returns the hub's answer in plain words.
   */
  async function writeWithTerm(term: number): Promise<string> {
    view.refused(null);
    try {
      const data = { term, n: (count.value ?? 0) + 1000 };
      await channel?.publish({ name: TICK, data, extras: { headers: { [TERM_HEADER]: term } } });
      const accepted = "The hub accepted the write, because this page leads in that term.";
      view.note(accepted);
      return accepted;
    } catch (error) {
      const { message } = error as Error;
      view.refused(message);
      return inPlainWords(message);
    }
  }

  function render(): void {
    view.render({ swarm, count, timeline, config, mode: lineMode(), oldTerm: lastOwnTerm });
    view.guide(guide.text(known()), guide.enabled(known()));
  }

  view.clientId(swarm.id, config.electorUrl);
  view.machines(config);
  render();
  // The page renders at regular intervals, because the leader's crown must disappear in time even if the page is frozen
  // or disconnected.
  viewTimers.setInterval(render, 100);
  await swarm.connect();
}

function announcement(leader: { id: string; term: number; self: boolean } | null): string {
  if (leader === null) return "Nobody leads.";
  return leader.self ? `You lead in term ${leader.term}.` : `${displayName(leader.id)} leads in term ${leader.term}.`;
}

void start();
