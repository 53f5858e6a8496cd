import type { SecretMask } from "../../access/secret_mask.ts";
import {
  clamp,
  fitOutputs,
  goOnAsJob,
  outputBoundsOf,
  ResultBudget,
  toEndedCommand,
  withJobOfRest,
  withTimeoutHint,
} from "../../tool/command_output.ts";
import type { OutputEvent } from "../../tool/command.ts";
import type { KeptJob } from "../../tool/job_service.ts";
import type { ToolContext, ToolExtra } from "../../tool/tool.ts";
import { runRemote } from "./remote_command.ts";
import type { Connection } from "./connection.ts";
import type { RemotePlace } from "./exec_line.ts";
import {
  NOT_RUN,
  type OutputListener,
  type RemoteOutput,
  type RemoteResult,
  type RemoteRun,
} from "./remote_output.ts";
import {
  type HostError,
  type HostLogin,
  onHosts,
  type SshCall,
  type SshHost,
  type SshService,
  useSshService,
} from "./ssh_service.ts";

/** The commands of a call for one host. */
export interface HostCommands extends HostLogin, RemotePlace {
  /** The commands for the login shell, in order. */
  readonly commands: readonly string[];
  /** Names of secrets that each command gets as variables. @default {none} */
  readonly secrets?: readonly string[] | undefined;
  /** The standard input of each command, followed by its end. @default {none} */
  readonly stdin?: string | undefined;
  /** Whether the commands after one that fails or times out are left out. @default {false} */
  readonly stopOnError?: boolean | undefined;
}

/** The results of one host's commands. */
export type HostResult = {
  /** The host as the call writes it. */
  host: string;
  /** The account that was used. */
  username: string;
  /** One result for each command, in order; none for those that `stopOnError` leaves out. */
  results: RemoteResult[];
  /** How many commands `stopOnError` left out, if any. */
  leftOut?: number;
  /** Why the host failed, if it did. */
  error?: HostError;
};

/** The limits that a call may set for each of its commands. */
export interface SshOptions {
  /** Time-out of each command in milliseconds, clamped to the server's limit. @default {30_000} */
  readonly timeoutMs?: number;
  /** Bytes kept of each output stream, clamped to the server's limit. @default {131_072} */
  readonly maxOutputBytes?: number;
  /** Lets the call go on as a job when the time-out of a command is over. @default {it is stopped} */
  readonly onTimeout?: "job" | undefined;
}

/**
 * Runs the commands of one call on its hosts; on none of them if one, or a secret, is not allowed to
 * the caller.
 */
export type SshRunner = (
  connections: readonly HostCommands[],
  extra: Pick<
    ToolExtra,
    | "caller"
    | "signal"
    | "output"
    | "limits"
    | "commands"
    | "secrets"
    | "job"
    | "answerBounds"
    | "commandEnded"
  >,
  options?: SshOptions,
) => Promise<HostResult[]>;

/** How the commands of one call are run. */
interface RunCall extends SshCall {
  /** The variables of the secrets that each host's commands get. */
  readonly secretEnvs: ReadonlyMap<HostCommands, Readonly<Record<string, string>>>;
  readonly mask: SecretMask | undefined;
  /** The time-out that the call asks for. */
  readonly asked: number | undefined;
  readonly timeoutMs: number;
  readonly maxTimeoutMs: number;
  /** What there is of each host whose work has begun. */
  readonly begun: Map<HostCommands, BegunHost>;
  /** Lets the call go on as a job; resolves with the reason why it can't. */
  readonly goOn: (() => Promise<string | undefined>) | undefined;
  readonly extra: Parameters<SshRunner>[1];
  /** Bytes kept of each output stream. */
  readonly limit: number;
  /** How much of the answer the outputs of all commands may take. */
  readonly budget: ResultBudget;
  readonly onOutput: (event: OutputEvent) => void | Promise<void>;
}

