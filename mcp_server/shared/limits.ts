/** The limits of calls; every number is checked when the server starts. */
export interface Limits {
  /** Default time-out of a command, in milliseconds. */
  readonly timeoutMs: number;
  /** Longest time-out that a call may request, in milliseconds; more is refused. */
  readonly maxTimeoutMs: number;
  /** Default number of bytes kept of each output stream of a command. */
  readonly outputBytes: number;
  /** Most bytes of each output stream that a call may request; more is clamped. */
  readonly maxOutputBytes: number;
  /** Largest answer of a call as JSON text, in characters. */
  readonly maxResultBytes: number;
  /** Longest text in an answer over MCP unless the call asks for more, in bytes. */
  readonly textBytes: number;
  /** Largest file, or part of one, that a call reads, in bytes. */
  readonly maxFileBytes: number;
  /** Largest file that `ssh-copy` copies, in bytes. */
  readonly maxCopyBytes: number;
  /** Largest body of an HTTP request, or message of MCP over stdio, in bytes. */
  readonly maxBodyBytes: number;
  /** Concurrent HTTP connections; further clients wait. */
  readonly maxConnections: number;
  /** How long a client may take to send the headers of its first request, in milliseconds. */
  readonly headerTimeoutMs: number;
  /** How long a client may pause within a request body, in milliseconds. */
  readonly bodyTimeoutMs: number;
  /** How long a client may pause reading its response, in milliseconds. */
  readonly sendTimeoutMs: number;
  /** How long a client may keep an unused connection, in milliseconds. */
  readonly idleTimeoutMs: number;
  /** Commands that run at once. */
  readonly maxRuns: number;
  /** Commands that wait for a permit; one more is rejected as busy. */
  readonly maxQueue: number;
  /** Concurrent tool calls, with and without a command; one more is rejected as busy. */
  readonly maxCalls: number;
  /** How long a call waits for approval, in milliseconds. */
  readonly approvalMs: number;
  /** How long an MCP call runs before it becomes a task, in milliseconds. */
  readonly taskAfterMs: number;
  /** Longest time-out that a job may request, in milliseconds; more is refused. */
  readonly maxJobTimeoutMs: number;
  /** Bytes kept of each output stream of a job: the first sixteenth, and the latest. */
  readonly jobOutputBytes: number;
  /** How long a job is kept after its end, in milliseconds. */
  readonly jobTtlMs: number;
  /** Jobs that are kept; the oldest ended ones of the caller that has most make room for new ones. */
  readonly maxJobs: number;
  /** Memory of the arguments of jobs that wait, in bytes; each caller may take half of it. */
  readonly maxJobArgsBytes: number;
  /** How long running calls and jobs may go on once the server is to stop, in milliseconds. */
  readonly drainMs: number;
  /** How long the server listens then at least, as far as `drainMs` allows, in milliseconds. */
  readonly drainNoticeMs: number;
  /** How long a tool module may take to load, in milliseconds. */
  readonly toolLoadMs: number;
}

const KIB = 1024;
const MIB = 1024 * KIB;
const DAY_MS = 86_400_000;

/** The default of a limit, its range, what it limits, and the same for `docs/settings.md`. */
type LimitRow = readonly [
  fallback: number | ((cores: number) => number),
  min: number,
  max: number,
  about: string,
  page?: string,
];

