import { quote } from "../shared/error.ts";
import { isJsonObject } from "../shared/json.ts";
import { JobError, type ShownQuestions } from "../tool/job.ts";
import type { EndedCallRecord } from "../tool/fleet_desk.ts";
import type {
  AddressedCommand,
  Creation,
  JobCommand,
  JobEnd,
  JobRun,
  JournalEntry,
  NewJob,
  StoredJob,
} from "./job_store.ts";
import {
  type Dialect,
  Inserts,
  type LastCount,
  type Row,
  sql,
  type Statement,
  toCommand,
  toEndingText,
  toErrorText,
  toStoredJob,
  unread,
  type Work,
} from "./sql.ts";

/** How many entries of progress are kept for each job: the latest, and some older ones. */
const MOST_ENTRIES = 1_000;
/** How much input for one job may wait for the server that runs it. */
const MOST_INPUT = 1024 * 1024;

/**
 * Finds a live job of a run, and holds its row; `undefined` once the run is over, because the job has
 * ended or was taken from its server. Needs a transaction, as all that changes a job.
 */
export function* holdJob(id: string, { server, attempt }: JobRun): Work<Row | undefined> {
  const [row] = yield sql(
    "SELECT * FROM ~job WHERE id = $1 AND server = $2 AND ended IS NULL FOR UPDATE",
    id,
    server,
  );
  return Number(row?.attempt ?? 1) === attempt ? row : undefined;
}

/** The live jobs of a server, whose rows are held. */
export function* liveJobs(server: string): Work<StoredJob[]> {
  const rows = yield sql(
    "SELECT * FROM ~job WHERE server = $1 AND ended IS NULL FOR UPDATE",
    server,
  );
  return rows.map(toStoredJob);
}

/** Why a new job is not to be inserted: its key is known, or too many jobs are live. */
export function* whyNotNew(
  job: NewJob,
  maxJobs: number,
  dialect: Dialect,
): Work<Creation | undefined> {
  const known = yield* findByKey(job);
  if (known !== undefined) return known;
  if (!(yield* mayHaveMore(job, dialect))) return { kind: "full", of: "caller" };
  return (yield* makeRoom(job, maxJobs, dialect)) ? undefined : { kind: "full", of: "server" };
}

/**
 * Finds the job that the caller has started with the same key, and removes it if it has expired.
 */
function* findByKey({ caller, idempotency, createdAt }: NewJob): Work<Creation | undefined> {
  if (idempotency === undefined) return undefined;
  const [row] = yield sql(
    "SELECT * FROM ~job WHERE caller = $1 AND idempotency_key = $2",
    caller,
    idempotency.key,
  );
  if (row === undefined) return undefined;
  const job = toStoredJob(row);
  if ((job.expiresAt ?? Infinity) > createdAt) {
    return { kind: "exists", job, sameRequest: row.digest === idempotency.digest };
  }
  yield sql("DELETE FROM ~job WHERE seq = $1", job.seq);
  return undefined;
}

/** Whether the caller of a new job may have one more live job. */
function* mayHaveMore({ caller, maxOfCaller }: NewJob, dialect: Dialect): Work<boolean> {
  if (maxOfCaller === undefined) return true;
  yield dialect.lockCaller(caller);
  const [row] = yield sql(
    "SELECT count(*) AS live FROM ~job WHERE ended IS NULL AND caller = $1",
    caller,
  );
  return Number(row?.live) < maxOfCaller;
}

/**
 * The ended jobs, and how many of the same caller ended no earlier; for the caller of the new job one
 * more.
 */
const RANKED = "SELECT seq, CASE WHEN caller = $1 THEN 1 ELSE 0 END + " +
  "row_number() OVER (PARTITION BY caller ORDER BY ended DESC) AS rank " +
  "FROM ~job WHERE ended IS NOT NULL";

/**
 * Removes ended jobs until one more of a caller may be kept, those first that ended first of the
 * caller that has most; `false` if too many are live. Servers of a fleet that create jobs at the same
 * moment may keep a few more.
 */
function* makeRoom({ caller }: NewJob, maxJobs: number, dialect: Dialect): Work<boolean> {
  const { lastCount } = dialect;
  if (lastCount !== undefined && isFarFrom(maxJobs, lastCount)) {
    lastCount.kept++;
    return true;
  }
  const [row] = yield sql("SELECT count(*) AS kept FROM ~job");
  if (lastCount !== undefined) {
    Object.assign(lastCount, { kept: Number(row?.kept), at: performance.now() });
  }
  const surplus = Number(row?.kept) - maxJobs + 1;
  if (surplus <= 0) return true;
  const removed = yield sql(
    `DELETE FROM ~job WHERE seq IN (SELECT seq FROM ~job JOIN (${RANKED}) AS ranked USING (seq) ` +
      "ORDER BY rank DESC, ended LIMIT $2 FOR UPDATE OF job SKIP LOCKED) RETURNING seq",
    caller,
    surplus,
  );
  yield unread(dialect.forgetJobs(removed.map(({ seq }) => Number(seq))));
  return removed.length === surplus;
}

