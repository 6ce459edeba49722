import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import WebSocket from "ws";
import type { AnyBrowser, AnyTab } from "./tabs.js";

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
    const flags = ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"];
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

  async send(method: string, params: object): Promise<Record<string, unknown>> {
    const id = ++this.sent;
    const answer = new Promise<Answer>((resolve) => this.waiting.set(id, resolve));
    this.socket.send(JSON.stringify({ id, method, params }));
    const { type, message, result } = await answer;
    if (type === "error") throw new Error(`${method}: ${message}`);
    return result ?? {};
  }

  async close(): Promise<void> {
    const gone = new Promise((resolve) => this.process.once("exit", resolve));
    this.socket.send(JSON.stringify({ id: ++this.sent, method: "browser.close", params: {} }));
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
