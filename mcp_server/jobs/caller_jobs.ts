import { type Caller, includesScope, isAdmin, mayUse } from "../access/caller.ts";
import { firstOf } from "../shared/concurrency.ts";
import { quote } from "../shared/error.ts";
import { withoutUnset } from "../shared/json.ts";
import { isFinal, type Job, JOB_START, JobError, type JobEvent } from "../tool/job.ts";
import type {
  JobPage,
  JobQuery,
  JobRequest,
  JobStartOptions,
  JobWait,
  JobWatch,
  MergedOutput,
  MergedRequest,
  OutputPart,
  OutputRequest,
  StartedJob,
} from "../tool/job_service.ts";
import type {
  AskingClient,
  CallerJobs,
  JobHost,
  KeepableCall,
  KeepableOptions,
  Transport,
} from "../tool/service.ts";
import type { ShownQuestion } from "../tool/job.ts";
import type { JobCommand, JobStore, StoredJob } from "./job_store.ts";
import type { CallOutcome } from "../tool/result.ts";
import type { AuditedAct, AuditedKind, AuditLog } from "../calls/audit.ts";
import { JobChanges, jobEvents, readPart } from "./job_events.ts";
import type { JobManager } from "./job_manager.ts";
import { readMerged } from "./output_pieces.ts";
import { parseKeptCall, toJob } from "./stored_job.ts";

const LIST = { limit: 100, most: 1_000 };

/** What the jobs of all callers share. */
interface CallerJobsParts {
  readonly manager: JobManager;
  /** Records who stops, feeds and deletes jobs. */
  readonly audit: Pick<AuditLog, "did">;
}

/** Shows the jobs of a manager to their callers. */
export function createJobHost(parts: CallerJobsParts): JobHost {
  const { manager } = parts;
  return {
    get state() {
      return manager.state;
    },
    isShared: manager.isShared,
    forCaller: (caller, address, transport = "embedded", asking = undefined) =>
      new OwnedJobs(parts, caller, { address, transport, asking }),
    servers: () => manager.servers(),
  };
}

/** From where a caller reaches its jobs. */
interface JobsClient {
  readonly address: string | undefined;
  readonly transport: Transport;
  /** Whose user may approve a job before it is created. */
  readonly asking: AskingClient | undefined;
}

/** The jobs of one caller; of one that administers the server all jobs, to see and to cancel. */
class OwnedJobs implements CallerJobs {
  readonly #manager: JobManager;
  readonly #audit: CallerJobsParts["audit"];
  readonly #caller: Caller;
  readonly #client: JobsClient;

  constructor({ manager, audit }: CallerJobsParts, caller: Caller, client: JobsClient) {
    this.#manager = manager;
    this.#audit = audit;
    this.#caller = caller;
    this.#client = client;
  }

