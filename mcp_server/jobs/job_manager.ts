import { type Caller, DEFAULT_CALLER, type Scope, scopeOf } from "../access/caller.ts";
import { within } from "../shared/deadline.ts";
import { messageOf } from "../shared/error.ts";
import type { FleetServer, ServerIdentity, ServerState } from "../tool/fleet.ts";
import type { JobRequest, StartedJob } from "../tool/job.ts";
import type {
  CallerJobs,
  JobHost,
  KeepableCall,
  KeepableOptions,
  Transport,
} from "../tool/service.ts";
import type { Creation, JobStore, NewJob, StoredJob } from "./job_store.ts";
import type { Limits } from "../shared/limits.ts";
import type { Log } from "../shared/log.ts";
import type { CallDispatcher, PreparedCall } from "../calls/call_dispatcher.ts";
import type { JobMeter } from "./job_meter.ts";
import { SHUTTING_DOWN, tooManyCalls } from "../calls/refusals.ts";
import type { CommandRunnerPool } from "../run/command_runner.ts";
import { ArgumentBudget } from "./argument_budget.ts";
import { OwnedJobs, type OwnedStart, type SharedJobs } from "./caller_jobs.ts";
import {
  ensureHere,
  ensurePlacement,
  FleetJobs,
  type FleetJobsParts,
  isPlaced,
} from "./fleet_jobs.ts";
import { isFleet } from "./fleet_store.ts";
import { JobUpkeep } from "./job_upkeep.ts";
import { toJob } from "./job_view.ts";
import { LateStore, type RunStore } from "./late_store.ts";
import { type Admittance, type JobCall, LiveJob } from "./live_job.ts";
import { keyReused, refusedStart, toNewJob, tooManyJobs } from "./new_job.ts";

/** What jobs are run with. */
interface JobParts {
  readonly dispatcher: Pick<CallDispatcher, "prepare" | "check" | "enter" | "find">;
  readonly pool: Pick<CommandRunnerPool, "forJob" | "jobRoom" | "load" | "endMarked">;
  readonly limits: Limits;
  readonly log: Log;
  /** Records who stops, feeds and deletes jobs. */
  readonly audit: SharedJobs["audit"];
  /** Counts what happens to the jobs. */
  readonly meter: JobMeter;
  /** How this server is known, for the jobs that ask for a server. */
  readonly identity: ServerIdentity;
  /** The caller of a name with the rights that it has here; `undefined` if it is unknown here. */
  readonly callerOf: FleetJobsParts["callerOf"];
  /** A caller with the rights that it has by now, which may be none. */
  readonly currentOf: (caller: Caller) => Caller;
  /** Whether the store passes jobs on to the servers that share it. */
  readonly isShared: boolean;
  /** Opens the store; rejects with a `JobError` if it can't be used. */
  readonly openStore: () => Promise<JobStore>;
}

/** How long storing the ends of running jobs may take when the server stops. */
const STOP_MS = 5_000;

/** Runs the jobs of all callers: the one {@linkcode JobHost}. */
export class JobManager implements JobHost, SharedJobs {
  readonly #parts: JobParts;
  readonly #live = new Map<string, LiveJob>();
  /** The arguments of the jobs that wait here, and of those that don't wait for a permit. */
  readonly #waiting: ArgumentBudget;
  #opened: Promise<OpenStore> | undefined;
  /** How many calls run that may become jobs. */
  #calls = 0;
  #isDraining = false;
  #closed = false;

  constructor(parts: JobParts) {
    this.#parts = parts;
    this.#waiting = new ArgumentBudget(parts.limits.maxJobArgsBytes);
  }

  get state(): ServerState {
    return this.#isDraining || this.#closed ? "draining" : "ready";
  }

  forCaller(caller: Caller, address?: string, transport?: Transport): CallerJobs {
    return new OwnedJobs(caller, this, { address, transport });
  }

  get audit(): SharedJobs["audit"] {
    return this.#parts.audit;
  }

