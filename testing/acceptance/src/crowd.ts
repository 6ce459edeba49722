/**
 * Opens many pages of one program at once in Chromium, and prints the time until the channel has a leader.
 *
 * The programs are a `Swarm`, a `TabSwarm` whose pages share a socket, and the program of Ably's published guide. Each
 * round uses a new hub and a new browser. The arguments are the number of pages and the number of rounds.
 */
import { argv, exit } from "node:process";
import { launch, noBrowser, open } from "./browser.js";
import { Pages } from "./pages.js";
import { Program } from "./program.js";
import { HANG_MILLIS, within } from "./until.js";

interface Crowd {
  readonly name: string;
  readonly page: string;
  /** True if all pages are tabs of one user, and false if each page belongs to its own user. */
  readonly oneUser: boolean;
}

const CROWDS: readonly Crowd[] = [
  { name: "Swarm", page: "swarm", oneUser: false },
  { name: "TabSwarm", page: "tabs", oneUser: true },
  { name: "the program of Ably's guide", page: "guide", oneUser: false },
];

/** The times of one round, in milliseconds. */
interface Round {
  /** From the start until the last page has been opened. */
  readonly opened: number;
  /** From the start until the first page has seen a leader, and until the last page has seen a leader. */
  readonly first: number;
  readonly last: number;
}

/** Returns the time at which the page has seen its first leader. This function runs in the page. */
function readSeen(): Promise<number> {
  return (globalThis as unknown as { seen: Promise<number> }).seen;
}

async function measure(crowd: Crowd, count: number): Promise<Round> {
  await using program = await Program.start({ command: "hub" });
  const pages = await Pages.open(program, { [crowd.page]: `testing/acceptance/pages/crowd-${crowd.page}.ts` });
  const browser = await launch();
  try {
    const one = crowd.oneUser ? await browser.newContext() : null;
    const contexts = await Promise.all(Array.from({ length: count }, () => one ?? browser.newContext()));
    const start = Date.now();
    const all = await Promise.all(contexts.map((context) => open(context, pages.url(crowd.page, program))));
    const opened = Date.now();
    const seen = await within(HANG_MILLIS, Promise.all(all.map((page) => page.evaluate(readSeen))));
    if (seen === null) throw new Error(`not all of ${count} pages have seen a leader within ${HANG_MILLIS} ms`);
    const [first, last] = [Math.min(...seen.value), Math.max(...seen.value)];
    return { opened: opened - start, first: first - start, last: last - start };
  } finally {
    await browser.close();
    pages.close();
  }
}

function column(rounds: readonly Round[], value: (round: Round) => number): string {
  const sorted = rounds.map(value).sort((a, b) => a - b);
  const seconds = (millis: number | undefined): string => ((millis ?? 0) / 1000).toFixed(1);
  return `${seconds(sorted[Math.floor(sorted.length / 2)])} (${seconds(sorted[0])} to ${seconds(sorted.at(-1))})`;
}

const [count, rounds] = [Number(argv[2] ?? 20), Number(argv[3] ?? 3)];
if (!(count >= 1 && count <= 100 && rounds >= 1 && rounds <= 100)) {
  console.error(`the number of pages is ${argv[2]} and the number of rounds ${argv[3]}: both must be from 1 to 100`);
  exit(1);
}
if (noBrowser) {
  console.error(noBrowser);
  exit(1);
}
console.log(`${count} pages at once, ${rounds} rounds: the median in seconds, and the least and the greatest value\n`);
const measures: readonly [string, (round: Round) => number][] = [
  ["all pages are open", (round) => round.opened],
  ["the first page sees a leader", (round) => round.first],
  ["all pages see a leader", (round) => round.last],
  ["from the last opened page to the first leader", (round) => round.first - round.opened],
];
console.log(`| program | ${measures.map(([name]) => name).join(" | ")} |\n|---|${"--:|".repeat(measures.length)}`);
const results = CROWDS.map((crowd) => ({ crowd, rounds: [] as Round[] }));
// Measure all programs in each round, so that a change of the machine's load affects all of them.
for (let round = 0; round < rounds; round++) {
  for (const each of results) each.rounds.push(await measure(each.crowd, count));
}
for (const each of results) {
  console.log(`| ${each.crowd.name} | ${measures.map(([, value]) => column(each.rounds, value)).join(" | ")} |`);
}
