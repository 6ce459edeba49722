import { after, before } from "node:test";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { launch, open } from "./browser.js";
import { Program, type StartOptions } from "./program.js";

/** A page of the demo. `faults` contains the errors and warnings that the page has reported so far. */
export interface Visit {
  readonly page: Page;
  readonly faults: string[];
}

/** A program that serves the demo, and a browser. Both start before the tests of a suite and end after the tests. */
export class Demo {
  private startedBrowser: Browser | undefined;
  private startedProgram: Program | undefined;

  /** Registers the start and the end of the demo as hooks. Call this constructor within `describe`. */
  constructor(options: StartOptions = {}) {
    before(async () => {
      this.startedBrowser = await launch();
      this.startedProgram = await Program.start(options);
    });
    after(async () => {
      await this.startedBrowser?.close();
      await this.startedProgram?.[Symbol.asyncDispose]();
    });
  }

  get browser(): Browser {
    return started(this.startedBrowser);
  }

  get program(): Program {
    return started(this.startedProgram);
  }

  /** Opens a page in its own browser context. The caller must close the context with `page.context().close()`. */
  async visit(path: string, options: BrowserContextOptions = {}): Promise<Visit> {
    const context = await this.browser.newContext(options);
    const faults: string[] = [];
    context.on("weberror", (error) => faults.push(error.error().message));
    context.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") faults.push(message.text());
    });
    return { page: await open(context, new URL(path, this.program.hub)), faults };
  }
}

function started<T>(part: T | undefined): T {
  if (part === undefined) throw new Error("the demo has not started; it starts before the first test of the suite");
  return part;
}
