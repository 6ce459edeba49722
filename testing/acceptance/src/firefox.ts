import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import WebSocket from "ws";
import type { AnyBrowser, AnyTab, DiscardedTab } from "./tabs.js";
import { until } from "./until.js";

const FIREFOX = process.env["FIREFOX"] ?? "/usr/bin/firefox-esr";

/** The reason why the Firefox tests cannot run on this machine; false if they can. */
export const noFirefox: string | false = existsSync(FIREFOX)
  ? false
  : `no browser at ${FIREFOX}; install firefox-esr, or set the variable FIREFOX to another Firefox`;

/** Without these preferences Firefox sends requests that have nothing to do with the tests. */
const PREFERENCES = `user_pref("app.normandy.enabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("services.settings.server", "data:,");
user_pref("toolkit.telemetry.reportingpolicy.firstRun", false);
`;

interface Answer {
  readonly id?: number;
  readonly type?: "success" | "error";
  readonly message?: string;
  readonly result?: Record<string, unknown>;
}

/** A Firefox that the test controls over WebDriver BiDi. */
export class Firefox implements AnyBrowser<FirefoxTab> {
  private readonly process: ChildProcess;
  private readonly profile: string;
  private readonly socket: WebSocket;
  private readonly waiting = new Map<number, (answer: Answer) => void>();
  private sent = 0;

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

  static async launch(): Promise<Firefox> {
    const profile = mkdtempSync(join(tmpdir(), "doyen-firefox-"));
    writeFileSync(join(profile, "user.js"), PREFERENCES);
    // The last flag allows access to the window of the browser, whose functions discard a tab and return its process.
    const flags = ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"];
    flags.push("--remote-allow-system-access");
    const child = spawn(FIREFOX, flags, { stdio: ["ignore", "ignore", "pipe"] });
    const address = await new Promise<string>((resolve, reject) => {
      let output = "";
      child.stderr.on("data", (chunk: Buffer) => {
        output += chunk.toString();
        const found = /WebDriver BiDi listening on (ws:\S+)/.exec(output)?.[1];
        if (found !== undefined) resolve(found);
      });
      child.once("exit", () => reject(new Error(`the browser ended before it listened; its output:\n${output}`)));
    });
    const socket = new WebSocket(`${address}/session`);
    await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
    const firefox = new Firefox(child, profile, socket);
    await firefox.send("session.new", { capabilities: {} });
    return firefox;
  }

  async open(url: URL): Promise<FirefoxTab> {
    const { context } = await this.send("browsingContext.create", { type: "tab" });
    const tab = new FirefoxTab(this, String(context));
    await tab.navigate(url);
    return tab;
  }

  async discard(tab: FirefoxTab): Promise<DiscardedTab<FirefoxTab>> {
    const url = (await tab.evaluate<string>("location.href")) ?? "";
    // The browser does not discard the tab in front.
    await this.inWindow(`gBrowser.selectedTab = gBrowser.tabs[0];`, url);
    await this.inWindow(`await gBrowser.prepareDiscardBrowser(tab); gBrowser.discardBrowser(tab, true);`, url);
    const isDiscarded = () => this.inWindow<boolean>(`return tab.hasAttribute("pending");`, url);
    await until(`the browser has discarded ${url}`, isDiscarded, Boolean);
    return {
      reload: async () => {
        await this.inWindow(`gBrowser.selectedTab = tab;`, url);
        const found = await until(
          `the browser loads ${url} again`,
          async () => (await this.contexts()).find((each) => each.url === url),
          (context) => context !== undefined,
        );
        return new FirefoxTab(this, found!.context);
      },
      close: () => this.inWindow(`gBrowser.removeTab(tab);`, url),
    };
  }

  /** Returns the process of the page. Several tabs can have the same process. */
  async processOf(tab: FirefoxTab): Promise<number> {
    const url = (await tab.evaluate<string>("location.href")) ?? "";
    return this.inWindow<number>(`return tab.linkedBrowser.frameLoader.remoteTab.osPid;`, url);
  }

  /** Runs code in the window of the browser. The variable `tab` is the tab that shows this URL. */
  private async inWindow<T>(code: string, url: string): Promise<T> {
    const [window] = await this.contexts({ "moz:scope": "chrome" });
    const find = `gBrowser.tabs.find((each) => each.linkedBrowser.currentURI.spec === ${JSON.stringify(url)})`;
    const { result, exceptionDetails } = (await this.send("script.evaluate", {
      expression: `(async () => { const tab = ${find}; ${code} })()`,
      target: { context: window?.context },
      awaitPromise: true,
    })) as { result?: { value?: T }; exceptionDetails?: { text: string } };
    if (exceptionDetails !== undefined) throw new Error(`${url}: ${exceptionDetails.text}`);
    return result?.value as T;
  }

  private async contexts(scope: object = {}): Promise<{ readonly context: string; readonly url: string }[]> {
    const { contexts } = await this.send("browsingContext.getTree", scope);
    return contexts as { context: string; url: string }[];
  }

  async send(method: string, params: object): Promise<Record<string, unknown>> {
    const id = ++this.sent;
    const answer = new Promise<Answer>((resolve) => this.waiting.set(id, resolve));
    this.socket.send(JSON.stringify({ id, method, params }));
    const { type, message, result } = await answer;
    if (type === "error") throw new Error(`${method}: ${message}`);
    return result ?? {};
  }

  async close(): Promise<void> {
    // After a process of a tab was killed, the command browser.close would take a minute.
    const gone = new Promise((resolve) => this.process.once("exit", resolve));
    this.process.kill("SIGKILL");
    await gone;
    this.socket.close();
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

/** A tab of Firefox. */
export class FirefoxTab implements AnyTab {
  private readonly firefox: Firefox;
  private readonly context: string;

  constructor(firefox: Firefox, context: string) {
    this.firefox = firefox;
    this.context = context;
  }

  async evaluate<T>(expression: string): Promise<T | null> {
    const { result } = (await this.firefox.send("script.evaluate", {
      expression: `JSON.stringify(${expression})`,
      target: { context: this.context },
      awaitPromise: false,
    })) as { result?: { value?: string } };
    return result?.value === undefined ? null : (JSON.parse(result.value) as T);
  }

  async navigate(url: URL): Promise<void> {
    await this.firefox.send("browsingContext.navigate", { context: this.context, url: url.href, wait: "none" });
  }

  async close(): Promise<void> {
    await this.firefox.send("browsingContext.close", { context: this.context });
  }

  async activate(): Promise<void> {
    await this.firefox.send("browsingContext.activate", { context: this.context });
  }
}