  /** Opens the store, once; jobs of servers that are gone are marked as lost before it is used. */
  async store(): Promise<JobStore> {
    return (await this.#openStore()).store;
  }

  live(id: string): LiveJob | undefined {
    return this.#live.get(id);
  }

  currentOf(caller: Caller): Caller {
    return this.#parts.currentOf(caller);
  }

  scopeOf(tool: string): Scope {
    return scopeOf(this.#parts.dispatcher.find(tool, DEFAULT_CALLER) ?? {});
  }

  async start(
    caller: Caller,
    request: JobRequest,
    { idempotencyKey, ...options }: OwnedStart,
  ): Promise<StartedJob> {
    ensurePlacement(request);
    const { limits } = this.#parts;
    const start: JobStart = { caller, request, ...options };
    const job = await toNewJob(caller, request, {
      outputBytes: limits.jobOutputBytes,
      idempotencyKey,
    });
    const creation = this.#isForFleet(start)
      ? await this.#dispatch(job, start)
      : await this.#startHere(job, start);
    if (creation.kind === "full") throw tooManyJobs(job, limits.maxJobs, creation);
    if (creation.kind === "created") return { job: toJob(creation.job), replayed: false };
    if (!creation.sameRequest) throw keyReused();
    return { job: await this.forCaller(caller).get(creation.job.id), replayed: true };
  }

  async cancelQueued(id: string): Promise<boolean> {
    return await (await this.#openStore()).fleet?.cancel(id) ?? false;
  }

  async call(
    caller: Caller,
    request: JobRequest,
    options: KeepableOptions,
  ): Promise<KeepableCall> {
    const { maxCalls, maxJobs, jobOutputBytes } = this.#parts.limits;
    const { store, upkeep } = await this.#openStore();
    if (this.#calls >= maxCalls) throw refusedStart(tooManyCalls(maxCalls));
    const entered = this.#parts.dispatcher.enter(caller);
    if ("kind" in entered) throw refusedStart(entered);
    using stack = new DisposableStack();
    stack.use(entered);
    this.#calls++;
    stack.defer(() => this.#calls--);
    const prepared = await this.#prepare(caller, request, options);
    const { run } = prepared;
    const job = await toNewJob(caller, request, { outputBytes: jobOutputBytes });
    const late = new LateStore(this.#parts.meter.watch(job, store), job, maxJobs);
    const live = this.#launch(job, { run, caller, priority: "call", options }, {
      store: late,
      upkeep,
    });
    const counted = stack.move();
    live.outcome.finally(() => {
      counted.dispose();
      prepared[Symbol.dispose]();
    });
    return {
      outcome: live.outcome,
      keep: async () => {
        const waiting = this.#waiting.hold(caller.name, request.args);
        live.ended.finally(() => waiting[Symbol.dispose]());
        await late.keep();
        // From now on, the number of jobs bounds it.
        counted.dispose();
        return await this.forCaller(caller).get(job.id);
      },
      forget: () => late.forget(),
      stop: () => void live.stop(),
    };
  }

  /** How many jobs of this server wait for a permit, and how many run. */
  counts(): { queued: number; running: number } {
    const { running } = this.#parts.meter;
    return { queued: Math.max(0, this.#live.size - running), running };
  }

  async servers(): Promise<readonly FleetServer[]> {
    const { store } = await this.#openStore();
    if (isFleet(store)) return await store.servers();
    const { identity, pool } = this.#parts;
    const { state } = this;
    return [{ ...identity, state, load: pool.load(), lastHeartbeat: new Date().toISOString() }];
  }

  /** Begins no more jobs, and waits until those that run have ended, for a time at most. */
  async drain(withinMs: number): Promise<void> {
    this.#isDraining = true;
    this.#parts.log.info("draining: no more jobs begin, and those that run may end", {
      jobs: this.#live.size,
      withinMs,
    });
    const opened = await this.#opened?.catch(() => undefined);
    await opened?.fleet?.stop();
    await within(Promise.all([...this.#live.values()].map((job) => job.ended)), withinMs);
  }

  /** Stops all jobs, and closes the store once their ends are stored, after 5 s at most. */
  async close(): Promise<void> {
    this.#closed = true;
    const opened = await this.#opened?.catch(() => undefined);
    this.#opened = undefined;
    const live = [...this.#live.values()];
    for (const job of live) job.close(SHUTTING_DOWN);
    await within(Promise.all([opened?.fleet?.stop(), ...live.map((job) => job.ended)]), STOP_MS);
    await opened?.upkeep.close();
    await opened?.store.close();
  }

  #isForFleet({ request, priority = "job" }: JobStart): boolean {
    return this.#parts.isShared && (priority === "job" || isPlaced(request));
  }

  async #startHere(job: NewJob, start: JobStart): Promise<Creation> {
    const { caller, request, priority = "job", meta } = start;
    if (this.#isDraining) throw refusedStart(SHUTTING_DOWN);
    ensureHere(request, this.#parts.identity);
    using stack = new DisposableStack();
    const waiting = stack.use(this.#waiting.hold(caller.name, request.args));
    const prepared = stack.use(await this.#prepare(caller, request, toOptions(start)));
    const admit = () => this.#admit(caller, prepared);
    const run: JobCall["run"] = (options, job) => {
      // One that has a permit is bounded by the number of permits.
      if (priority === "job") waiting[Symbol.dispose]();
      return prepared.run(options, job);
    };
    const open = await this.#openStore();
    const creation = await open.store.create(job, this.#parts.limits.maxJobs);
    if (creation.kind !== "created") return creation;
    const store = this.#parts.meter.watch(creation.job, open.store);
    const call = { run, caller, admit, priority, meta };
    const live = this.#launch(creation.job, call, { ...open, store });
    const held = stack.move();
    live.outcome.finally(() => held.dispose());
    return creation;
  }

  /** A job that has waited begins with the rights that its caller has by now. */
  #admit(caller: Caller, { recheck }: PreparedCall & { readonly ok: true }): Admittance {
    const current = this.currentOf(caller);
    const refusal = recheck(current);
    return refusal === undefined ? { ok: true, caller: current } : { ok: false, refusal };
  }

  async #dispatch(job: NewJob, start: JobStart): Promise<Creation> {
    this.#ensureOpen();
    const { caller, request, meta } = start;
    const { tool, args = {} } = request;
    const options = { ...toOptions(start), client: new AbortController(), caller };
    const checked = await this.#parts.dispatcher.check(tool, args, options);
    if (!checked.ok) throw refusedStart(checked.refusal);
    const { fleet } = await this.#openStore();
    if (fleet === undefined) throw new TypeError("Cannot dispatch a job: the store is not shared");
    return await fleet.dispatch(job, { request, caller, meta });
  }

  async #prepare(
    caller: Caller,
    { tool, args = {} }: JobRequest,
    options: KeepableOptions,
  ) {
    this.#ensureOpen();
    const call = await this.#parts.dispatcher.prepare(tool, args, {
      ...options,
      client: new AbortController(),
      caller,
    });
    if (!call.ok) throw refusedStart(call.refusal);
    return call;
  }

  #launch(
    job: Pick<StoredJob, "id" | "stdin" | "attempt">,
    call: JobCall,
    { store, upkeep }: { store: RunStore; upkeep: JobUpkeep },
  ): LiveJob {
    const live = new LiveJob(job, call, { ...this.#parts, store });
    this.#live.set(job.id, live);
    upkeep.listen();
    live.ended.finally(() => {
      // Another run of the job may have begun.
      if (this.#live.get(job.id) === live) this.#live.delete(job.id);
    });
    // The server may have stopped since the call was prepared.
    if (this.#closed) live.close(SHUTTING_DOWN);
    return live;
  }

  #ensureOpen(): void {
    if (!this.#closed) return;
    throw refusedStart(SHUTTING_DOWN);
  }

  async #openStore(): Promise<OpenStore> {
    this.#ensureOpen();
    this.#opened ??= this.#open().catch((error) => {
      this.#opened = undefined;
      throw error;
    });
    return await this.#opened;
  }

  async #open(): Promise<OpenStore> {
    const { log, pool, limits, openStore } = this.#parts;
    const store = await openStore();
    const upkeep = new JobUpkeep({ store, log, pool, limits, live: this.#live });
    try {
      await upkeep.start();
    } catch (error) {
      await upkeep.close();
      await store.close().catch((cause) =>
        log.warn("a store of jobs can't be closed", { reason: messageOf(cause) })
      );
      throw error;
    }
    if (!isFleet(store)) return { store, upkeep };
    const fleet = new FleetJobs(store, {
      ...this.#parts,
      live: this.#live,
      launch: (job, call, run) => this.#launch(job, call, { store: run, upkeep }),
    });
    return { store, upkeep, fleet };
  }
}

/** A job that is to be started, and for whom. */
interface JobStart extends Omit<OwnedStart, "idempotencyKey"> {
  readonly caller: Caller;
  readonly request: JobRequest;
}

function toOptions({ address }: JobStart): KeepableOptions {
  return { transport: "job", ...(address === undefined ? {} : { address }) };
}

interface OpenStore {
  readonly store: JobStore;
  readonly upkeep: JobUpkeep;
  /** The other servers that run jobs of the store, if it is shared so. */
  readonly fleet?: FleetJobs;
}
