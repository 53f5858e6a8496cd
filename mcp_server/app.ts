import { type Access, openAccess } from "./app/open_access.ts";
import { type LoadedTools, loadTools } from "./app/load_tools.ts";
import { createFleet, createJobs } from "./app/create_jobs.ts";
import { hostName, joinFleet, recoverJobs } from "./app/open_job_store.ts";
import { type Logs, openLogs, reportLate } from "./app/open_logs.ts";
import type { CallerDirectory } from "./access/watched_callers.ts";
import { type Config, ConfigError } from "./settings/config.ts";
import type { JobHost, LoadReport, Meter, ReloadTools, ToolService } from "./tool/service.ts";
import type { StartMessageSpan, Tracing } from "./tool/tracing.ts";
import type { ApprovalDesk, CallHistory, FleetDesk, LiveCalls } from "./tool/fleet_desk.ts";
import type { Caller } from "./access/caller.ts";
import type { ContainmentState, Limits } from "./shared/limits.ts";
import { firstOf, within } from "./shared/concurrency.ts";
import { messageOf } from "./shared/error.ts";
import type { Log } from "./shared/log.ts";
import { matchesWildcard } from "./shared/wildcard.ts";
import type { ApprovalRules } from "./calls/approvals.ts";
import { CallDispatcher } from "./calls/call_dispatcher.ts";
import { type Containment, openContainment } from "./run/containment.ts";
import { createJobHost } from "./jobs/caller_jobs.ts";
import type { JobManager } from "./jobs/job_manager.ts";
import { KeptCalls } from "./jobs/kept_calls.ts";
import { LoopLag, ServerMeter } from "./calls/server_meter.ts";
import { endFormer } from "./run/end_processes.ts";
import { createCommandRunner } from "./run/command_runner.ts";
import { VERSION } from "./version.ts";

export type { LoadReport, ReloadReport, ReloadTools } from "./tool/service.ts";

/** The server's parts, connected; it serves once a transport is opened. */
export interface App {
  /** The server's own log. */
  readonly log: Log;
  /** Lists the tools and carries out calls. */
  readonly service: ToolService;
  /** The calls that run, with the runs of jobs. */
  readonly calls: LiveCalls;
  /** The calls that have ended, and what the server did. */
  readonly history: CallHistory;
  /** The calls that wait for approval. */
  readonly approvals: ApprovalDesk;
  /** The calls, the approvals and the health of all servers that share the jobs. */
  readonly fleet: FleetDesk;
  /** Starts jobs, which outlive the call and the connection, and reaches them. */
  readonly jobs: JobHost;
  /** The limits of calls. */
  readonly limits: Limits;
  /** Counts what the server does. */
  readonly meter: Meter;
  /** How long clients may keep the list of tools, in milliseconds. */
  readonly listTtlMs: number;
  /** The callers of the callers file as it is now; absent without one. */
  readonly callers?: CallerDirectory;
  /** The caller of `MCP_TOKEN`, and of a server without tokens. */
  readonly defaultCaller: Caller;
  /** The caller of a client over stdio, with the rights that it has by now. */
  readonly stdioCaller: Caller;
  /** The result of loading each tool file; one that comes with the server is loaded once it is used. */
  readonly reports: readonly LoadReport[];
  /** Whether commands run in control groups. */
  readonly containment: ContainmentState;
  /** Resolves with the reason why jobs can't be kept, or `undefined` if they can. */
  checkJobs(): Promise<string | undefined>;
  /**
   * Reopens the audit file, for example after logrotate has renamed it. Never rejects: if that
   * fails, the old file is kept and the log says why. Does nothing without an audit file.
   */
  reopenAudit(): Promise<void>;
  /**
   * Loads tools again whose file or whose relative import has changed, in the folders of the config;
   * the built-in tools stay as they are. Running calls keep the tool that they began with, and a
   * module that can't be used leaves the old tool in place. Rejects if a folder can't be read.
   */
  readonly reloadTools: ReloadTools;
  /** Calls a listener after each reload that changed a definition, until it is disposed of. */
  readonly onToolsChanged: (listener: () => void) => Disposable;
  /** Begins the span of a message of MCP that calls no tool, if calls are traced. */
  readonly startMessage?: StartMessageSpan | undefined;
  /**
   * Records in the audit that a request was rejected before it reached a tool: its code, the address
   * of its client, and its caller if that is known. Writes at most one line a second for each address.
   */
  readonly recordRefusal: (code: string, address: string, caller?: Caller) => void;
  /**
   * Records in the audit that a caller has tools loaded again. To be called before `reloadTools()`, once
   * it resolves: the line is written then.
   */
  readonly recordReload: (caller: Caller, address: string) => Promise<void>;
  /**
   * Begins no more jobs, and waits for the calls and jobs that run, for `drainMs` at most and as long as
   * load balancers take to notice; everything else is answered as ever. To be called before `close()`.
   */
  drain(): Promise<void>;
  /** Aborts when the server begins to stop: when it drains, or is closed. */
  readonly stopping: AbortSignal;
  /** Rejects new calls, and stops running ones with all their processes. */
  close(): Promise<void>;
}