/** How long a count is good if there is room for so many more, which other servers may create. */
const FAR = { forMs: 1_000, share: 1 / 4, least: 100 };

function isFarFrom(maxJobs: number, { kept, at }: LastCount): boolean {
  const room = Math.max(FAR.least, maxJobs * FAR.share);
  return kept + room < maxJobs && performance.now() - at < FAR.forMs;
}

/** The statement that inserts a job, after the columns that say who runs it. */
export function toInsertJob(placeColumns: readonly string[]): string {
  const columns = [
    ...placeColumns,
    ...["id", "caller", "tool", "title", "state", "stdin", "created", "output_bytes", "events"],
    ...["idempotency_key", "digest"],
  ];
  return new Inserts("~job", columns).text(1) +
    " ON CONFLICT (caller, idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING";
}

/**
 * Inserts a queued job with the first entry of its journal; `place` says who runs it. `undefined` if
 * another transaction has just used its key.
 */
export function* insertJob(
  job: NewJob,
  place: readonly unknown[],
  dialect: Dialect,
): Work<StoredJob | undefined> {
  const [inserted] = yield sql(
    dialect.insertJob,
    ...place,
    job.id,
    job.caller,
    job.tool,
    job.title ?? null,
    "queued",
    Number(job.stdin),
    job.createdAt,
    job.outputBytes,
    1,
    job.idempotency?.key ?? null,
    job.idempotency?.digest ?? null,
  );
  const [row] = inserted === undefined
    ? yield sql("SELECT * FROM ~job WHERE id = $1", job.id)
    : [inserted];
  if (row === undefined) return undefined;
  const created = toStoredJob(row);
  const kept = job.keptCall?.();
  yield unread([
    ...(kept === undefined ? [] : [toKept(created.seq, kept)]),
    ...toEntries({ ...created, events: 0 }, [{ type: "state", state: "queued" }]),
  ]);
  return created;
}

function toKept(seq: number, kept: string): Statement {
  return ["INSERT INTO ~kept_call (job, kept) VALUES ($1, $2)", seq, kept];
}

/** Records that a queued job runs. */
export function* beginJob(job: StoredJob, startedAt: number): Work<void> {
  yield unread([[
    "UPDATE ~job SET state = 'running', started = $2, events = $3 WHERE seq = $1",
    job.seq,
    startedAt,
    job.events + 1,
  ], ...toEntries(job, [{ type: "state", state: "running" }])]);
}

/** Ends a job, in the same step as its last journal entry; its call is kept no longer. */
export function* endJob(
  job: Pick<StoredJob, "seq" | "events" | "length">,
  { state, endedAt, expiresAt, outcome }: JobEnd,
  dialect: Dialect,
): Work<void> {
  yield unread([
    [
      "UPDATE ~job SET state = $2, ended = $3, expires = $4, error = $5, ending = $6, " +
      "events = $7 WHERE seq = $1",
      job.seq,
      state,
      endedAt,
      expiresAt,
      toErrorText(outcome),
      toEndingText(outcome),
      job.events + 1,
    ],
    ["INSERT INTO ~outcome (job, outcome) VALUES ($1, $2)", job.seq, JSON.stringify(outcome)],
    ["DELETE FROM ~command WHERE job = $1", job.seq],
    ...dialect.forgetCall(job.seq),
    ...toEntries(job, [{ type: "state", state }]),
  ]);
}

/** Appends entries to the journal of a job. */
export function* addEntries(job: StoredJob, entries: readonly JournalEntry[]): Work<void> {
  if (entries.length === 0) return;
  const last = job.events + entries.length;
  yield unread([
    ["UPDATE ~job SET events = $2 WHERE seq = $1", job.seq, last],
    ...toEntries(job, entries),
  ]);
  if (last <= MOST_ENTRIES) return;
  yield unread([[
    `DELETE FROM ~journal WHERE job = $1 AND number <= $2 AND entry LIKE '{"type":"progress"%'`,
    job.seq,
    last - MOST_ENTRIES,
  ]]);
}

const JOURNAL = new Inserts("~journal", ["job", "number", "stdout", "stderr", "entry"]);

