import { type Caller, NOBODY } from "../access/caller.ts";
import type { CallDispatcher } from "../calls/call_dispatcher.ts";
import type { PreparedCall } from "../calls/admission.ts";
import { CANCELLED, unknownCaller } from "../calls/refusals.ts";
import { type ServerMeter, timed } from "../calls/server_meter.ts";
import type { CommandRunnerPool } from "../run/command_runner.ts";
import { messageOf } from "../shared/error.ts";
import type { Limits } from "../shared/limits.ts";
import type { Log } from "../shared/log.ts";
import { JobError, toRoute } from "../tool/job.ts";
import type { JobRequest } from "../tool/job_service.ts";
import type { Refusal } from "../tool/result.ts";
import type { CallOptions } from "../tool/service.ts";
import type {
  BrokenJob,
  Creation,
  FleetStore,
  JobEnd,
  NewJob,
  StoredCall,
  StoredJob,
  TakenJob,
} from "./job_store.ts";
import { type JobCall, type LiveJob, toEndTimes } from "./live_job.ts";
import { terminalOf } from "./stored_job.ts";

/** What the jobs of a fleet are run with. */
interface FleetJobsParts {
  readonly dispatcher: Pick<CallDispatcher, "prepare" | "needsApproval">;
  readonly pool: Pick<CommandRunnerPool, "jobRoom">;
  readonly limits: Limits;
  readonly log: Log;
  readonly meter: Pick<ServerMeter, "record">;
  /** The caller of a name with the rights that it has here; `undefined` if it is unknown here. */
  readonly callerOf: (name: string, scopes?: readonly string[]) => Caller | undefined;
}

/** Passes the jobs that are started here on to the fleet, and runs those that this server takes. */
export class FleetJobs {
  readonly #store: FleetStore;
  readonly #parts: FleetJobsParts;
  readonly #launch: (job: StoredJob, call: JobCall) => LiveJob;
  readonly #taker: JobTaker;

  /** `live` are the jobs that run here; `launch()` runs one more. */
  constructor(
    store: FleetStore,
    parts: FleetJobsParts,
    live: ReadonlyMap<string, LiveJob>,
    launch: (job: StoredJob, call: JobCall) => LiveJob,
  ) {
    this.#store = store;
    this.#parts = parts;
    this.#launch = launch;
    store.onLost(() => {
      for (const job of live.values()) job.abandon();
    });
    this.#taker = new JobTaker({
      store,
      room: () => parts.pool.jobRoom(),
      onBroken: (broken) => this.#endOf(broken),
      launch: (taken) => this.#run(taken),
      log: parts.log,
    });
  }

  /** Creates a job that any server with room takes, or the one that it asks for. */
  async dispatch(
    job: NewJob,
    request: JobRequest,
    call: Pick<StoredCall, "scopes" | "meta" | "asAnswer">,
  ): Promise<Creation> {
    const { args = {}, on, retries = 0 } = request;
    const route = toRoute(on);
    if (!await this.#store.hasRoute(route)) throw noSuchServer(on);
    const dispatch = {
      route,
      retries,
      call: { ...call, args, terminal: terminalOf(request) },
    };
    return await this.#store.dispatch(job, dispatch, this.#parts.limits.maxJobs);
  }

  /** Ends a job that no server has taken yet; `false` if one has. */
  async cancel(id: string): Promise<boolean> {
    const outcome = { ok: false, refusal: CANCELLED } as const;
    const times = toEndTimes(this.#parts.limits);
    return await this.#store.endQueued(id, { state: "cancelled", ...times, outcome });
  }

  /** Takes no more jobs. */
  async stop(): Promise<void> {
    await this.#taker.stop();
  }

  #endOf({ id, reason }: BrokenJob): JobEnd {
    const { log, limits } = this.#parts;
    log.error("a job in the queue is broken, and fails", { job: id, reason });
    const message = `Cannot run the job "${id}": ${reason}; start it again`;
    const refusal: Refusal = { kind: "TOOL_FAILED", code: "JOB_BROKEN", message };
    return { state: "failed", ...toEndTimes(limits), outcome: { ok: false, refusal } };
  }

  #run({ job, call: { args, meta, scopes, asAnswer, terminal }, isRepeatable }: TakenJob): void {
    const { dispatcher, callerOf, meter } = this.#parts;
    const caller = callerOf(job.caller, scopes);
    let preparing: Promise<PreparedCall> | undefined;
    // The tools here may differ from those of the server that created the job.
    const prepare = (options: CallOptions) =>
      preparing ??= dispatcher.prepare(job.tool, args, options);
    const needsApproval = caller !== undefined && dispatcher.needsApproval(job.tool, caller);
    const approve: JobCall["approve"] = needsApproval
      ? async (wait) => {
        const prepared = await prepare({ transport: "job", client: wait, caller, meta });
        if (!prepared.ok) return prepared.refusal;
        return await this.#whileWaiting(job, async () => await prepared.approve?.(wait));
      }
      : undefined;
    const run: JobCall["run"] = async (options, run) => {
      if (caller === undefined) return { ok: false, refusal: unknownCaller(job.caller) };
      const prepared = await prepare(options);
      return prepared.ok ? await prepared.run(options, run) : prepared;
    };
    const giveBack = (cancelled: JobEnd) =>
      timed("giveBack", meter, () => this.#store.giveBack(job, cancelled));
    const live = this.#launch(job, {
      caller: caller ?? NOBODY,
      priority: "job",
      meta,
      asAnswer,
      approve,
      terminal,
      run,
      giveBack: isRepeatable ? giveBack : undefined,
    });
    live.outcome.finally(async () => {
      const prepared = await preparing;
      if (prepared?.ok === true) prepared[Symbol.dispose]();
    });
    live.ended.finally(() => this.#taker.look());
  }

  /** Lets the other servers see that a job waits for approval. */
  async #whileWaiting<T>(job: StoredJob, wait: () => Promise<T>): Promise<T> {
    const set = (waiting: StoredJob["waiting"]) =>
      this.#store.setWaiting(job, waiting).catch((error) =>
        this.#parts.log.warn("what a job waits for is not stored", { reason: messageOf(error) })
      );
    await set("approval");
    try {
      return await wait();
    } finally {
      await set(undefined);
    }
  }
}