/** Few clients are notified of a changed list, so it is kept for a short time while it may change. */
const LIST_TTL_MS = { still: 60_000, watched: 5_000 };

/** What an embedding program may leave out. */
export interface AppOptions {
  /** Serves the built-in tools in addition to those of the config. @default {true} */
  readonly builtInTools?: boolean;
}

/** How long closing may take if the rest of an app can't be opened. */
const UNDO_MS = 5_000;

/**
 * Builds and connects everything that a config requires, and loads the tools. Rejects with a
 * `ConfigError` if a tools folder, the callers file or the audit file can't be used; what was opened
 * by then is closed.
 */
export async function createApp(config: Config, options: AppOptions = {}): Promise<App> {
  const logs = await openLogs(config);
  const opened = new AsyncDisposableStack();
  let lastLine: string | undefined;
  opened.defer(() => logs.close(lastLine));
  try {
    const app = await openApp(config, options, logs, opened);
    lastLine = "stopped";
    return app;
  } catch (error) {
    const closed = opened.disposeAsync().catch((fault) =>
      logs.log.warn("what was opened can't be closed", { reason: messageOf(fault) })
    );
    await within(closed, UNDO_MS);
    throw error;
  }
}

async function openApp(
  config: Config,
  { builtInTools = true }: AppOptions,
  logs: Logs,
  opened: AsyncDisposableStack,
): Promise<App> {
  const { limits } = config;
  const { log } = logs;
  const inTime = <T>(what: string, work: () => Promise<T>) => reportLate(what, log, work);
  const access = opened.use(
    await inTime(
      stepOf("callers and secrets", config.callersFile, config.secretsFile),
      () => openAccess(config, log),
    ),
  );
  logs.maskSecrets(access.allSecrets);
  const lag = opened.use(new LoopLag());
  const meter = new ServerMeter({
    load: () => runner.load(),
    jobs: () => manager.counts(),
    takeLag: () => lag.take(),
  });
  const { tools, containment } = await openBoth(opened, {
    tools: inTime(
      stepOf("the tools", ...config.toolFolders),
      () => loadTools(config, builtInTools, logs, meter),
    ),
    containment: inTime("control groups", () => contain(config, log)),
  });
  warnOfUnknown(config, tools, log);
  const { groups } = containment;
  const runner = createCommandRunner({ limits, env: config.env, log, meter, groups });
  const formerEnded = groups &&
    endFormer(groups.place).catch((error) =>
      log.error("the commands of former servers can't be ended", { reason: messageOf(error) })
    );
  opened.defer(async () => void await Promise.all([runner.idle(), formerEnded]));
  const history = opened.use(logs.history);
  history.start(() => ({ ...runner.load(), memoryBytes: Deno.memoryUsage().rss }));
  const tracing = config.isTraced ? await loadTracing() : undefined;
  const dispatcher: CallDispatcher = new CallDispatcher({
    registry: tools.registry,
    limits,
    log,
    audit: logs.audit,
    home: config.env.HOME,
    redact: logs.redact,
    meter,
    startSpan: tracing?.startCall,
    createRunner: runner.forCall,
    jobsOf: (...client) => jobs.forCaller(...client),
    ask: config.ask,
    approvals: toApprovalRules(config, logs, access),
    userOf: access.userOf,
    secretsOf: access.secretsOf,
  });
  const identity = { name: config.name ?? hostName(), labels: config.labels, version: VERSION };
  const parts = { dispatcher, runner, meter, logs, access, identity };
  const manager: JobManager = createJobs(config, parts, (messages) => fleet.join(messages));
  const jobs = createJobHost({ manager, audit: logs.audit });
  const fleet = createFleet(config, parts, manager);
  opened.defer(async () => {
    const stopped = dispatcher.close();
    await manager.close(async () => {
      await stopped;
      await history.flush();
    });
    await stopped;
  });
  const recovery = config.jobs === undefined
    ? inTime(stepOf("jobs", config.dataFolder?.path), () => recoverJobs(manager, config, log))
    : inTime("jobs (MCP_JOBS_URL)", () => joinFleet(manager, log));
  opened.use(await recovery);
  const stopping = new AbortController();
  opened.defer(() => stopping.abort());
  return {
    ...toOffers(config, { logs, access, meter, tools }),
    service: new KeptCalls(dispatcher, manager),
    calls: dispatcher.running,
    history,
    approvals: dispatcher.approvals,
    fleet,
    jobs,
    containment: containment.state,
    startMessage: tracing?.startMessage,
    stopping: stopping.signal,
    checkJobs: async () => await manager.store().then(() => undefined, messageOf),
    drain: async () => {
      const { drainMs, drainNoticeMs } = limits;
      if (drainMs === 0) return;
      stopping.abort();
      const noticed = firstOf({ timeoutMs: Math.min(drainNoticeMs, drainMs) }).expired;
      const ended = noticed.then(() => dispatcher.running.idle());
      await Promise.all([manager.drain(drainMs), within(ended, drainMs)]);
    },
    close: () => opened.disposeAsync(),
  };
}

