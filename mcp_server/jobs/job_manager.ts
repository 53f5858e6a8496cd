import { type Caller, DEFAULT_CALLER, type Scope, scopeOf } from "../access/caller.ts";
import { mayAskClient } from "../calls/approvals.ts";
import type { CallDispatcher } from "../calls/call_dispatcher.ts";
import type { PreparedCall } from "../calls/admission.ts";
import { SHUTTING_DOWN } from "../calls/refusals.ts";
import { type ServerMeter, timed } from "../calls/server_meter.ts";
import type { CommandRunnerPool } from "../run/command_runner.ts";
import { within } from "../shared/concurrency.ts";
import { messageOf } from "../shared/error.ts";
import type { Limits } from "../shared/limits.ts";
import type { Log } from "../shared/log.ts";
import type { FleetServer, Job, ServerIdentity, ServerState } from "../tool/job.ts";
import type { JobRequest, JobStartOptions } from "../tool/job_service.ts";
import type { AskingClient, CallOptions, KeepableOptions } from "../tool/service.ts";
import { FleetJobs } from "./fleet_jobs.ts";
import { type Creation, isFleet, type JobStore, type NewJob, type StoredJob } from "./job_store.ts";
import { JobUpkeep } from "./job_upkeep.ts";
import { type AdoptedCall, type Adopter, PendingCall } from "./kept_calls.ts";
import { type Admittance, type JobCall, LiveJob } from "./live_job.ts";
import {
  ArgumentBudget,
  ensureHere,
  ensurePlacement,
  isPlaced,
  keyReused,
  refusedStart,
  silentStore,
  terminalOf,
  toNewJob,
  tooManyJobs,
} from "./stored_job.ts";

/** What jobs are run with. */
interface JobParts {
  readonly dispatcher: Pick<
    CallDispatcher,
    "prepare" | "check" | "enter" | "find" | "approvals" | "needsApproval"
  >;
  readonly pool: Pick<CommandRunnerPool, "forJob" | "jobRoom" | "load" | "endMarked">;
  readonly limits: Limits;
  readonly log: Log;
  /** Redacts secrets in the titles and the kept arguments of jobs. */
  readonly redact: (text: string, caller: Caller) => string;
  readonly meter: Pick<ServerMeter, "record">;
  /** How this server is known, for the jobs that ask for a server. */
  readonly identity: ServerIdentity;
  /** The caller of a name with the rights that it has here; `undefined` if it is unknown here. */
  readonly callerOf: (name: string, scopes?: readonly string[]) => Caller | undefined;
  /** A caller with the rights that it has by now, which may be none. @default {those it had} */
  readonly currentOf?: ((caller: Caller) => Caller) | undefined;
  /** Whether the store passes jobs on to the servers that share it. */
  readonly isShared: boolean;
  /** Opens the store; rejects with a `JobError` if it can't be used. */
  readonly openStore: () => Promise<JobStore>;
}

/** How a job is started, and from where. */
interface JobStart extends JobStartOptions {
  /** Address of the client. */
  readonly address?: string;
  /** The client whose user may approve the call before the job is created. */
  readonly asking?: AskingClient | undefined;
}

/** How long a call waits for the store, which may be a database that does not answer. */
const OPEN_MS = 500;

/** How long storing the ends of running jobs may take when the server stops. */
const STOP_MS = 5_000;

/** Runs the jobs of all callers, in the store that it opens when the first one asks for it. */
export class JobManager implements Adopter {
  readonly #parts: JobParts;
  readonly #live = new Map<string, LiveJob>();
  /** The arguments of the jobs that wait here, and of those that don't wait for a permit. */
  readonly #waiting: ArgumentBudget;
  #opened: Promise<OpenStore> | undefined;
  #isDraining = false;
  #closed = false;

  constructor(parts: JobParts) {
    this.#parts = parts;
    this.#waiting = new ArgumentBudget(parts.limits.maxJobArgsBytes);
  }

  /** Whether this server takes jobs. */
  get state(): ServerState {
    return this.#isDraining || this.#closed ? "draining" : "ready";
  }

  /** Whether the store passes jobs on to the servers that share it. */
  get isShared(): boolean {
    return this.#parts.isShared;
  }

