import { messageOf } from "../../shared/error.ts";
import type { Log } from "../../shared/log.ts";
import type { RegisteredTool } from "../tool.ts";
import type { LoadedModule, ShutdownHook } from "./load_tool.ts";

/**
 * A loaded tool and what its module has opened. Once the tool is replaced, its shutdown hooks run
 * when no call holds it any more.
 */
export class ModuleLife {
  readonly tool: RegisteredTool;
  readonly #hooks: readonly ShutdownHook[];
  readonly #options: { readonly log: Log; readonly onEnded: () => void };
  #holders = 0;
  #isRetired = false;
  #ending: Promise<void> | undefined;

  /** Takes what the module registered, the log for hooks that fail, and what follows them. */
  constructor(
    { tool, hooks }: LoadedModule,
    options: { readonly log: Log; readonly onEnded: () => void },
  ) {
    this.#hooks = hooks;
    this.#options = options;
    this.tool = hooks.length === 0 ? tool : { ...tool, hold: () => this.#hold() };
  }

  /** The tool accepts no more calls; the hooks run when the last one has ended. */
  retire(): void {
    this.#isRetired = true;
    this.#endIfUnused();
  }

  /** Runs the hooks, unless they have run. */
  end(): Promise<void> {
    return this.#ending ??= this.#runHooks();
  }

  #hold(): Disposable {
    let isHeld = true;
    this.#holders++;
    return {
      [Symbol.dispose]: () => {
        if (!isHeld) return;
        isHeld = false;
        this.#holders--;
        this.#endIfUnused();
      },
    };
  }

  #endIfUnused(): void {
    if (this.#isRetired && this.#holders === 0) void this.end();
  }

  async #runHooks(): Promise<void> {
    const ends = await Promise.allSettled(this.#hooks.map(async (hook) => await hook()));
    for (const end of ends) {
      if (end.status === "fulfilled") continue;
      this.#options.log.warn("a shutdown hook failed", { problem: messageOf(end.reason) });
    }
    this.#options.onEnded();
  }
}