function toApprovalRules(
  { stdio, callersFile, oauth }: Config,
  { redactValue }: Logs,
  { revokedOf }: Access,
): ApprovalRules {
  const hasOthers = !stdio && (callersFile !== undefined || oauth !== undefined);
  return { hasOthers, revokedOf, replacer: redactValue };
}

/** An operator who mistypes a name would believe that its calls wait. */
function warnOfUnknown({ ask }: Config, tools: LoadedTools, log: Log): void {
  const { names } = tools.registry;
  const unknown = ask.filter((pattern) => !names.some((name) => matchesWildcard(name, pattern)));
  if (unknown.length > 0) log.warn("MCP_ASK names tools that do not exist", { tools: unknown });
}

function stepOf(what: string, ...paths: readonly (string | undefined)[]): string {
  const named = paths.filter((path) => path !== undefined);
  return named.length === 0 ? what : `${what} (${named.join(", ")})`;
}

/** Opens both at once, as they wait for the system most of the time; closes one without the other. */
async function openBoth(
  opened: AsyncDisposableStack,
  opening: { readonly tools: Promise<LoadedTools>; readonly containment: Promise<Containment> },
): Promise<{ tools: LoadedTools; containment: Containment }> {
  const [tools, containment] = await Promise.allSettled([opening.tools, opening.containment]);
  if (tools.status === "fulfilled") {
    opened.defer(tools.value.close);
    opened.defer(tools.value.unwatch);
  }
  if (containment.status === "fulfilled") opened.use(containment.value);
  return { tools: await opening.tools, containment: await opening.containment };
}

/** What of an app does not depend on its jobs and commands. */
function toOffers(
  { limits, watchTools }: Config,
  { logs, access: { callers, defaultCaller, stdioCaller }, meter, tools }: {
    readonly logs: Logs;
    readonly access: Access;
    readonly meter: Meter;
    readonly tools: LoadedTools;
  },
) {
  return {
    log: logs.log,
    limits,
    meter,
    listTtlMs: watchTools ? LIST_TTL_MS.watched : LIST_TTL_MS.still,
    callers,
    defaultCaller,
    stdioCaller,
    reports: tools.reports,
    recordRefusal: (code, address, caller) => {
      meter.refused(code);
      const who = caller === undefined ? {} : { caller: caller.name };
      logs.audit.refused({ code, transport: "http", address, ...who });
    },
    recordReload: async ({ name: caller }, address) => {
      await logs.audit.did("reload", { transport: "http", caller, address });
    },
    reopenAudit: logs.reopenAudit,
    reloadTools: tools.reload,
    onToolsChanged: tools.onChanged,
  } satisfies Partial<App>;
}

async function contain({ containment, env }: Config, log: Log): Promise<Containment> {
  try {
    return await openContainment({ ...containment, path: env.PATH ?? "", log });
  } catch (cause) {
    throw new ConfigError(messageOf(cause), { cause });
  }
}

/** Loads OpenTelemetry; the module has a computed name, so that others don't download the package. */
async function loadTracing(): Promise<Tracing> {
  const { createTracing }: typeof import("./calls/tracing.ts") = await import(TRACING);
  return createTracing(VERSION);
}

const TRACING = new URL("./calls/tracing.ts", import.meta.url).href;
