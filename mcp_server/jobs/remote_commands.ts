import type { AddressedCommand, JobStore } from "./job_store.ts";
import type { LiveJob } from "./live_job.ts";

/** How soon input that found no room is written again. */
const RETRY_MS = 100;

/** Where commands come from, and the jobs that they are for. */
export interface RemoteCommandsOptions {
  readonly store: Pick<JobStore, "onChange" | "takeCommands">;
  /** The live jobs of this server. */
  readonly live: ReadonlyMap<string, Pick<LiveJob, "write" | "stop">>;
  /** Called if commands can't be read; they are read again at the next change. */
  readonly onFailed: (error: unknown) => void;
}

/**
 * Carries out what other servers ask of the jobs here. Input that a command does not read yet waits:
 * some of it here, and the rest in the store, which rejects more of it as busy.
 */
export class RemoteCommands {
  readonly #options: RemoteCommandsOptions;
  #listener: Disposable | undefined;
  /** Input without room, in order. */
  #late: AddressedCommand[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #taking: Promise<void> = Promise.resolve();
  /** Waits for the one before. */
  #next: Promise<void> | undefined;

  /** Takes where commands come from. */
  constructor(options: RemoteCommandsOptions) {
    this.#options = options;
  }

  /** Listens for commands as long as there are live jobs. */
  listen(): void {
    const { store, live } = this.#options;
    this.#listener ??= store.onChange((id) => {
      if (live.size === 0) this.stop();
      else if (id === undefined) this.#take();
    });
  }

  /** Stops listening. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#listener?.[Symbol.dispose]();
    this.#listener = undefined;
  }

  /** Takes commands after those that are being taken now: two answers could arrive in any order. */
  #take(): void {
    this.#next ??= this.#taking.then(() => {
      this.#next = undefined;
      if (this.#listener !== undefined) this.#taking = this.#takeNow();
    });
  }

  async #takeNow(): Promise<void> {
    clearTimeout(this.#timer);
    try {
      const full = new Set(this.#late.map(({ id }) => id));
      const taken = await this.#options.store.takeCommands(full);
      this.#carryOut([...this.#late, ...taken]);
    } catch (error) {
      this.#options.onFailed(error);
    }
    if (this.#late.length === 0 || this.#listener === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#take(), RETRY_MS);
    Deno.unrefTimer(this.#timer);
  }

  #carryOut(commands: readonly AddressedCommand[]): void {
    const { live } = this.#options;
    const full = new Set<string>();
    this.#late = [];
    for (const addressed of commands) {
      const { id, command } = addressed;
      if (command.kind === "cancel") live.get(id)?.stop();
      else if (full.has(id) || live.get(id)?.write(command) === "full") {
        full.add(id);
        this.#late.push(addressed);
      }
    }
  }
}
