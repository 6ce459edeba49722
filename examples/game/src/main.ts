import { Swarm } from "@doyen/swarm";
import { connectionTo, loadConfig } from "../../page/config.js";
import { announce, fail, happen } from "../../page/story.js";
import { displayName, newClientId } from "../../page/names.js";
import { readMove, STEPS_PER_SECOND } from "./game.js";
import { follow, isNews } from "./hand.js";
import { Host } from "./host.js";
import { happened, NOTHING_SEEN, take } from "./screen.js";
import { View } from "./view.js";

const CHANNEL = "game";
const MOVE = "move";
/** After this time without a frame the page shows that the ball waits. */
const SILENT_MILLIS = 400;
/** Minimum time between two answers. A page that was delayed receives many frames at once, and answers only one. */
const ANSWER_MILLIS = 25;
/** With the arrow keys a paddle crosses its arc in about a second. */
const KEY_REACH = 2 / STEPS_PER_SECOND;

/** Starts the page: a swarm whose leader runs the game, and a paddle. With `?watch` it only watches. */
async function start(): Promise<void> {
  const view = new View();
  const config = await loadConfig(fail);
  if (config === null) return;
  const query = new URLSearchParams(location.search);
  const watches = query.has("watch");
  const swarm = new Swarm(CHANNEL, {
    key: config.key,
    clientId: newClientId(),
    ...connectionTo(location),
    candidate: !watches,
    ttlMillis: config.claimTtlMillis,
    settleMillis: 100,
    // A member without connection stays a player only as long as a host without connection keeps its claim.
    transportParams: { remainPresentFor: String(config.claimTtlMillis) },
    onError: (error) => happen((error as Error).message ?? String(error)),
  });
  let seen = NOTHING_SEEN;
  let seenAt = -Infinity;
  let host: Host | null = null;
  let at = 0;
  let told = NaN;
  let toldAt = -Infinity;

  swarm.subscribe((message) => {
    if (message.name === MOVE) {
      const to = readMove(message.data);
      if (to !== null) host?.moved(message.clientId ?? "", to);
      return;
    }
    const next = take(seen, message);
    if (next === seen) return;
    const news = happened(seen, next, displayName);
    if (news !== null) happen(news);
    seen = next;
    seenAt = performance.now();
    if (!watches) answer();
    if (document.hidden) render();
  });
  swarm.onElection = (leadership) => {
    host = new Host(leadership, () => new Set(swarm.members.map(({ id }) => id)));
  };
  swarm.onDemotion = () => {
    host = null;
  };
  swarm.onLeaderChanged = (leader) => announce(leader === null ? "Nobody hosts." : said(leader));

  /** Answers a frame with the place of this page's paddle, if that has changed. */
  function answer(): void {
    const { game } = seen;
    if (game === null) return;
    // A hidden page plays automatically, so that the others have an opponent.
    if (view.playsByItself || document.hidden) at = follow(game, swarm.id, at);
    if (seenAt - toldAt < ANSWER_MILLIS || !isNews(game, swarm.id, at, told)) return;
    [told, toldAt] = [at, seenAt];
    swarm.send(MOVE, { at }).catch(() => {
      told = NaN; // The send failed, so send again with the next frame.
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
    });
  }

  view.begin(swarm.id, { watches, playsByItself: query.has("auto") });
  view.onHandOver = () => swarm.resign();
  const frame = (): void => {
    render();
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  await swarm.connect();
}

function said(leader: { id: string; term: number; self: boolean }): string {
  return `${leader.self ? "You host" : `${displayName(leader.id)} hosts`} in term ${leader.term}.`;
}

void start();
