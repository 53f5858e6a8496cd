import type { CommandRunnerPool } from "../run/command_runner.ts";
import { messageOf } from "../shared/error.ts";
import { isJsonObject, type JsonObject } from "../shared/json.ts";
import type { Limits } from "../shared/limits.ts";
import type { Log } from "../shared/log.ts";
import type { JobState } from "../tool/job.ts";
import type { CallOutcome } from "../tool/result.ts";
import {
  type AddressedCommand,
  type GoneServer,
  isFleet,
  type JobStore,
  type OrphanEnd,
} from "./job_store.ts";
import { type LiveJob, toEndTimes } from "./live_job.ts";

/** How often the store is checked and cleaned. */
const EVERY_MS = 10_000;

/** How many steps make the store smaller each time. */
const MOST_STEPS = 100;

/** What the upkeep needs. */
interface UpkeepParts {
  readonly store: JobStore;
  readonly pool: Pick<CommandRunnerPool, "endMarked">;
  readonly limits: Limits;
  readonly log: Log;
  /** The live jobs of this server. */
  readonly live: ReadonlyMap<string, LiveJob>;
}

/**
 * Looks after a store while it is open: marks the jobs of servers that are gone as lost and ends
 * their processes, removes what has expired, and passes on what other servers ask of the jobs here.
 */
export class JobUpkeep {
  readonly #parts: UpkeepParts;
  #timer: ReturnType<typeof setInterval> | undefined;
  readonly #commands: RemoteCommands;
  #ending: Promise<void> = Promise.resolve();
  #sweeping: Promise<void> = Promise.resolve();

  constructor(parts: UpkeepParts) {
    this.#parts = parts;
    const onFailed = (error: unknown) => this.#logFailure("read commands for", error);
    this.#commands = new RemoteCommands(parts.store, parts.live, onFailed);
  }

  /** Begins; resolves once jobs of servers that are gone are marked as lost. */
  async start(): Promise<void> {
    this.#timer = setInterval(() => this.#sweep(), EVERY_MS);
    Deno.unrefTimer(Number(this.#timer));
    await this.#loseOrphans();
    this.#sweep();
  }

  /** Forwards the commands of other servers to the jobs here, as long as there are any. */
  listen(): void {
    this.#commands.listen();
  }

  /** Ends; resolves once nothing is running. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#commands.stop();
    await Promise.all([this.#ending, this.#sweeping]);
  }

  #sweep(): void {
    this.#sweeping = this.#sweeping.then(() => this.#orLog("look after", () => this.#sweepNow()));
  }

  async #sweepNow(): Promise<void> {
    const { store } = this.#parts;
    await this.#loseOrphans();
    if (isFleet(store)) await store.reclaim(new Set(this.#parts.live.keys()), this.#lost());
    while (await store.removeExpired(Date.now()) > 0) await nextTurn();
    for (let step = 0; step < MOST_STEPS && !await store.tidy(); step++) await nextTurn();
  }

  async #loseOrphans(): Promise<void> {
    const gone = await this.#parts.store.loseOrphans(this.#lost());
    if (gone.length === 0) return;
    const clear = async () => {
      for (const server of gone) await this.#clear(server);
    };
    this.#ending = this.#ending.then(() => this.#orLog("end processes of", clear));
  }

  #lost(): OrphanEnd {
    return { ...toEndTimes(this.#parts.limits), outcomeOf: toLostOutcome };
  }

  /** Ends the processes of a server's lost jobs; if some do not end, tries again later. */
  async #clear({ server, begun }: GoneServer): Promise<void> {
    const { store, pool, log } = this.#parts;
    const endings = await Promise.all(begun.map((id) => pool.endMarked(id)));
    const unclear = endings.filter(({ left, error }) => left.length > 0 || error !== undefined);
    if (unclear.length === 0) return await store.forgetServer(server);
    const left = unclear.flatMap((ending) => ending.left.map(({ pid }) => pid));
    const reasons = unclear.map(({ error = "they do not end" }) => messageOf(error));
    log.error("processes of lost jobs are left", { left, reasons });
  }

  async #orLog(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#logFailure(what, error);
    }
  }

  #logFailure(what: string, error: unknown): void {
    this.#parts.log.error(`cannot ${what} jobs`, { reason: messageOf(error) });
  }
}

function toLostOutcome(state: JobState): CallOutcome {
  const end = state === "queued" ? "it was not started" : "its result is not known";
  const message = `The server that ran the job is gone: ${end}`;
  return { ok: false, refusal: { kind: "JOB_LOST", code: "JOB_LOST", message } };
}

/** Lets other work go on. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** How soon input that found no room is written again. */
const RETRY_MS = 100;

/**
 * Carries out what other servers ask of the jobs here. Input that a command does not read yet waits:
 * some of it here, and the rest in the store, which rejects more of it as busy.
 */
export class RemoteCommands {
  readonly #store: Pick<JobStore, "onChange" | "takeCommands">;
  readonly #live: ReadonlyMap<string, Pick<LiveJob, "write" | "stop" | "answer">>;
  readonly #onFailed: (error: unknown) => void;
  #listener: Disposable | undefined;
  /** Input without room, in order. */
  #late: AddressedCommand[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #taking: Promise<void> = Promise.resolve();
  /** Waits for the one before. */
  #next: Promise<void> | undefined;

  /** Calls `onFailed()` if commands can't be read; they are read again at the next change. */
  constructor(
    store: Pick<JobStore, "onChange" | "takeCommands">,
    live: ReadonlyMap<string, Pick<LiveJob, "write" | "stop" | "answer">>,
    onFailed: (error: unknown) => void,
  ) {
    this.#store = store;
    this.#live = live;
    this.#onFailed = onFailed;
  }

  /** Listens for commands as long as there are live jobs. */
  listen(): void {
    this.#listener ??= this.#store.onChange((id) => {
      if (this.#live.size === 0) this.stop();
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
      const taken = await this.#store.takeCommands(full);
      this.#carryOut([...this.#late, ...taken]);
      const late = new Set(this.#late.map(({ id }) => id));
      // Nothing else says that what was left in the store for these jobs has room now.
      if (full.difference(late).size > 0) this.#take();
    } catch (error) {
      this.#onFailed(error);
    }
    if (this.#late.length === 0 || this.#listener === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#take(), RETRY_MS);
    Deno.unrefTimer(this.#timer);
  }

  #carryOut(commands: readonly AddressedCommand[]): void {
    const full = new Set<string>();
    this.#late = [];
    for (const addressed of commands) {
      const { id, command } = addressed;
      if (command.kind === "cancel") this.#live.get(id)?.stop();
      else if (command.kind === "answer") this.#live.get(id)?.answer(toReplies(command.bytes));
      else if (full.has(id) || this.#live.get(id)?.write(command) === "full") {
        full.add(id);
        this.#late.push(addressed);
      }
    }
  }
}

/** What another server has sent. */
function toReplies(bytes: Uint8Array): JsonObject {
  const replies: unknown = JSON.parse(new TextDecoder().decode(bytes));
  return isJsonObject(replies) ? replies : {};
}
