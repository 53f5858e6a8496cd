import type { OutputStream, TerminalSize } from "../tool/command.ts";
import type { FleetServer, Job, JobFailure, JobState, ShownQuestions } from "../tool/job.ts";
import type { EndedCalls } from "../calls/call_history.ts";
import type { CallOutcome, ProgressUpdate } from "../tool/result.ts";
import type { CallEnding, EndingKind } from "../tool/ending.ts";

/** What is known of a job when it is created. */
export interface NewJob {
  readonly id: string;
  readonly tool: string;
  /** What it does, for people; absent for a job of an older version. */
  readonly title?: string;
  /** Name of the caller that started it. */
  readonly caller: string;
  readonly stdin: boolean;
  /** Makes the text that is kept of its call, once the job is stored. */
  readonly keptCall?: () => string;
  /** When it was created; all times are in milliseconds since 1970. */
  readonly createdAt: number;
  /** Most bytes kept of each stream. */
  readonly outputBytes: number;
  /** Most live jobs of its caller, on all servers of the store. @default {any number} */
  readonly maxOfCaller?: number;
  /** Finds the job again if the same caller sends the key again. */
  readonly idempotency?: {
    readonly key: string;
    /** Digest of tool and arguments: the same key with another one is rejected. */
    readonly digest: string;
  };
}

/** A job as it is stored. */
export interface StoredJob extends Omit<NewJob, "idempotency" | "keptCall" | "maxOfCaller"> {
  /** Position in the order of creation, over all callers. */
  readonly seq: number;
  readonly state: JobState;
  /** Identity of the server that runs it; absent while none has taken it. */
  readonly server: string | undefined;
  /** Name of that server, where servers have names. */
  readonly serverName?: string;
  /** Which run it is, from 1, where a job may be started again. */
  readonly attempt?: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly expiresAt?: number;
  /** Length of each stream so far. */
  readonly length: Readonly<Record<OutputStream, number>>;
  /** How many entries its journal has had. */
  readonly events: number;
  readonly error?: JobFailure;
  /** What its result says, if it has one. */
  readonly ending?: CallEnding;
  /** What the server that has taken it waits for before it begins, where others can't know. */
  readonly waiting?: Job["waiting"];
  /** What it asks its user. */
  readonly questions?: ShownQuestions;
}

/** Which run of a job writes: the server that it belongs to, and how often it was started, from 1. */
export interface JobRun {
  readonly server: string;
  readonly attempt: number;
}

/** The result of creating a job. */
export type Creation =
  | { readonly kind: "created"; readonly job: StoredJob }
  /** The caller has used the key before; `sameRequest` says whether for the same call. */
  | { readonly kind: "exists"; readonly job: StoredJob; readonly sameRequest: boolean }
  /** As many jobs are live as may be: as many as are kept, or as the caller may have. */
  | { readonly kind: "full"; readonly of: "server" | "caller" };

/** The end of a job. */
export interface JobEnd {
  readonly state: Exclude<JobState, "queued" | "running">;
  readonly endedAt: number;
  readonly expiresAt: number;
  readonly outcome: CallOutcome;
}

/** Output and progress of a run that are not stored yet when it ends. */
export interface LastWrites {
  readonly pieces: readonly OutputPiece[];
  readonly switches: readonly MarkedPlace[];
  readonly entries: readonly JournalEntry[];
}

/** The end of the live jobs of a server that is gone. */
export interface OrphanEnd extends Omit<JobEnd, "state" | "outcome"> {
  /** Creates the outcome of a job, from the state in which it was. */
  readonly outcomeOf: (state: JobState) => CallOutcome;
}

/** A server that is gone, and what it left. */
export interface GoneServer {
  /** Its identity. */
  readonly server: string;
  /** The marks of the lost jobs that had begun: processes of theirs may be left. */
  readonly begun: readonly string[];
}

/** Which jobs are listed, the newest first. */
export interface StoreQuery {
  /** Name of the caller whose jobs are listed; `undefined` lists those of all callers. */
  readonly caller: string | undefined;
  readonly state?: JobState;
  readonly outcome?: EndingKind;
  readonly tool?: string;
  readonly search?: string;
  readonly limit: number;
  /** Only jobs that were created before the one with this `seq`. */
  readonly before?: number;
  /** Jobs that have expired by then are left out. */
  readonly now: number;
}

/** An entry of a job's journal. Its number counts from 1. */
export type JournalEntry =
  | { readonly type: "state"; readonly state: JobState }
  | { readonly type: "progress"; readonly update: ProgressUpdate };

/** An entry with its number, and the length of each stream when it was made. */
export interface NumberedEntry {
  readonly number: number;
  readonly length: Readonly<Record<OutputStream, number>>;
  readonly entry: JournalEntry;
}