function noSuchServer(on: string | undefined): JobError {
  return new JobError(
    `Cannot start the job on "${on}": no server has had this name or label; see GET /api/servers`,
    { code: "INVALID_ARGUMENTS" },
  );
}

/** From where jobs are taken, and what becomes of them. */
interface JobTakerOptions {
  readonly store: Pick<FleetStore, "take" | "passOn" | "stopTaking" | "onWork">;
  /** How many jobs could run at once now. */
  readonly room: () => number;
  /** Reports a job that can't be taken, and how it ends. */
  readonly onBroken: (broken: BrokenJob) => JobEnd;
  /** Runs a job; must not throw. */
  readonly launch: (taken: TakenJob) => void;
  readonly log: Log;
}

/** Takes jobs from the queues of the fleet while there is room for them here. */
export class JobTaker {
  readonly #options: JobTakerOptions;
  readonly #listener: Disposable;
  #taking: Promise<void> | undefined;
  #isMore = false;
  #isStopped = false;

  constructor(options: JobTakerOptions) {
    this.#options = options;
    this.#listener = options.store.onWork(() => this.look());
  }

  /** Looks for jobs: there may be some, or room for some. */
  look(): void {
    this.#isMore = true;
    if (this.#isStopped) return;
    this.#taking ??= this.#takeAll().finally(() => {
      this.#taking = undefined;
      // It may have been called since the last job was looked for.
      if (this.#isMore) this.look();
    });
  }

  /** Takes no more jobs; resolves once those that are being taken run. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#options.store.stopTaking();
    this.#listener[Symbol.dispose]();
    await this.#taking;
  }

  async #takeAll(): Promise<void> {
    const { store, room, onBroken, launch, log } = this.#options;
    try {
      while (this.#isMore && !this.#isStopped) {
        this.#isMore = false;
        const most = room();
        const taken = most > 0 ? await store.take(most, onBroken) : [];
        if (most <= 0) await store.passOn();
        if (taken.length > 0) this.#isMore = true;
        for (const job of taken) launch(job);
      }
    } catch (error) {
      // The store reports work again once it is back.
      log.warn("cannot take jobs", { reason: messageOf(error) });
    }
  }
}