/** Statements that add entries after those that a job has; its row is to count them. */
export function toEntries(
  { seq, events, length }: Pick<StoredJob, "seq" | "events" | "length">,
  entries: readonly JournalEntry[],
): Statement[] {
  return JOURNAL.of(
    entries.map((entry, at) => [
      seq,
      events + at + 1,
      length.stdout,
      length.stderr,
      JSON.stringify(entry),
    ]),
  );
}

const ENDED_CALLS = new Inserts("~ended_call", ["id", "caller", "call"], "(id) DO NOTHING");

/** Adds calls that have ended, in the order of their ends; of all, the last ones are kept. */
export function* addEndedCalls(calls: readonly EndedCallRecord[], most: number): Work<void> {
  const rows = calls.map((call) => [call.id, call.caller, JSON.stringify(call)]);
  for (const statement of ENDED_CALLS.of(rows)) yield [statement];
  yield sql(
    "DELETE FROM ~ended_call WHERE seq IN (SELECT seq FROM ~ended_call " +
      "WHERE seq <= (SELECT max(seq) FROM ~ended_call) - $1 FOR UPDATE SKIP LOCKED)",
    most,
  );
}

/** Stores a command for the server that runs a job; throws `BUSY` if too much input waits for it. */
export function* sendCommand(id: string, command: JobCommand, dialect: Dialect): Work<void> {
  const bytes = "bytes" in command ? command.bytes : null;
  const [job] = yield sql(
    "SELECT seq, server, ended, asking FROM ~job WHERE id = $1 FOR UPDATE",
    id,
  );
  if (job === undefined || job.ended !== null) {
    const state = job === undefined ? "it was removed" : "it has ended";
    throw new JobError(`Cannot find the job ${quote(id)}: ${state}`, { code: "JOB_NOT_FOUND" });
  }
  const [row] = yield sql(
    "SELECT coalesce(sum(length(bytes)), 0) AS waiting FROM ~command WHERE job = $1",
    job.seq,
  );
  const waiting = Number(row?.waiting);
  if (waiting > 0 && waiting + (bytes?.length ?? 0) > MOST_INPUT) {
    throw new JobError(`Cannot write to the job "${id}": 1 MiB waits to be read; try later`, {
      code: "BUSY",
    });
  }
  yield sql(
    "INSERT INTO ~command (job, kind, bytes) VALUES ($1, $2, $3)",
    job.seq,
    command.kind,
    bytes,
  );
  if (command.kind === "answer" && typeof job.asking === "string") {
    const left = withoutAnswered(JSON.parse(job.asking), command.bytes);
    yield* setQuestions({ seq: Number(job.seq) }, left);
  }
  yield unread(dialect.notify("command", String(job.server)));
}

/** What a job asks its user from now on. */
export function* setQuestions(
  { seq }: Pick<StoredJob, "seq">,
  questions: ShownQuestions,
): Work<void> {
  const isAsking = Object.keys(questions).length > 0;
  const asking = isAsking ? JSON.stringify(questions) : null;
  yield unread([["UPDATE ~job SET asking = $2 WHERE seq = $1", seq, asking]]);
}

/** Nobody is asked again while the answer is on its way; its server says what remains. */
function withoutAnswered(questions: ShownQuestions, answer: Uint8Array): ShownQuestions {
  const replies: unknown = JSON.parse(new TextDecoder().decode(answer));
  if (!isJsonObject(replies)) return questions;
  return Object.fromEntries(Object.entries(questions).filter(([key]) => !(key in replies)));
}

/**
 * Removes and returns the commands for the live jobs of a server, in order; the input of the jobs in
 * `full` remains.
 */
export function* takeCommands(
  server: string,
  full: ReadonlySet<string>,
): Work<AddressedCommand[]> {
  const rows = yield sql(
    `DELETE FROM ~command WHERE seq IN (SELECT command.seq ${commandsFor(full)}) ` +
      "RETURNING seq, (SELECT id FROM ~job WHERE job.seq = command.job) AS id, kind, bytes",
    server,
    ...full,
  );
  return rows.toSorted((a, b) => Number(a.seq) - Number(b.seq)).map(toCommand);
}

/** The commands of a server that can be taken; its id is the first value, those of `full` follow. */
export function commandsFor(full: ReadonlySet<string>): string {
  const ids = Array.from(full, (_, at) => `$${at + 2}`).join(", ");
  return "FROM ~command JOIN ~job ON job.seq = command.job WHERE server = $1 AND ended IS NULL" +
    (full.size === 0 ? "" : ` AND (kind IN ('cancel', 'answer') OR id NOT IN (${ids}))`);
}