/** A piece of output, and where it belongs. */
export interface OutputPiece {
  readonly stream: OutputStream;
  /** Offset of its first byte, which is the length of the stream before it. */
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/** A position in both streams. */
export type OutputPlace = Readonly<Record<OutputStream, number>>;

/** A place where one stream goes on after the other one, or of which it is known when it was reached. */
export interface MarkedPlace extends OutputPlace {
  /** When the output after it came, in milliseconds since 1970; absent if an older version stored it. */
  readonly at?: number | undefined;
}

/** What any server asks of the one that runs a job. */
export type JobCommand =
  | { readonly kind: "cancel" }
  | { readonly kind: "stdin"; readonly bytes: Uint8Array }
  | { readonly kind: "endStdin" }
  /** Replies to questions by key, as JSON. */
  | { readonly kind: "answer"; readonly bytes: Uint8Array };

/** A command for a job of this server. */
export interface AddressedCommand {
  readonly id: string;
  readonly command: JobCommand;
}

/**
 * Keeps jobs and their output beyond the server that runs them. Several servers may share a store:
 * each job belongs to the server that created it, and only that one changes it. What changes a job
 * resolves with `false`, and changes nothing, if the job is final or no longer this server's: the
 * caller then stops what it does for the job. Rejects with a `JobError` (`JOBS_UNAVAILABLE`) if the
 * store fails.
 */
export interface JobStore extends EndedCalls {
  /** Identity of this server in the store. */
  readonly server: string;
  /** Output of each job that waits in memory before its commands do. @default {65_536} */
  readonly heldBytes?: number;
  /**
   * Creates a queued job. If `maxJobs` are kept, the oldest final ones of the caller that has most
   * make room.
   */
  create(job: NewJob, maxJobs: number): Promise<Creation>;
  /** One job, or `undefined`. */
  find(id: string): Promise<StoredJob | undefined>;
  /** The text that is kept of the call of a job, or `undefined`. */
  keptCall(id: string): Promise<string | undefined>;
  /** How a job ended, or `undefined` if it has not. */
  outcome(id: string): Promise<CallOutcome | undefined>;
  /** Some jobs, newest first. */
  list(query: StoreQuery): Promise<StoredJob[]>;
  /** Records that a queued job runs; by default, as in what follows, it is the first run here. */
  begin(id: string, startedAt: number, run?: JobRun): Promise<boolean>;
  /**
   * Appends output; a piece that is already there is not repeated. `switches` are the places in it at
   * which one stream goes on after the other one, or whose time is known; none by default.
   */
  append(
    id: string,
    pieces: readonly OutputPiece[],
    run?: JobRun,
    switches?: readonly MarkedPlace[],
  ): Promise<boolean>;
  /** The marked places from a place on; in order, at most 20,000. */
  switches(id: string, after: OutputPlace): Promise<MarkedPlace[]>;
  /** Appends to the journal of a job. */
  note(id: string, entries: readonly JournalEntry[], run?: JobRun): Promise<boolean>;
  /** Says what a job asks its user; it asks nothing once it has ended. */
  ask(id: string, questions: ShownQuestions, run?: JobRun): Promise<boolean>;
  /** Ends a job, in the same step as its last journal entry and what is yet to be written of its run. */
  end(id: string, end: JobEnd, run?: JobRun, rest?: LastWrites): Promise<boolean>;
  /** Bytes of a stream from `from` up to `to` that are kept, in order; those of the gap are missing. */
  read(id: string, stream: OutputStream, bounds: { from: number; to: number }): Promise<
    OutputPiece[]
  >;
  /** The journal after the first `after` entries; the oldest progress may be missing. */
  journal(id: string, after: number): Promise<NumberedEntry[]>;
  /** Removes a final job with its output; `false` if it is live or there is none. */
  remove(id: string): Promise<boolean>;
  /** Removes the jobs that have expired by then; resolves with their number. */
  removeExpired(now: number): Promise<number>;
  /** Leaves a command for the server that runs a job. */
  send(id: string, command: JobCommand): Promise<void>;
  /**
   * Takes the commands for jobs of this server, in order; of jobs whose input is `full`, only those
   * that are no input.
   */
  takeCommands(full?: ReadonlySet<string>): Promise<AddressedCommand[]>;
  /**
   * Calls back after each change of a job, by this server or another one, until disposed of. A change
   * by another server is reported within a second; without an id, any job may have changed.
   */
  onChange(listener: (id: string | undefined) => void): Disposable;
  /**
   * Marks the live jobs of servers that are gone as lost. Resolves with these servers, which are
   * reported again until `forgetServer()`.
   */
  loseOrphans(end: OrphanEnd): Promise<GoneServer[]>;
  /** Forgets a server that is gone: nothing of it is left. */
  forgetServer(server: string): Promise<void>;
  /** Makes the store a little smaller; call it regularly, and again until it resolves with `true`. */
  tidy(): Promise<boolean>;
  /** Releases the store; the jobs of this server must have ended. */
  close(): Promise<void>;
}

/** What any server needs to run the call of a job. */
export interface StoredCall {
  readonly args: unknown;
  readonly meta?: Readonly<Record<string, unknown>>;
  /** The scopes of the caller's token; its other rights are those that the server knows. */
  readonly scopes?: readonly string[];
  /** Whether its result is bounded as the answer of a call over MCP. @default {false} */
  readonly asAnswer?: boolean | undefined;
  /** The terminal of its first command. @default {none} */
  readonly terminal?: TerminalSize | undefined;
}

/** Where a job waits, and what runs then. */
export interface Dispatch {
  readonly route: string;
  /** How often it is started again if the server that runs it is gone. */
  readonly retries: number;
  readonly call: StoredCall;
}

/** A job that this server has taken and runs from now on. */
export interface TakenJob {
  readonly job: StoredJob;
  readonly call: StoredCall;
  /** Whether it may be started once more, and so be given back. */
  readonly isRepeatable: boolean;
}

/** A job that can't be taken from its queue, because of what the store has of it. */
export interface BrokenJob {
  readonly id: string;
  /** Why. */
  readonly reason: string;
}

/** Another server that shares the store. */
export interface Peer {
  /** Its identity in the store, which is new after each start. */
  readonly id: string;
  readonly name: string;
}

/** How servers that share a store reach each other. */
export interface Messages {
  /** Identity of this server. */
  readonly server: string;
  /** How long a question and its answer take at most, in milliseconds, if both servers are well. */
  readonly answersWithinMs: number;
  /** The other servers that are alive, by name. */
  peers(): Promise<Peer[]>;
  /** Leaves a message for servers; it may get lost, and nobody gets it after 10 s. */
  post(servers: readonly string[], message: string): Promise<void>;
  /** Leaves a message for a server that looks for it; it is as uncertain. */
  reply(server: string, message: string): Promise<void>;
  /** Looks for messages that were left without a notification. */
  lookForMessages(): void;
  /** Calls back with each message for this server, until disposed of. */
  onMessage(listener: (message: string) => void): Disposable;
}

/** A store that passes jobs on to the servers that share it. */
export interface FleetStore extends JobStore, Messages {
  /** Creates a queued job that whichever server takes from a queue. */
  dispatch(job: NewJob, dispatch: Dispatch, maxJobs: number): Promise<Creation>;
  /** Whether any server has ever taken jobs from a queue. */
  hasRoute(route: string): Promise<boolean>;
  /**
   * Takes the jobs that have waited longest, at most so many; they run from now on. One that can't be
   * taken ends as `endOf` says, and leaves the queue to the others.
   */
  take(most: number, endOf: (broken: BrokenJob) => JobEnd): Promise<TakenJob[]>;
  /** Takes no more jobs, and tells the other servers so. */
  stopTaking(): void;
  /** Calls back when there may be jobs to take, until disposed of. */
  onWork(listener: () => void): Disposable;
  /** Lets others take the jobs for which this server was woken, as it has no room for them. */
  passOn(): Promise<void>;
  /** Calls back if this server was taken for gone: its jobs are no longer its own. */
  onLost(listener: () => void): Disposable;
  /**
   * Queues a job that runs here for another server, as if this run had not begun, or ends it as
   * `cancelled` if that was asked for; `false` if it is no longer this server's.
   */
  giveBack(job: StoredJob, cancelled: JobEnd): Promise<boolean>;
  /** Says what a job of this server waits for before it begins; `undefined` once it does not. */
  setWaiting(job: StoredJob, waiting: Job["waiting"]): Promise<void>;
  /** Ends a job that no server has taken; `false` if one has, or it is final. */
  endQueued(id: string, end: JobEnd): Promise<boolean>;
  /**
   * Finds the jobs that belong to this server in the store, but not to any of these ids, for 30 s before
   * the end: their transaction was committed, but the answer got lost. Ends them as lost, or queues them
   * again.
   */
  reclaim(ids: ReadonlySet<string>, end: OrphanEnd): Promise<void>;
  /** The servers that are alive. */
  servers(): Promise<FleetServer[]>;
}

/** Whether a store passes jobs on. */
export function isFleet(store: JobStore): store is FleetStore {
  return "dispatch" in store;
}
