import { after, before } from "node:test";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { launch, open } from "./browser.js";
import { Program, type StartOptions } from "./program.js";

/** A page of the demo, and the errors that it and its scripts have reported so far. */
export interface Visit {
  readonly page: Page;
  readonly faults: string[];
}

/** The demo and a browser. Both start before the tests of a suite and end after them. */
export class Demo {
  private startedBrowser: Browser | undefined;
  private startedProgram: Program | undefined;

  /** Registers the start and the end, so call it within `describe`. */
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

  /** Opens a page in a context of its own. Close that by `page.context().close()`. */
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
  if (part === undefined) throw new Error("the demo is started before the tests, and not before the suite");
  return part;
}
