import { spawn, type ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import WebSocket from "ws";
import { CHROMIUM, FLAGS, SHOWN, type Shown } from "./browser.js";
import { until } from "./until.js";

interface Answer {
  readonly id?: number;
  readonly result?: Record<string, unknown>;
  readonly error?: { message: string };
}

/** A browser whose tabs are hidden and throttled like the tabs of a user. */
export interface AnyBrowser<T extends AnyTab> {
  open(url: URL): Promise<T>;
  /** Discards a tab, as the browser does if memory is low. After that, the tab object is of no use. */
  discard(tab: T): Promise<DiscardedTab<T>>;
  close(): Promise<void>;
}

/** The tab that the browser shows in the place of a discarded tab. */
export interface DiscardedTab<T extends AnyTab> {
  /** Brings the tab to the front, so that the browser loads its page again. */
  reload(): Promise<T>;
  close(): Promise<void>;
}

export interface AnyTab {
  /**
   * Returns the value of the expression in the page. The result is null if the expression throws an error or is
   * undefined, for example because the tab has not loaded the test's document yet.
   */
  evaluate<T>(expression: string): Promise<T | null>;
  navigate(url: URL): Promise<void>;
  /** Closes the tab as a user does. */
  close(): Promise<void>;
  /** Brings the tab to the front, and hides the tab that was in front. */
  activate(): Promise<void>;
}

/**
 * A Chromium that the test controls over the DevTools protocol.
 *
 * Playwright keeps every page visible and active. With this class a background tab is hidden, throttled and frozen like
 * the tab of a user.
 */
export class Tabs implements AnyBrowser<Tab> {
  private readonly process: ChildProcess;
  private readonly profile: string;
  private readonly socket: WebSocket;
  private readonly waiting = new Map<number, (answer: Answer) => void>();
  private sent = 0;
  private discarder: Promise<Tab> | null = null;

  private constructor(process: ChildProcess, profile: string, socket: WebSocket) {
    this.process = process;
    this.profile = profile;
    this.socket = socket;
    socket.on("message", (data: Buffer) => {
      const answer = JSON.parse(data.toString()) as Answer;
      if (answer.id === undefined) return;
      this.waiting.get(answer.id)?.(answer);
      this.waiting.delete(answer.id);
    });
  }

  static async launch(): Promise<Tabs> {
    const profile = mkdtempSync(join(tmpdir(), "doyen-tabs-"));
    const extension = extensionIn(profile);
    mkdirSync(extension);
    writeFileSync(join(extension, "manifest.json"), JSON.stringify(MANIFEST));
    writeFileSync(join(extension, PAGE), "<!doctype html><title>discards tabs</title>");
    const flags = [
      "--headless=new",
      "--remote-debugging-port=0",
      `--user-data-dir=${profile}`,
      `--load-extension=${extension}`,
      ...FLAGS,
    ];
    const child = spawn(CHROMIUM, [...flags, "about:blank"], { stdio: ["ignore", "ignore", "pipe"] });
    const address = await new Promise<string>((resolve, reject) => {
      let output = "";
      child.stderr.on("data", (chunk: Buffer) => {
        output += chunk.toString();
        const found = /DevTools listening on (ws:\S+)/.exec(output)?.[1];
        if (found !== undefined) resolve(found);
      });
      child.once("exit", () => reject(new Error(`the browser ended before it listened; its output:\n${output}`)));
    });
    const socket = new WebSocket(address);
    await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
    return new Tabs(child, profile, socket);
  }

  async open(url: URL): Promise<Tab> {
    const { targetId } = await this.send("Target.createTarget", { url: url.href });
    return this.attach(String(targetId));
  }

  private async attach(targetId: string): Promise<Tab> {
    const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
    return new Tab(this, targetId, String(sessionId));
  }

  async send(method: string, params: object, sessionId?: string): Promise<Record<string, unknown>> {
    const id = ++this.sent;
    const answer = new Promise<Answer>((resolve) => this.waiting.set(id, resolve));
    this.socket.send(JSON.stringify({ id, method, params, sessionId }));
    const { result, error } = await answer;
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result ?? {};
  }

  /** Discards the tab with an extension, because the DevTools protocol has no command for this. */
  async discard(tab: Tab): Promise<DiscardedTab<Tab>> {
    const url = await tab.evaluate<string>("location.href");
    this.discarder ??= this.open(new URL(`chrome-extension://${idOf(extensionIn(this.profile))}/${PAGE}`));
    const page = await this.discarder;
    // The browser discards neither the tab in front nor a tab to which DevTools are attached.
    await page.activate();
    await tab.detach();
    const found = `chrome.tabs.query({ url: ${JSON.stringify(url)} })`;
    await page.evaluate(
      `(globalThis.done = false, ${found}.then(([{ id }]) => chrome.tabs.discard(id)).then(() => (done = true)), null)`,
    );
    await until(
      `the browser has discarded ${url}`,
      () => page.evaluate<boolean>("done"),
      (done) => done === true,
    );
    const { targetInfos } = (await this.send("Target.getTargets", {})) as { targetInfos: Target[] };
    const discarded = await this.attach(targetInfos.find((target) => target.url === url)!.targetId);
    return {
      reload: async () => {
        await discarded.activate();
        return discarded;
      },
      close: () => discarded.close(),
    };
  }

  /** Sends a signal to all processes of the browser. SIGSTOP stops the browser until SIGCONT. */
  signal(signal: "SIGSTOP" | "SIGCONT"): void {
    for (const pid of family(this.process.pid ?? 0)) {
      try {
        process.kill(pid, signal);
      } catch (error) {
        // A child process of the browser can end at any time.
        if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
      }
    }
  }

  async close(): Promise<void> {
    // Browser.close ends the child processes of the browser too. After a kill of the browser, they would still write to
    // the profile, which is deleted below.
    const gone = new Promise((resolve) => this.process.once("exit", resolve));
    this.socket.send(JSON.stringify({ id: ++this.sent, method: "Browser.close" }));
    await gone;
    this.socket.close();
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

/** The extension that discards tabs. */
const MANIFEST = { manifest_version: 3, name: "discards tabs", version: "1", permissions: ["tabs"] };
const PAGE = "page.html";

interface Target {
  readonly targetId: string;
  readonly url: string;
}

function extensionIn(profile: string): string {
  return join(profile, "extension");
}

/** Returns the id of an unpacked extension, which Chromium derives from the path of its folder. */
function idOf(extension: string): string {
  const digest = createHash("sha256").update(extension).digest("hex").slice(0, 32);
  return digest.replace(/./g, (digit) => String.fromCharCode("a".charCodeAt(0) + parseInt(digit, 16)));
}

/** Returns a process and its descendants, by `/proc`. A parent comes before its children. */
function family(root: number): readonly number[] {
  const children = new Map<number, number[]>();
  for (const entry of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    let stat: string;
    try {
      stat = readFileSync(`/proc/${entry}/stat`, "utf8");
    } catch {
      continue;
    }
    // The second field is the name in parentheses, which can contain spaces.
    const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(entry)]);
  }
  const found = [root];
  for (const pid of found) found.push(...(children.get(pid) ?? []));
  return found;
}

const NOTHING: Shown = { id: "", leader: false, term: 0, count: 0, mode: "" };

/** A tab of the browser. */
export class Tab implements AnyTab {
  private readonly tabs: Tabs;
  private readonly target: string;
  private readonly session: string;

  constructor(tabs: Tabs, target: string, session: string) {
    this.tabs = tabs;
    this.target = target;
    this.session = session;
  }

  async shown(): Promise<Shown> {
    return (await this.evaluate<Shown>(`(${SHOWN})()`)) ?? NOTHING;
  }

  async evaluate<T>(expression: string): Promise<T | null> {
    const params = { expression: `JSON.stringify(${expression})` };
    const { result } = (await this.tabs.send("Runtime.evaluate", params, this.session)) as {
      result: { value?: string };
    };
    return result.value === undefined ? null : (JSON.parse(result.value) as T);
  }

  async navigate(url: URL): Promise<void> {
    await this.tabs.send("Page.navigate", { url: url.href }, this.session);
  }

  async close(): Promise<void> {
    await this.tabs.send("Target.closeTarget", { targetId: this.target });
  }

  async activate(): Promise<void> {
    await this.tabs.send("Target.activateTarget", { targetId: this.target });
  }

  /** Ends the connection of the test to the tab. After that, this object is of no use. */
  async detach(): Promise<void> {
    await this.tabs.send("Target.detachFromTarget", { sessionId: this.session });
  }

  async lifecycle(state: "frozen" | "active"): Promise<void> {
    await this.tabs.send("Page.setWebLifecycleState", { state }, this.session);
  }
}