  async start(request: JobRequest, options: JobStartOptions = {}): Promise<StartedJob> {
    const { address, asking } = this.#client;
    const start = { ...options, address, asking };
    const { job, replayed } = await this.#manager.start(this.#caller, request, start);
    if (!replayed) return { job: this.#show(job), replayed };
    return { job: await this.#view(await this.#manager.store(), job), replayed };
  }

  async call(tool: string, args: unknown, options: KeepableOptions): Promise<KeepableCall> {
    const call = await this.#manager.call(this.#caller, { tool, args }, options);
    return {
      outcome: call.outcome,
      keep: async (questions) => {
        const { id } = await call.keep();
        if (questions !== undefined) this.#manager.live(id)?.offer(questions);
        return await this.get(id);
      },
      forget: () => call.forget(),
      stop: () => call.stop(),
    };
  }

  async get(id: string): Promise<Job> {
    const store = await this.#manager.store();
    return await this.#view(store, await this.#find(store, id));
  }

  async outcome(id: string): Promise<CallOutcome | undefined> {
    const store = await this.#manager.store();
    await this.#find(store, id);
    return await store.outcome(id);
  }

  async argsOf(id: string): Promise<Pick<Job, "args" | "argsMasked" | "tty">> {
    const store = await this.#manager.store();
    await this.#find(store, id);
    const kept = await store.keptCall(id);
    return kept === undefined ? {} : parseKeptCall(kept);
  }

  async list({ limit = LIST.limit, cursor, ...filter }: JobQuery = {}): Promise<JobPage> {
    const most = Math.min(Math.max(Math.floor(limit), 1), LIST.most);
    const before = cursor === undefined ? undefined : parseCursor(cursor);
    const store = await this.#manager.store();
    const found = await store.list({
      caller: isAdmin(this.#caller) ? undefined : this.#caller.name,
      limit: most + 1,
      now: Date.now(),
      ...filter,
      before,
    });
    const page = found.slice(0, most);
    const jobs = page.map((job) => this.#show(job));
    const last = found.length > most ? page.at(-1) : undefined;
    return last === undefined ? { jobs } : { jobs, nextCursor: toCursor(last.seq) };
  }

  async wait(
    id: string,
    { timeoutMs, since, untilEnd = false, signal }: JobWait,
  ): Promise<Job> {
    const store = await this.#manager.store();
    using changes = new JobChanges(store, id);
    using deadline = firstOf({ signal, timeoutMs });
    let job = await this.#find(store, id);
    const known = since ?? job.state;
    while ((untilEnd || job.state === known) && !isFinal(job.state)) {
      const end = await Promise.race([deadline.expired, changes.next()]);
      if (end === "aborted") throw signal?.reason;
      job = await this.#find(store, id);
      if (end === "timedOut") break;
    }
    return await this.#view(store, job);
  }

  async read(id: string, request: OutputRequest): Promise<OutputPart> {
    const store = await this.#manager.store();
    return await readPart(store, await this.#find(store, id), request);
  }

  async readMerged(id: string, request: MergedRequest): Promise<MergedOutput> {
    const store = await this.#manager.store();
    const find = () => this.#find(store, id);
    return await readMerged(store, await find(), { ...request, find });
  }

  async *watch(id: string, { from = JOB_START, signal }: JobWatch): AsyncGenerator<JobEvent, void> {
    const store = await this.#manager.store();
    const find = () => this.#find(store, id);
    yield* jobEvents(store, id, { find, from, signal });
  }

  async cancel(id: string): Promise<Job> {
    const store = await this.#manager.store();
    const job = await this.#findToChange(store, id, "cancel");
    const live = this.#manager.live(id);
    if (live !== undefined) {
      if (live.stop()) await this.#record("stop", job);
    } else if (job.server === undefined && await this.#manager.cancelQueued(id)) {
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

  async endStdin(id: string, bytes = new Uint8Array()): Promise<void> {
    if (bytes.length > 0) await this.writeStdin(id, bytes);
    await this.#input(id, { kind: "endStdin" }).catch((error: unknown) => {
      // A job that these bytes have ended has nothing left to close.
      const { code = "" } = error instanceof JobError && bytes.length > 0 ? error : {};
      if (!/^(JOB_NOT_RUNNING|STDIN_CLOSED)$/.test(code)) throw error;
    });
  }

  async answer(id: string, replies: Readonly<Record<string, unknown>>): Promise<void> {
    const store = await this.#manager.store();
    const job = await this.#findToFeed(store, id, "answer for");
    if (isFinal(job.state)) {
      const message = `Cannot answer for the job ${quote(id)}: it is ${job.state}`;
      throw new JobError(message, { code: "JOB_NOT_RUNNING" });
    }
    await this.#record("input", job);
    const live = this.#manager.live(id);
    const questions = (live === undefined ? job.questions : live.questions) ?? {};
    const allowed = this.#client.transport.startsWith("mcp") ? replies : Object.fromEntries(
      Object.entries(replies).filter(([key]) => isForAnyone(questions[key])),
    );
    if (live !== undefined) return live.answer(allowed);
    const bytes = encoder.encode(JSON.stringify(allowed));
    await store.send(id, { kind: "answer", bytes });
  }

  async delete(id: string): Promise<void> {
    const store = await this.#manager.store();
    const job = await this.#findOwn(store, id, "delete");
    if (!isFinal(job.state)) {
      const state = `it is ${job.state}; cancel it, and delete it once it has ended`;
      throw new JobError(`Cannot delete the job "${id}": ${state}`, { code: "JOB_NOT_ENDED" });
    }
    if (await store.remove(id)) await this.#record("delete", job);
  }

  servers(): ReturnType<JobManager["servers"]> {
    return this.#manager.servers();
  }

  async #input(id: string, command: Exclude<JobCommand, { kind: "cancel" }>): Promise<void> {
    const store = await this.#manager.store();
    const job = await this.#findToFeed(store, id, "write to");
    const refuse = (code: JobError["code"], state: string) =>
      new JobError(`Cannot write to the job "${id}": ${state}`, { code });
    if (!job.stdin) {
      throw refuse(
        "JOB_WITHOUT_STDIN",
        "it was started without stdin: true; start it again with it",
      );
    }
    if (job.state === "queued") {
      throw refuse("JOB_NOT_RUNNING", "it is queued; try again once it runs");
    }
    if (job.state !== "running") throw refuse("JOB_NOT_RUNNING", `it is ${job.state}`);
    // Looked up now: one that ends meanwhile refuses the input.
    const live = this.#manager.live(id);
    // What it writes may end the server, so this comes first.
    const amount = command.kind === "stdin" ? { bytes: command.bytes.length } : { end: true };
    await this.#record("input", job, amount);
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
    const { transport, address } = this.#client;
    const act = { job: id, tool, owner: owner === caller ? undefined : owner, ...amount };
    await this.#audit.did(kind, { ...act, transport, caller, address });
  }

  async #find(store: JobStore, id: string): Promise<StoredJob> {
    const job = await store.find(id);
    const isThere = (job?.expiresAt ?? Infinity) > Date.now();
    const { name } = this.#caller;
    if (job !== undefined && isThere && (job.caller === name || isAdmin(this.#caller))) return job;
    throw new JobError(
      `Cannot find the job ${quote(id, 64)}: it is unknown, has expired, or is another caller's; ` +
        "list the jobs to see their ids",
      { code: "JOB_NOT_FOUND" },
    );
  }

  /** One job, to change which a token needs the scope that it needs to start it. */
  async #findToChange(store: JobStore, id: string, action: string): Promise<StoredJob> {
    const job = await this.#find(store, id);
    const scope = await this.#manager.scopeOf(job.tool);
    if (includesScope(this.#caller.scopes, scope)) return job;
    const state = `the token of the caller does not have the scope ${scope}; get one that does`;
    throw new JobError(`Cannot ${action} the job ${quote(id)}: ${state}`, { code: "NOT_ALLOWED" });
  }

  /** One job of the caller itself, also if it sees those of others. */
  async #findOwn(store: JobStore, id: string, action: string): Promise<StoredJob> {
    const job = await this.#findToChange(store, id, action);
    if (job.caller === this.#caller.name) return job;
    const state = `it is of "${job.caller}", and only that caller may`;
    throw new JobError(`Cannot ${action} the job ${quote(id)}: ${state}`, { code: "NOT_ALLOWED" });
  }

  /** One job of the caller itself, to which only a caller may give input that may start its tool. */
  async #findToFeed(store: JobStore, id: string, action: string): Promise<StoredJob> {
    const job = await this.#findOwn(store, id, action);
    const caller = this.#manager.currentOf(this.#caller);
    if (mayUse(caller, job.tool)) return job;
    const rule = caller.rights?.tools.join(", ") || "none";
    const state = `its tool "${job.tool}" is not among the tools of the caller "${caller.name}"`;
    throw new JobError(`Cannot ${action} the job ${quote(id)}: ${state} (${rule})`, {
      code: "NOT_ALLOWED",
    });
  }

  async #view(store: JobStore, job: StoredJob): Promise<Job> {
    return this.#show(job, job.state === "completed" ? await store.outcome(job.id) : undefined);
  }

  #show(job: StoredJob, outcome?: CallOutcome): Job {
    const shown = { ...toJob(job, outcome), ...this.#manager.waitingOf(job.id) };
    const live = this.#manager.live(job.id);
    if (live === undefined || isFinal(job.state)) return shown;
    // What is stored may be a moment late.
    const { questions: _, ...rest } = shown;
    return { ...rest, ...withoutUnset({ questions: live.questions }) };
  }
}

/** Whether a question is not about the approval of its call. */
function isForAnyone(question: ShownQuestion | undefined): boolean {
  return question !== undefined && question.approves !== true;
}

const encoder = new TextEncoder();

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
