import { Swarm } from "@doyen/swarm";
import { connectionTo, loadConfig } from "../../page/config.js";
import { handedOver } from "../../page/handover.js";
import { announce, fail, happen } from "../../page/story.js";
import { displayName } from "../../../elector/console-page/src/names.js";
import { inPlainWords } from "../../../elector/console-page/src/words.js";
import { newClientId } from "../../page/names.js";
import { BallotBox, readPaper, type Answer } from "./ballot-box.js";
import { answered, cast, inTally, isDue, type Mine } from "./mine.js";
import { readPoll, type Poll } from "./poll.js";
import { Teller } from "./teller.js";
import { View } from "./view.js";

const CHANNEL = "voting";
const UPDATE_MILLIS = 200;

/** Starts the page with a voter and a box for open requests. While this page leads, it also runs a teller. */
async function start(): Promise<void> {
  const view = new View();
  const config = await loadConfig(fail);
  if (config === null) return;
  const swarm = new Swarm(CHANNEL, {
    clientId: voterId(),
    ...connectionTo(location),
    ttlMillis: config.claimTtlMillis,
    settleMillis: 100,
    // The rewound messages of a page that attaches late must include the last tally, even if many ballots follow the
    // tally.
    rewind: 100,
    onError: report,
  });
  const ballotBox = new BallotBox();
  let poll: Poll | null = null;
  let term = 0;
  let mine: Mine | null = null;
  let teller: Teller | null = null;

  swarm.subscribe((message) => {
    const handed = handedOver(message);
    const next = handed === null ? null : readPoll(handed.state);
    const paper = readPaper(message.name, message.clientId, message.data);
    if (handed !== null && next !== null && handed.term >= term) {
      if (handed.term > term && term > 0) {
        const count = Object.keys(next.votes).length;
        const tallied = `${count} ${count === 1 ? "vote" : "votes"}`;
        happen(`${displayName(message.clientId ?? "")} counts in term ${handed.term}, and continues from ${tallied}`);
      }
      if (poll !== null && next.number > poll.number) happen(`a new question: ${next.question}`);
      if (poll?.open === true && !next.open) happen("the vote is closed");
      [poll, term] = [next, handed.term];
      ballotBox.handedOver(next);
      mine = inTally(mine, next, swarm.id);
      if (isDue(mine, term, performance.now())) send(mine);
    } else if (message.name === "answer") {
      const answer = message.data as Answer;
      ballotBox.answered(answer);
      mine = answered(mine, answer, swarm.id);
    } else if (paper !== null && ballotBox.put(paper, poll)) teller?.called();
    render();
  });
  swarm.onElection = (leadership) => {
    teller = new Teller(leadership, ballotBox, report);
  };
  swarm.onDemotion = () => {
    teller = null;
  };
  swarm.onLeaderChanged = (leader) => {
    announce(leader === null ? "Nobody counts." : `${displayName(leader.id)} counts in term ${leader.term}.`);
    render();
  };
  swarm.onSwarmPresenceChanged = () => render();

  function send(ballot: Mine): void {
    mine = { ...ballot, term, sentAt: performance.now() };
    publish("ballot", { poll: ballot.poll, choice: ballot.choice });
  }

  function publish(name: string, data: unknown): void {
    swarm.send(name, data).catch(report);
  }

  view.onVote = (choice) => {
    if (poll !== null) send(cast(poll, choice, term, performance.now()));
    render();
  };
  view.onClose = () => publish("close", { poll: poll?.number });
  view.onAsk = (question, choices) => publish("ask", { after: poll?.number, question, choices });
  view.onHandOver = () => swarm.resign();

  function render(): void {
    view.render({
      poll,
      term,
      mine,
      connected: swarm.status === "connected",
      leader: swarm.leader,
      isLeader: swarm.isLeader,
      present: swarm.members.length,
    });
  }

  view.begin(swarm.id);
  setInterval(() => {
    if (swarm.leader !== null && isDue(mine, term, performance.now())) send(mine);
    render();
  }, UPDATE_MILLIS);
  await swarm.connect();
}

function report(error: unknown): void {
  happen(inPlainWords((error as Error).message ?? String(error)));
}

/** Returns this tab's id. The id is the same after a reload, because a voter has only one vote. */
function voterId(): string {
  const known = sessionStorage.getItem("voter");
  if (known !== null) return known;
  const id = newClientId();
  sessionStorage.setItem("voter", id);
  return id;
}

void start();
