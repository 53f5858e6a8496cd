import { type Caller, includesScope, isAdmin, mayUse, type Scope } from "../access/caller.ts";
import { firstOf } from "../shared/deadline.ts";
import { quote } from "../shared/error.ts";
import {
  isFinal,
  type Job,
  JOB_START,
  JobError,
  type JobEvent,
  type JobPage,
  type JobQuery,
  type JobRequest,
  type JobStartOptions,
  type JobWait,
  type JobWatch,
  type OutputPart,
  type OutputRequest,
  type StartedJob,
} from "../tool/job.ts";
import type { CallerJobs, KeepableCall, KeepableOptions, Transport } from "../tool/service.ts";
import type { JobCommand, JobStore, StoredJob } from "./job_store.ts";
import type { CallOutcome } from "../tool/result.ts";
import type { AuditedAct, AuditedKind, AuditLog } from "../calls/audit.ts";
import { JobChanges, jobEvents, readPart } from "./job_events.ts";
import { toJob } from "./job_view.ts";
import type { LiveJob } from "./live_job.ts";

/** How a job is started, and from where. */
export interface OwnedStart extends JobStartOptions {
  /** Address of the client. */
  readonly address?: string;
}

/** What the jobs of all callers share. */
export interface SharedJobs {
  /** Opens the store if it is not open yet; rejects with a `JobError` if it can't be used. */
  store(): Promise<JobStore>;
  /** A live job of this server. */
  live(id: string): LiveJob | undefined;
  /** Ends a job that no server has taken yet; `false` if one has. */
  cancelQueued(id: string): Promise<boolean>;
  /** Starts a job. */
  start(caller: Caller, request: JobRequest, options: OwnedStart): Promise<StartedJob>;
  /** Carries out a call that may become a job. */
  call(caller: Caller, request: JobRequest, options: KeepableOptions): Promise<
    KeepableCall
  >;
  /** Records who stops, feeds and deletes jobs. */
  readonly audit: Pick<AuditLog, "did">;
  /** A caller with the rights that it has by now, which may be none. */
  currentOf(caller: Caller): Caller;
  /** The scope that a token needs for a tool. */
  scopeOf(tool: string): Scope;
}

const LIST = { limit: 100, most: 1_000 };

/**
 * The jobs of one caller, which can't see those of others; one that administers the server sees and
 * cancels all of them.
 */
export class OwnedJobs implements CallerJobs {
  readonly #caller: Caller;
  readonly #shared: SharedJobs;
  readonly #address: string | undefined;
  readonly #transport: Transport;

  constructor(caller: Caller, shared: SharedJobs, { address, transport = "embedded" }: {
    readonly address: string | undefined;
    readonly transport: Transport | undefined;
  }) {
    this.#caller = caller;
    this.#shared = shared;
    this.#address = address;
    this.#transport = transport;
  }

  async start(request: JobRequest, options: JobStartOptions = {}): Promise<StartedJob> {
    const origin = this.#address === undefined ? {} : { address: this.#address };
    return await this.#shared.start(this.#caller, request, { ...options, ...origin });
  }

  async call(tool: string, args: unknown, options: KeepableOptions): Promise<KeepableCall> {
    return await this.#shared.call(this.#caller, { tool, args }, options);
  }

  async get(id: string): Promise<Job> {
    const store = await this.#shared.store();
    return await this.#view(store, await this.#find(store, id));
  }

  async outcome(id: string): Promise<CallOutcome | undefined> {
    const store = await this.#shared.store();
    await this.#find(store, id);
    return await store.outcome(id);
  }