/** Each limit, in the order in which `--help` lists them. */
const ROWS: Readonly<Record<keyof Limits, LimitRow>> = {
  timeoutMs: [30_000, 1, 86_400_000, "default time-out of a command, ms"],
  maxTimeoutMs: [600_000, 1, 86_400_000, "longest time-out a call may request, ms"],
  outputBytes: [128 * KIB, 1_024, 256 * MIB, "bytes kept of each output stream"],
  maxOutputBytes: [16 * MIB, 1_024, 256 * MIB, "most output bytes a call may request"],
  maxResultBytes: [32 * MIB, 1_024, 128 * MIB, "largest answer of a call as JSON text"],
  textBytes: [
    32 * KIB,
    KIB,
    16 * MIB,
    "longest text over MCP by default, bytes",
    "longest text in an answer [over MCP](answers.md) unless the call asks for more",
  ],
  maxFileBytes: [4 * MIB, 1_024, 64 * MIB, "largest part of a file a call reads, bytes"],
  maxCopyBytes: [
    16 * 1_024 * MIB,
    KIB,
    1_024 * 1_024 * MIB,
    "largest file that ssh-copy copies, bytes",
    "largest file that [ssh-copy](ssh-copy.md) copies",
  ],
  maxBodyBytes: [4 * MIB, 1_024, 256 * MIB, "largest HTTP body or message on stdin, bytes"],
  maxConnections: [1_000, 1, 65_536, "concurrent HTTP connections; others wait"],
  headerTimeoutMs: [15_000, 100, 3_600_000, "time limit for the first request's headers, ms"],
  bodyTimeoutMs: [60_000, 100, 3_600_000, "longest pause within a request body, ms"],
  sendTimeoutMs: [60_000, 100, 3_600_000, "longest pause in reading a response, ms"],
  idleTimeoutMs: [75_000, 100, 3_600_000, "how long an idle connection is kept, ms"],
  maxRuns: [
    (cores) => Math.max(8, 4 * cores),
    1,
    4_096,
    "commands running at once",
    "commands running at once (8, or 4 per core)",
  ],
  maxQueue: [64, 0, 65_536, "commands waiting to run"],
  maxCalls: [256, 1, 65_536, "concurrent tool calls"],
  approvalMs: [
    600_000,
    100,
    DAY_MS,
    "how long a call waits for approval, ms",
    "how long a call waits for [approval](approval.md)",
  ],
  taskAfterMs: [
    3_000,
    0,
    3_600_000,
    "how long an MCP call runs until it is a task, ms",
    "how long an MCP call of a client that knows [tasks](tasks.md) runs before it is one",
  ],
  maxJobTimeoutMs: [
    DAY_MS,
    1,
    7 * DAY_MS,
    "longest time-out a job may request, ms",
    "longest time-out a [job](jobs.md) may request",
  ],
  jobOutputBytes: [16 * MIB, KIB, 1_024 * MIB, "bytes kept of each output stream of a job"],
  jobTtlMs: [7 * DAY_MS, 1_000, 30 * DAY_MS, "how long a job is kept after its end, ms"],
  maxJobs: [
    1_000,
    1,
    100_000,
    "jobs that are kept",
    "jobs that are kept; ended ones of the caller that has most make room",
  ],
  maxJobArgsBytes: [
    64 * MIB,
    KIB,
    16 * 1_024 * MIB,
    "memory of waiting jobs' arguments, bytes",
    "memory of [waiting jobs'](jobs.md#permits-and-time-outs) arguments; half for each caller",
  ],
  drainMs: [
    0,
    0,
    7 * DAY_MS,
    "how long calls and jobs may go on after SIGTERM, ms",
    "how long calls and jobs may go on after SIGTERM; see [rolling restarts](fleet.md#rolling-restarts)",
  ],
  drainNoticeMs: [
    3_000,
    0,
    600_000,
    "how long it listens then at least, ms",
    "how long it listens then at least, with 503 on `/readyz`, for load balancers to notice",
  ],
  toolLoadMs: [10_000, 100, 600_000, "how long a tool module may take to load, ms"],
};

/** One limit as the operator sets it. */
interface LimitSetting {
  readonly key: keyof Limits;
  readonly env: string;
  readonly flag: string;
  readonly min: number;
  readonly max: number;
  readonly about: string;
  readonly page?: string;
}

/** How each limit is set. */
export const LIMIT_SETTINGS: readonly LimitSetting[] = Object.freeze(
  (Object.keys(ROWS) as (keyof Limits)[]).map((key) => {
    const [, min, max, about, page] = ROWS[key];
    const flag = key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const env = `MCP_${flag.replaceAll("-", "_").toUpperCase()}`;
    return Object.freeze({ key, env, flag, min, max, about, page });
  }),
);

/** The default limits of a server; `cores` is the number of processors. */
export function defaultLimits(cores: number): Limits {
  const limits = LIMIT_SETTINGS.map(({ key }) => {
    const [fallback] = ROWS[key];
    return [key, typeof fallback === "number" ? fallback : fallback(cores)] as const;
  });
  return Object.freeze(Object.fromEntries(limits) as Record<keyof Limits, number>);
}

/** How many hosts of one `ssh-exec` call are worked on at once: a setting of that tool alone. */
export const SSH_PARALLEL = Object.freeze({
  env: "MCP_SSH_PARALLEL",
  flag: "ssh-parallel",
  fallback: 16,
  min: 1,
  max: 256,
});

/** Whether commands run in control groups: `auto` where that is possible. */
export type ContainmentMode = "off" | "auto" | "required";

/** What one command, with all processes that it starts, may use; without a number, all there is. */
export interface CommandLimits {
  /** Memory in bytes, with the files that it has in memory; beyond it, the command is ended. */
  readonly memoryBytes?: number;
  /** Processes and threads that exist at once. */
  readonly pids?: number;
  /** Processors, such as 0.5. */
  readonly cpu?: number;
}

/** How the server finds all processes of a command that it stops. */
export interface ContainmentState {
  /** By the control group of the command, or only by a variable in their environment. */
  readonly by: "cgroup" | "variable";
  /** Why there are no control groups. */
  readonly reason?: string;
  /** The folder with the groups of all servers. */
  readonly folder?: string;
  /** What one command may use, if that is limited. */
  readonly limits?: CommandLimits;
}
