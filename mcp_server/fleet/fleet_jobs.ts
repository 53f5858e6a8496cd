import { type Caller, NOBODY } from "../access/caller.ts";
import { toRoute } from "../tool/fleet.ts";
import { JobError } from "../tool/job.ts";
import type { JobRequest, JobStartOptions } from "../tool/job_service.ts";
import type { Creation, JobEnd, NewJob, StoredJob } from "../jobs/job_store.ts";
import type { Limits } from "../shared/limits.ts";
import type { Log } from "../shared/log.ts";
import type { Refusal } from "../tool/result.ts";
import type { CallDispatcher } from "../calls/call_dispatcher.ts";
import { CANCELLED, unknownCaller } from "../calls/refusals.ts";
import type { JobMeter } from "../calls/job_meter.ts";
import type { CommandRunnerPool } from "../run/command_runner.ts";
import type { BrokenJob, FleetStore, StoredCall, TakenJob } from "./fleet_store.ts";
import { JobTaker } from "./job_taker.ts";
import type { RunStore } from "../jobs/late_store.ts";
import { type JobCall, type LiveJob, toEndTimes } from "../jobs/live_job.ts";

/** What the jobs of a fleet are run with. */
export interface FleetJobsParts {
  readonly dispatcher: Pick<CallDispatcher, "prepare">;
  readonly pool: Pick<CommandRunnerPool, "jobRoom">;
  readonly limits: Limits;
  readonly log: Log;
  readonly meter: Pick<JobMeter, "watchRun">;
  /** The caller of a name with the rights that it has here; `undefined` if it is unknown here. */
  readonly callerOf: (name: string, scopes?: readonly string[]) => Caller | undefined;
  /** Runs a job here. */
  readonly launch: (job: StoredJob, call: JobCall, store: RunStore) => LiveJob;
  /** The jobs that run here. */
  readonly live: ReadonlyMap<string, LiveJob>;
}

/** Passes the jobs that are started here on to the fleet, and runs those that this server takes. */
export class FleetJobs {
  readonly #store: FleetStore;
  readonly #parts: FleetJobsParts;
  readonly #taker: JobTaker;

  /** Takes jobs from now on. */
  constructor(store: FleetStore, parts: FleetJobsParts) {
    this.#store = store;
    this.#parts = parts;
    store.onLost(() => {
      for (const job of parts.live.values()) job.abandon();
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
    { request, caller: { scopes }, meta }: {
      readonly request: JobRequest;
      readonly caller: Caller;
      readonly meta: JobStartOptions["meta"];
    },
  ): Promise<Creation> {
    const { args = {}, on, retries = 0 } = request;
    const route = toRoute(on);
    if (!await this.#store.hasRoute(route)) throw noSuchServer(on);
    const call: StoredCall = {
      args,
      ...(meta === undefined ? {} : { meta }),
      ...(scopes === undefined ? {} : { scopes }),
    };
    return await this.#store.dispatch(job, { route, retries, call }, this.#parts.limits.maxJobs);
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

  #run({ job, call, store }: TakenJob): void {
    const { dispatcher, callerOf, launch, meter } = this.#parts;
    const { args, meta, scopes } = call;
    const caller = callerOf(job.caller, scopes);
    const live = launch(job, {
      caller: caller ?? NOBODY,
      priority: "job",
      ...(meta === undefined ? {} : { meta }),
      run: async (options, run) => {
        if (caller === undefined) return { ok: false, refusal: unknownCaller(job.caller) };
        // The tools here may differ from those of the server that created the job.
        const prepared = await dispatcher.prepare(job.tool, args, options);
        if (!prepared.ok) return prepared;
        using call = prepared;
        return await call.run(options, run);
      },
    }, meter.watchRun(job, store));
    live.ended.finally(() => this.#taker.look());
  }
}

function noSuchServer(on: string | undefined): JobError {
  return new JobError(
    `Cannot start the job on "${on}": no server has had this name or label; see GET /api/servers`,
    { code: "INVALID_ARGUMENTS" },
  );
}