  async list({ state, tool, limit = LIST.limit, cursor }: JobQuery = {}): Promise<JobPage> {
    const most = Math.min(Math.max(Math.floor(limit), 1), LIST.most);
    const before = cursor === undefined ? undefined : parseCursor(cursor);
    const store = await this.#shared.store();
    const found = await store.list({
      caller: isAdmin(this.#caller) ? undefined : this.#caller.name,
      limit: most + 1,
      now: Date.now(),
      ...(state === undefined ? {} : { state }),
      ...(tool === undefined ? {} : { tool }),
      ...(before === undefined ? {} : { before }),
    });
    const page = found.slice(0, most);
    const last = found.length > most ? page.at(-1) : undefined;
    return {
      jobs: page.map((job) => toJob(job)),
      ...(last === undefined ? {} : { nextCursor: toCursor(last.seq) }),
    };
  }

  async wait(id: string, { timeoutMs, since, signal }: JobWait): Promise<Job> {
    const store = await this.#shared.store();
    using changes = new JobChanges(store, id);
    using deadline = firstOf({ signal, timeoutMs });
    let job = await this.#find(store, id);
    const known = since ?? job.state;
    while (job.state === known && !isFinal(job.state)) {
      const end = await Promise.race([deadline.expired, changes.next()]);
      if (end === "aborted") throw signal?.reason;
      job = await this.#find(store, id);
      if (end === "timedOut") break;
    }
    return await this.#view(store, job);
  }

  async read(id: string, request: OutputRequest): Promise<OutputPart> {
    const store = await this.#shared.store();
    return await readPart(store, await this.#find(store, id), request);
  }

  async *watch(id: string, { from = JOB_START, signal }: JobWatch): AsyncGenerator<JobEvent, void> {
    const store = await this.#shared.store();
    const find = () => this.#find(store, id);
    yield* jobEvents(store, id, { find, from, signal });
  }

  async cancel(id: string): Promise<Job> {
    const store = await this.#shared.store();
    const job = await this.#findToChange(store, id, "cancel");
    const live = this.#shared.live(id);
    if (live !== undefined) {
      if (live.stop()) await this.#record("stop", job);
    } else if (job.server === undefined && await this.#shared.cancelQueued(id)) {
      await this.#record("stop", job);
      return await this.get(id);
    } else if (!isFinal(job.state)) {
      await store.send(id, { kind: "cancel" });
      await this.#record("stop", job);
    }
    return await this.#view(store, job);
  }

  async writeStdin(id: string, bytes: Uint8Array): Promise<void> {
    await this.#input(id, { kind: "stdin", bytes });
  }

  async endStdin(id: string): Promise<void> {
    await this.#input(id, { kind: "endStdin" });
  }

  async mayAnswer(id: string): Promise<void> {
    await this.#record(
      "input",
      await this.#findToFeed(await this.#shared.store(), id, "answer for"),
    );
  }

  async delete(id: string): Promise<void> {
    const store = await this.#shared.store();
    const job = await this.#findOwn(store, id, "delete");
    if (isFinal(job.state)) {
      if (await store.remove(id)) await this.#record("delete", job);
      return;
    }
    throw new JobError(
      `Cannot delete the job "${id}": it is ${job.state}; cancel it, and delete it once it has ended`,
      { code: "JOB_NOT_ENDED" },
    );
  }

  async #input(id: string, command: Exclude<JobCommand, { kind: "cancel" }>): Promise<void> {
    const store = await this.#shared.store();
    const job = await this.#findToFeed(store, id, "write to");
    const refuse = (code: JobError["code"], state: string) =>
      new JobError(`Cannot write to the job "${id}": ${state}`, { code });
    if (!job.stdin) {
      throw refuse(
        "JOB_WITHOUT_STDIN",
        "it was started without stdin: true; start it again with it",
      );
    }
    if (job.state !== "running") throw refuse("JOB_NOT_RUNNING", whyNotRunning(job));
    // Looked up now: one that ends meanwhile refuses the input.
    const live = this.#shared.live(id);
    // What it writes may end the server, so this comes first.
    await this.#record("input", job, toAmount(command));
    if (live === undefined) return await store.send(id, command);
    const verdict = live.write(command);
    if (verdict === "full") throw refuse("BUSY", "1 MiB waits to be read; try again later");
    if (verdict === "closed") {
      throw refuse("STDIN_CLOSED", "its input has ended; start another job");
    }
  }