  /** Opens the store, once; jobs of servers that are gone are marked as lost before it is used. */
  async store(): Promise<JobStore> {
    return (await this.#openStore()).store;
  }

  /** A live job of this server. */
  live(id: string): LiveJob | undefined {
    return this.#live.get(id);
  }

  /** What a job waits for here before it begins, as a key of it. */
  waitingOf(id: string): Pick<Job, "waiting"> {
    return this.#parts.dispatcher.approvals.isWaiting(id) ? { waiting: "approval" } : {};
  }

  /** A caller with the rights that it has by now, which may be none. */
  currentOf(caller: Caller): Caller {
    return this.#parts.currentOf?.(caller) ?? caller;
  }

  /** The scope that a token needs for a tool. */
  async scopeOf(tool: string): Promise<Scope> {
    return scopeOf(await this.#parts.dispatcher.find(tool, DEFAULT_CALLER) ?? {});
  }

  /** Starts a job, or finds the one that was started with the same key; rejects as `JobService` says. */
  async start(
    caller: Caller,
    request: JobRequest,
    { idempotencyKey, ...options }: JobStart,
  ): Promise<{ job: StoredJob; replayed: boolean }> {
    ensurePlacement(request);
    const { isShared, limits: { maxJobs } } = this.#parts;
    const job = await toNewJob(caller, request, { ...this.#parts, idempotencyKey });
    const isForFleet = isShared && (options.priority !== "call" || isPlaced(request));
    const creation = isForFleet
      ? await this.#dispatch(job, caller, request, options)
      : await this.#startHere(job, caller, request, options);
    if (creation.kind === "full") throw tooManyJobs(job, maxJobs, creation);
    const replayed = creation.kind === "exists";
    if (replayed && !creation.sameRequest) throw keyReused();
    return { job: creation.job, replayed };
  }

  /** Carries out a call that may become a job; rejects as `CallerJobs` says. */
  async call(caller: Caller, request: JobRequest, options: KeepableOptions): Promise<PendingCall> {
    const { dispatcher, pool } = this.#parts;
    await this.#openStore();
    using stack = new DisposableStack();
    const entered = dispatcher.enter(caller);
    if ("kind" in entered) throw refusedStart(entered);
    stack.use(entered);
    const prepared = stack.use(await this.#prepare(caller, request, options));
    const parts = { caller, request, options, jobs: this };
    const call = new PendingCall(parts, async (own, { mark, jobId, onEntered }) => {
      onEntered(entered);
      using runner = pool.forJob({ priority: "call", mark });
      return await prepared.run(own, { runner, jobId });
    });
    const held = stack.move();
    call.outcome.finally(() => held.dispose());
    return call;
  }

  /** Makes a job of a running call; see {@linkcode Adopter}. */
  async adopt({ id, caller, request, startedAt: createdAt, connect }: AdoptedCall) {
    const opening = this.#openStore();
    if (!await within(opening, OPEN_MS)) throw silentStore();
    const open = await opening;
    const job = await toNewJob(caller, request, { ...this.#parts, id, createdAt });
    const { promise: connected, resolve } = Promise.withResolvers<void>();
    const run: JobCall["run"] = (options) => {
      const outcome = connect(options);
      resolve();
      return outcome;
    };
    const live = this.#launch(job, { run, caller, priority: "call", startedAt: createdAt }, open);
    await Promise.race([connected, live.outcome]);
    const keep = async () => {
      // From now on, its arguments count as those of a job that waits.
      const waiting = this.#waiting.hold(caller.name, request.args);
      live.ended.finally(() => waiting[Symbol.dispose]());
      await live.keep();
    };
    return { live, keep };
  }

  /** Ends a job that no server has taken yet; `false` if one has. */
  async cancelQueued(id: string): Promise<boolean> {
    return await (await this.#openStore()).fleet?.cancel(id) ?? false;
  }

  /** How many jobs of this server wait for a permit, and how many run. */
  counts(): { queued: number; running: number } {
    const counts = { queued: 0, running: 0 };
    for (const { state } of this.#live.values()) if (state !== undefined) counts[state]++;
    return counts;
  }

  /** The servers that share the jobs and are alive. */
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

  /** Stops all jobs, and closes the store once their ends and `last()` are stored, within 5 s. */
  async close(last: () => Promise<void> = async () => {}): Promise<void> {
    this.#closed = true;
    const opened = await this.#opened?.catch(() => undefined);
    this.#opened = undefined;
    const live = [...this.#live.values()];
    for (const job of live) job.close(SHUTTING_DOWN);
    const ends = [opened?.fleet?.stop(), ...live.map((job) => job.ended)];
    await within(Promise.all(ends).then(last), STOP_MS);
    await opened?.upkeep.close();
    await opened?.store.close();
  }

  async #startHere(
    job: NewJob,
    caller: Caller,
    request: JobRequest,
    { address, priority = "job", meta, asAnswer, asking }: JobStart,
  ): Promise<Creation> {
    if (this.#isDraining) throw refusedStart(SHUTTING_DOWN);
    ensureHere(request, this.#parts.identity);
    using stack = new DisposableStack();
    const waiting = stack.use(this.#waiting.hold(caller.name, request.args));
    const options = { transport: "job", address } as const;
    const prepared = stack.use(await this.#prepare(caller, request, options));
    const { approve, recheck } = prepared;
    if (asking !== undefined && mayAskClient(caller)) {
      const refusal = await approve?.({ ...asking, stdin: job.stdin });
      if (refusal !== undefined) throw refusedStart(refusal);
    }
    // A job that has waited begins with the rights that its caller has by now.
    const admit = (): Admittance => {
      const current = this.currentOf(caller);
      const refusal = recheck(current);
      return refusal === undefined ? { ok: true, caller: current } : { ok: false, refusal };
    };
    const run: JobCall["run"] = (options, job) => {
      // One that has a permit is bounded by the number of permits.
      if (priority === "job") waiting[Symbol.dispose]();
      return prepared.run(options, job);
    };
    const open = await this.#openStore();
    const { limits: { maxJobs }, meter } = this.#parts;
    const creation = await timed("create", meter, () => open.store.create(job, maxJobs));
    if (creation.kind !== "created") return creation;
    const terminal = terminalOf(request);
    const call = { run, caller, approve, admit, priority, meta, asAnswer, terminal };
    const live = this.#launch(creation.job, call, open);
    const held = stack.move();
    live.outcome.finally(() => held.dispose());
    return creation;
  }

  async #dispatch(
    job: NewJob,
    caller: Caller,
    request: JobRequest,
    { address, meta, asAnswer }: JobStart,
  ): Promise<Creation> {
    this.#ensureOpen();
    const { tool, args = {} } = request;
    const client = new AbortController();
    const options = { transport: "job", address, client, caller } as const;
    const checked = await this.#parts.dispatcher.check(tool, args, options);
    if (!checked.ok) throw refusedStart(checked.refusal);
    const { fleet } = await this.#openStore();
    if (fleet === undefined) throw new TypeError("Cannot dispatch a job: the store is not shared");
    return await fleet.dispatch(job, request, { scopes: caller.scopes, meta, asAnswer });
  }

  async #prepare(
    caller: Caller,
    { tool, args = {} }: JobRequest,
    options: KeepableOptions,
  ): Promise<PreparedCall & { readonly ok: true }> {
    this.#ensureOpen();
    const call: CallOptions = { ...options, client: new AbortController(), caller };
    const prepared = await this.#parts.dispatcher.prepare(tool, args, call);
    if (!prepared.ok) throw refusedStart(prepared.refusal);
    return prepared;
  }

  #launch(job: NewJob | StoredJob, call: JobCall, { store, upkeep }: OpenStore): LiveJob {
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
    if (this.#closed) throw refusedStart(SHUTTING_DOWN);
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
    const launch = (job: StoredJob, call: JobCall) => this.#launch(job, call, { store, upkeep });
    return { store, upkeep, fleet: new FleetJobs(store, this.#parts, this.#live, launch) };
  }
}

interface OpenStore {
  readonly store: JobStore;
  readonly upkeep: JobUpkeep;
  /** The other servers that run jobs of the store, if it is shared so. */
  readonly fleet?: FleetJobs;
}
