import { cut, freeze, lineMode, mend, wake } from "../../page/line.js";
import { Swarm } from "@doyen/swarm";
import { connectionTo, loadConfig } from "../../page/config.js";
import { announce, fail, happen } from "../../page/story.js";
import { displayName } from "../../../elector/console-page/src/names.js";
import { inPlainWords } from "../../../elector/console-page/src/words.js";
import { newClientId } from "../../page/names.js";
import { readMove, STEPS_PER_SECOND } from "./game.js";
import { follow, mustSend } from "./hand.js";
import { Host } from "./host.js";
import { happened, NOTHING_SEEN, take } from "./screen.js";
import { View } from "./view.js";

const CHANNEL = "game";
const MOVE = "move";
/** The time without a frame after which the page shows that the ball waits, in milliseconds. */
const SILENT_MILLIS = 400;
/**
 * The minimum time between two answers, in milliseconds. A delayed page receives many frames at once, and answers
 * only one frame.
 */
const ANSWER_MILLIS = 25;
/** The distance that an arrow key moves the paddle per step. A paddle crosses its arc in about a second. */
const KEY_REACH = 2 / STEPS_PER_SECOND;

/**
 * Starts the page with a paddle and with a swarm whose leader runs the game. With `?watch`, the page
 * only displays the game.
 */
async function start(): Promise<void> {
  const view = new View();
  const config = await loadConfig(fail);
  if (config === null) return;
  const query = new URLSearchParams(location.search);
  const watches = query.has("watch");
  const swarm = new Swarm(CHANNEL, {
    clientId: newClientId(),
    ...connectionTo(location),
    candidate: !watches,
    ttlMillis: config.claimTtlMillis,
    settleMillis: 100,
    // A disconnected member stays a player only as long as a disconnected host holds its claim.
    transportParams: { remainPresentFor: String(config.claimTtlMillis) },
    onError: report,
  });
  let seen = NOTHING_SEEN;
  let seenAt = -Infinity;
  let host: Host | null = null;
  let at = 0;
  let sent = NaN;
  let sentAt = -Infinity;

  swarm.subscribe((message) => {
    if (message.name === MOVE) {
      const to = readMove(message.data);
      if (to !== null) host?.moved(message.clientId ?? "", to);
      return;
    }
    const next = take(seen, message);
    if (next === seen) return;
    const change = happened(seen, next, displayName);
    if (change !== null) happen(change);
    seen = next;
    seenAt = performance.now();
    if (!watches) answer();
    if (document.hidden) render();
  });
  swarm.onElection = (leadership) => {
    host = new Host(leadership, () => new Set(swarm.members.map(({ id }) => id)), report);
  };
  swarm.onDemotion = () => {
    host = null;
  };
  swarm.onLeaderChanged = (leader) => announce(leader === null ? "Nobody hosts." : hostText(leader));

  /** Answers a frame with the place of this page's paddle if `mustSend` requires it. */
  function answer(): void {
    const { game } = seen;
    if (game === null) return;
    // A hidden page plays automatically, so that the other players have an opponent.
    if (view.playsByItself || document.hidden) at = follow(game, swarm.id, at);
    if (seenAt - sentAt < ANSWER_MILLIS || !mustSend(game, swarm.id, at, sent)) return;
    [sent, sentAt] = [at, seenAt];
    swarm.send(MOVE, { at }).catch(() => {
      sent = NaN; // The send failed, so the next frame sends the place again.
    });
  }

  function render(): void {
    const now = performance.now();
    if (seen.game !== null) at = view.aimed(seen.game, swarm.id, at, KEY_REACH);
    view.render({
      seen,
      id: swarm.id,
      at,
      sinceMillis: now - seenAt,
      flies: now - seenAt < SILENT_MILLIS,
      connected: swarm.status === "connected",
      leader: swarm.leader,
      isLeader: swarm.isLeader,
      mode: lineMode(),
    });
  }

  view.begin(swarm.id, { watches, playsByItself: query.has("auto") });
  view.onHandOver = () => swarm.resign();
  view.onKill = () => (lineMode() === "cut" ? mend() : cut());
  view.onFreeze = () => (lineMode() === "frozen" ? wake() : freeze());
  const frame = (): void => {
    render();
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  await swarm.connect();
}

function report(error: unknown): void {
  happen(inPlainWords((error as Error).message ?? String(error)));
}

function hostText(leader: { id: string; term: number; self: boolean }): string {
  return `${leader.self ? "You host" : `${displayName(leader.id)} hosts`} in term ${leader.term}.`;
}

void start();