  async #record(
    kind: AuditedKind,
    { id, tool, caller: owner }: StoredJob,
    amount: Pick<AuditedAct, "bytes" | "end"> = {},
  ): Promise<void> {
    const { name: caller } = this.#caller;
    await this.#shared.audit.did(kind, {
      job: id,
      transport: this.#transport,
      tool,
      ...(owner === caller ? {} : { owner }),
      ...amount,
      caller,
      address: this.#address,
    });
  }

  async #find(store: JobStore, id: string): Promise<StoredJob> {
    const job = await store.find(id);
    const isThere = (job?.expiresAt ?? Infinity) > Date.now();
    if (job !== undefined && isThere && (this.#owns(job) || isAdmin(this.#caller))) return job;
    throw new JobError(
      `Cannot find the job ${quote(id, 64)}: it is unknown, has expired, or is another caller's; ` +
        "list the jobs to see their ids",
      { code: "JOB_NOT_FOUND" },
    );
  }

  /** One job, to change which a token needs the scope that it needs to start it. */
  async #findToChange(store: JobStore, id: string, action: string): Promise<StoredJob> {
    const job = await this.#find(store, id);
    const scope = this.#shared.scopeOf(job.tool);
    if (includesScope(this.#caller.scopes, scope)) return job;
    const state = `the token of the caller does not have the scope ${scope}; get one that does`;
    throw new JobError(`Cannot ${action} the job ${quote(id)}: ${state}`, { code: "NOT_ALLOWED" });
  }

  #owns({ caller }: StoredJob): boolean {
    return caller === this.#caller.name;
  }

  /** One job of the caller itself, also if it sees those of others. */
  async #findOwn(store: JobStore, id: string, action: string): Promise<StoredJob> {
    const job = await this.#findToChange(store, id, action);
    if (this.#owns(job)) return job;
    throw new JobError(
      `Cannot ${action} the job ${quote(id)}: it is of "${job.caller}", and only that caller may`,
      {
        code: "NOT_ALLOWED",
      },
    );
  }

  /** One job of the caller itself, to which only a caller may give input that may start its tool. */
  async #findToFeed(store: JobStore, id: string, action: string): Promise<StoredJob> {
    const job = await this.#findOwn(store, id, action);
    const caller = this.#shared.currentOf(this.#caller);
    if (mayUse(caller, job.tool)) return job;
    const rule = caller.rights?.tools.join(", ") || "none";
    throw new JobError(
      `Cannot ${action} the job ${
        quote(id)
      }: its tool "${job.tool}" is not among the tools of the ` +
        `caller "${caller.name}" (${rule})`,
      { code: "NOT_ALLOWED" },
    );
  }

  async #view(store: JobStore, job: StoredJob): Promise<Job> {
    if (job.state !== "completed") return toJob(job);
    return toJob(job, await store.outcome(job.id));
  }
}

function toAmount(
  command: Exclude<JobCommand, { kind: "cancel" }>,
): Pick<AuditedAct, "bytes" | "end"> {
  return command.kind === "stdin" ? { bytes: command.bytes.length } : { end: true };
}

function whyNotRunning({ state }: StoredJob): string {
  return state === "queued" ? "it is queued; try again once it runs" : `it is ${state}`;
}

const CURSOR = /^j([0-9a-z]{1,10})$/;

function toCursor(seq: number): string {
  return `j${seq.toString(36)}`;
}

function parseCursor(cursor: string): number {
  const [, digits] = CURSOR.exec(cursor) ?? [];
  if (digits !== undefined) return Number.parseInt(digits, 36);
  throw new JobError(
    `Cannot list jobs from ${quote(cursor)}: it is not a cursor; use nextCursor of the page before`,
    { code: "BAD_CURSOR" },
  );
}