/** What tools use once it is called, see `createSshRunner()` of `ssh_functions.ts`. */
export function createSshRunner(context: ToolContext): SshRunner {
  const { limits, log } = context;
  const service = useSshService(context);
  return async (connections, extra, options = {}) => {
    const { commands, caller, signal, secrets } = extra;
    const { timeoutMs, maxOutputBytes, onTimeout } = options;
    const { outputBytes, characters } = outputBoundsOf(maxOutputBytes, extra, limits);
    // At any time, hosts keep at most twice the largest answer.
    const atOnce = Math.max(1, Math.min(connections.length, service.settings.parallel));
    const count = connections.reduce((sum, { commands }) => sum + commands.length, 0);
    const begun: RunCall["begun"] = new Map();
    const toAnswer = (job: KeptJob) => ({ results: toResultsSoFar(connections, call), job });
    const call: RunCall = {
      commands,
      begun,
      extra,
      asked: timeoutMs,
      goOn: onTimeout && (() => goOnAsJob(extra, toAnswer)),
      lookup: service.config.forCall({ commands, signal }),
      timeoutMs: clamp(timeoutMs, extra.limits.timeoutMs, extra.limits.maxTimeoutMs),
      maxTimeoutMs: extra.limits.maxTimeoutMs,
      limit: Math.min(outputBytes, Math.floor(limits.maxResultBytes / atOnce)),
      budget: new ResultBudget(characters, count, KEYS),
      secretEnvs: new Map(connections.map((one) => [one, secrets.env(one.secrets, one.env)])),
      mask: secrets.mask,
      caller,
      signal,
      log,
      onOutput: (event) => extra.output(event),
    };
    const run = (host: SshHost, request: HostCommands) => runOn(host, request, service, call);
    return withJobOfHosts(await onHosts(connections, service, call, run), extra);
  };
}

/** What there is of a host: the results of commands that have ended, and the one that runs. */
interface BegunHost {
  readonly host: SshHost;
  readonly results: readonly RemoteResult[];
  running?: RemoteOutput | undefined;
}

/** The results of a call that goes on: commands that have not begun have none. */
function toResultsSoFar(
  connections: readonly HostCommands[],
  { begun, budget }: RunCall,
): object[] {
  const running = [...begun.values()].filter(({ running }) => running !== undefined).length;
  const most = Math.floor(budget.next / Math.max(1, running));
  return connections.map((request) => {
    const { host, results = [], running } = begun.get(request) ?? {};
    const { host: name, username = "" } = request;
    const login = { host: name, username: host?.username ?? username };
    if (running === undefined) return { ...login, results };
    const { truncated, ...output } = fitOutputs(running, most);
    const last = { ...output, ...(truncated && { truncated }), timedOut: false, running: true };
    return { ...login, results: [...results, last] };
  });
}

/** Names the job that has the whole output wherever a part of it is left out. */
async function withJobOfHosts(
  hosts: readonly HostResult[],
  extra: Pick<ToolExtra, "job">,
): Promise<HostResult[]> {
  const named = await withJobOfRest(hosts.flatMap(({ results }) => results), extra);
  return hosts.map((host) => ({ ...host, results: named.splice(0, host.results.length) }));
}

/** Whether a command began on its host, as far as that is known. */
function wasRun({ result, fault }: RemoteRun): boolean {
  return fault === undefined || result.stopped !== undefined;
}

/** What the keys of a result take, with those of its host: calls may have results of many hosts. */
const KEYS = 128;

/** Runs the commands of one host, in order. */
async function runOn(
  host: SshHost,
  request: HostCommands,
  { late }: SshService,
  call: RunCall,
): Promise<HostResult> {
  const { commands, cwd, env, stdin, stopOnError = false } = request;
  const secretEnv = call.secretEnvs.get(request);
  const { asked: timeoutMs, goOn, extra } = call;
  const results: RemoteResult[] = [];
  const begun: BegunHost = { host, results };
  call.begun.set(request, begun);
  const runOne = async (connection: Connection, text: string, command: number) => {
    const onOutput: OutputListener = (event) =>
      call.onOutput({ ...event, host: request.host, command });
    let refusal: string | undefined;
    const goesOn = goOn && (async () => (refusal = await goOn()) === undefined);
    const onBegin = (output: RemoteOutput) => begun.running = output;
    const own = { late, cwd, env, secretEnv, stdin, onOutput, onBegin, goesOn };
    const run = await runRemote(connection, text, { ...call, ...own }).catch((error) => {
      if (error === call.signal.reason) extra.commandEnded({ end: "stopped", exitCode: undefined });
      throw error;
    });
    if (wasRun(run)) extra.commandEnded(toEndedCommand(run.result));
    begun.running = undefined;
    return { ...run, result: withTimeoutHint(run.result, { timeoutMs, refusal, extra }) };
  };
  const error = await host.connect(async (link) => {
    for (const [at, text] of commands.entries()) {
      call.signal.throwIfAborted();
      const { result, fault } = await link.attempt((connection) => runOne(connection, text, at));
      results.push(result);
      if (result.stopped !== undefined && result.stopped !== true) link.connection.close();
      if (fault !== undefined) throw fault;
      if (stopOnError && (result.exitCode !== 0 || result.timedOut)) return;
    }
  });
  const done = { host: request.host, username: host.username };
  const left = commands.length - results.length;
  if (error === undefined) return { ...done, results, ...(left > 0 ? { leftOut: left } : {}) };
  return { ...done, results: [...results, ...Array<RemoteResult>(left).fill(NOT_RUN)], error };
}
