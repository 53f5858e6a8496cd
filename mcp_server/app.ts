import type { CallerDirectory } from "./callers/caller_table.ts";
import type { WatchedCallers, WatchOptions } from "./callers/watched_callers.ts";
import { type Config, ConfigError } from "./config.ts";
import type { StartSpan } from "./domain/call_span.ts";
import { type Caller, DEFAULT_CALLER } from "./domain/caller.ts";
import type { ContainmentState } from "./domain/containment.ts";
import { within } from "./domain/deadline.ts";
import { messageOf } from "./domain/error.ts";
import { JobError } from "./domain/job_error.ts";
import type { JobHost } from "./domain/job_host.ts";
import type { JobStore } from "./domain/job_store.ts";
import type { Limits } from "./domain/limits.ts";
import type { Log } from "./domain/log.ts";
import type { Meter } from "./domain/meter.ts";
import { ToolRegistry } from "./domain/registry.ts";
import type { ToolService } from "./domain/service.ts";
import type { LoadReport, ReloadTools } from "./domain/tool_reload.ts";
import { AuditFile, type AuditFileOptions, AuditLog } from "./engine/audit.ts";
import { builtInFolder } from "./engine/built_in_folder.ts";
import { CallDispatcher } from "./engine/call_dispatcher.ts";
import { type Containment, openContainment } from "./engine/cgroups/containment.ts";
import { JobManager } from "./engine/jobs/job_manager.ts";
import { hostName, joinFleet } from "./engine/jobs/join_fleet.ts";
import { type FleetOptions, openFleet } from "./engine/jobs/open_fleet.ts";
import { createLog } from "./engine/json_log.ts";
import { stderrSink } from "./engine/line_sink.ts";
import { RunAsUsers } from "./engine/run_as_users.ts";
import { JobMeter } from "./engine/metrics/job_meter.ts";
import { LoopLag } from "./engine/metrics/loop_lag.ts";
import { ServerMeter } from "./engine/metrics/server_meter.ts";
import { createCommandRunner } from "./engine/runner/command_runner.ts";
import { watchFolders } from "./engine/tools/folder_watch.ts";
import { ToolFolders } from "./engine/tools/tool_folders.ts";
import { createRedactor, secretsOf } from "./security/redact.ts";
import { VERSION } from "./version.ts";

export type { LoadReport, ReloadReport, ReloadTools } from "./domain/tool_reload.ts";

/** The server's parts, connected; it serves once a transport is opened. */
export interface App {
  /** The server's own log. */
  readonly log: Log;
  /** Lists the tools and carries out calls. */
  readonly service: ToolService;
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
  /** The result of loading each tool file. */
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
  /**
   * Records in the audit that a request was rejected before it reached a tool: its code, the address
   * of its client, and its caller if that is known. Writes at most one line a second for each address.
   */
  readonly recordRefusal: (code: string, address: string, caller?: Caller) => void;
  /**
   * Begins no more jobs, and waits for those that run, for `drainMs` at most; everything else is
   * answered as ever. To be called before `close()`.
   */
  drain(): Promise<void>;
  /** Rejects new calls, and stops running ones with all their processes. */
  close(): Promise<void>;
}

/** How long writing the last lines may take; perhaps nobody reads them. */
const FLUSH_MS = 500;

/** How long after the start the jobs of killed servers are looked after. */
const RECOVERY_MS = 300;

/** Few clients are notified of a changed list, so it is kept for a short time while it may change. */
const LIST_TTL_MS = { still: 60_000, watched: 5_000 };

/** What an embedding program may leave out. */
export interface AppOptions {
  /** Serves the built-in tools in addition to those of the config. @default {true} */
  readonly builtInTools?: boolean;
}

/**
 * Builds and connects everything that a config requires, and loads the tools. Rejects with a
 * `ConfigError` if a tools folder, the callers file or the audit file can't be used, and with a `RangeError` if the
 * built-in tools are requested but not part of the package.
 */
export async function createApp(config: Config, options: AppOptions = {}): Promise<App> {
  const { builtInTools = true } = options;
  const { limits, env, toolFolders } = config;
  const redactor = createRedactor(secretsOf(env));
  const stderr = stderrSink();
  const logOptions = {
    level: config.logLevel,
    replacer: redactor.replacer,
    write: (line: string) => stderr.write(line),
  };
  const log = createLog(logOptions);
  const users = new RunAsUsers(env, log);
  await checkRunAs(config.runAs, users);
  const callers = await openCallers(config.callersFile, {
    log,
    checkUser: (name) => users.find(name),
  });
  const auditFile = await openAudit(config.auditFile, { log, fallback: stderr });
  const audit = auditFile ?? stderr;
  const auditLog = new AuditLog((line) => audit.write(line));
  const registry = new ToolRegistry();
  const lag = new LoopLag();
  const meter = new ServerMeter({
    load: () => runner.load(),
    jobs: () => jobs.counts(),
    takeLag: () => lag.take(),
  });
  const changeListeners = new Set<() => void>();
  const tools = new ToolFolders({
    fixed: builtInTools ? [builtInFolder(import.meta.url)] : [],
    folders: toolFolders,
  }, {
    registry,
    log,
    context: { limits, env: (name) => env[name] },
    createLog: (tool) => createLog(logOptions, { tool }),
    isWatched: config.watchTools,
    onChange: () => changeListeners.forEach((listener) => listener()),
    onReloaded: (reports) => {
      const count = (state: string) => reports.filter((report) => report.state === state).length;
      meter.reloaded("loaded", count("loaded"));
      meter.reloaded("kept", count("kept"));
    },
  });
  const reports = await loadEveryTool(tools);
  const containment = await contain(config, log);
  const { groups } = containment;
  const runner = createCommandRunner({ limits, env, log, meter, groups });
  const formerEnded = groups?.endFormer().catch((error) =>
    log.error("the commands of former servers can't be ended", { reason: messageOf(error) })
  );
  const dispatcher: CallDispatcher = new CallDispatcher({
    registry,
    limits,
    log,
    audit: auditLog,
    meter,
    startSpan: config.isTraced ? await loadTracing() : undefined,
    redact: redactor.text,
    createRunner: (caller) => runner.forCall(caller),
    jobsOf: (caller) => jobs.forCaller(caller),
    userOf: ({ rights }) => {
      const name = rights?.runAs ?? config.runAs;
      return name === undefined ? undefined : users.find(name);
    },
  });
  const identity = { name: config.name ?? hostName(), labels: config.labels, version: VERSION };
  const jobs: JobManager = new JobManager({
    dispatcher,
    pool: runner,
    limits,
    log,
    meter: new JobMeter(meter),
    identity,
    callerOf: (name, scopes) => findCaller(name, { callers, scopes, config }),
    isShared: config.jobs !== undefined,
    openStore: () => openJobStore(config, { identity, pool: runner }),
  });
  const recovery = config.jobs === undefined
    ? await recoverJobs(jobs, config, log)
    : await joinFleet(jobs, log);
  const watch = config.watchTools ? watchTools(tools, toolFolders, log) : undefined;
  return {
    log,
    service: dispatcher,
    jobs,
    limits,
    meter,
    listTtlMs: config.watchTools ? LIST_TTL_MS.watched : LIST_TTL_MS.still,
    ...(callers === undefined ? {} : { callers }),
    reports,
    containment: containment.state,
    checkJobs: async () => await jobs.store().then(() => undefined, messageOf),
    recordRefusal: (code, address, caller) => {
      meter.refused(code);
      const who = caller === undefined ? {} : { caller: caller.name };
      auditLog.refused({ code, transport: "http", address, ...who });
    },
    reopenAudit: async () => await auditFile?.reopen(),
    reloadTools: () => tools.reload(),
    onToolsChanged: (listener) => {
      changeListeners.add(listener);
      return { [Symbol.dispose]: () => void changeListeners.delete(listener) };
    },
    drain: async () => {
      if (limits.drainMs > 0) await jobs.drain(limits.drainMs);
    },
    close: async () => {
      watch?.[Symbol.dispose]();
      callers?.[Symbol.dispose]();
      recovery[Symbol.dispose]();
      lag[Symbol.dispose]();
      await Promise.all([jobs.close(), dispatcher.close()]);
      await Promise.all([runner.idle(), formerEnded]);
      await containment[Symbol.asyncDispose]();
      await tools.close();
      await auditFile?.close(FLUSH_MS);
      log.info("stopped");
      await within(Promise.resolve(stderr.flush()), FLUSH_MS);
    },
  };
}

async function contain({ containment, env }: Config, log: Log): Promise<Containment> {
  try {
    return await openContainment({ ...containment, path: env.PATH ?? "", log });
  } catch (cause) {
    throw new ConfigError(messageOf(cause), { cause });
  }
}

/** The caller of a job that another server accepted, with the rights that it has here. */
function findCaller(
  name: string,
  { callers, scopes, config: { oauth } }: {
    readonly callers: CallerDirectory | undefined;
    readonly scopes: readonly string[] | undefined;
    readonly config: Config;
  },
): Caller | undefined {
  // Without a callers file, every subject of an OAuth token is a caller with the rights of its scopes.
  const isSubject = callers === undefined && oauth !== undefined && scopes !== undefined;
  const known = name === DEFAULT_CALLER.name
    ? DEFAULT_CALLER
    : isSubject
    ? { name }
    : callers?.findByName(name)?.caller;
  return known === undefined || scopes === undefined ? known : { ...known, scopes };
}

async function openJobStore(
  { jobs, dataFolder }: Config,
  options: FleetOptions,
): Promise<JobStore> {
  if (jobs !== undefined) return await openFleet(jobs, options);
  if (dataFolder === undefined) {
    throw new JobError("Cannot keep jobs: there is no folder for them, set MCP_DATA_DIR", {
      code: "JOBS_UNAVAILABLE",
    });
  }
  const { SqliteJobStore } = await loadJobStore();
  return await SqliteJobStore.open(dataFolder.path);
}

/** Loads OpenTelemetry; the module has a computed name, so that others don't download the package. */
async function loadTracing(): Promise<StartSpan> {
  const { createStartSpan }: TracingModule = await import(TRACING);
  return createStartSpan(VERSION);
}

interface TracingModule {
  readonly createStartSpan: (version: string) => StartSpan;
}

const TRACING = new URL("./engine/tracing/start_span.ts", import.meta.url).href;

/** SQLite is loaded only if there are jobs. */
function loadJobStore() {
  return import("./engine/jobs/sqlite_store.ts");
}

/**
 * Looks after the jobs that a killed server left, shortly after the start, so that the first answer
 * does not wait for it. A folder that the operator named is opened at once: it must be usable.
 */
async function recoverJobs(
  jobs: JobManager,
  { dataFolder }: Config,
  log: Log,
): Promise<Disposable> {
  if (dataFolder?.named === true) {
    await jobs.store().catch((cause) => {
      throw new ConfigError(`Cannot use MCP_DATA_DIR "${dataFolder.path}": ${messageOf(cause)}`, {
        cause,
      });
    });
  }
  const ends = new DisposableStack();
  if (dataFolder !== undefined && await hasJobs(dataFolder.path)) {
    // Loaded now: Deno 2.9 panics if it loads a module while no file descriptor is free.
    await loadJobStore();
    const recover = () =>
      jobs.store().catch((error) => log.warn("jobs can't be kept", { reason: messageOf(error) }));
    const timer = setTimeout(recover, RECOVERY_MS);
    Deno.unrefTimer(timer);
    ends.defer(() => clearTimeout(timer));
  }
  return ends;
}

async function hasJobs(folder: string): Promise<boolean> {
  return await Deno.stat(`${folder}/jobs.db`).then(() => true, () => false);
}

/** Loads `node:fs`, which takes a while, only for a server that has a callers file. */
async function openCallers(
  file: string | undefined,
  options: WatchOptions,
): Promise<WatchedCallers | undefined> {
  if (file === undefined) return undefined;
  const { CallersFileError, WatchedCallers } = await import("./callers/watched_callers.ts");
  try {
    return await WatchedCallers.open(file, options);
  } catch (cause) {
    const reason = cause instanceof CallersFileError ? cause.reason : messageOf(cause);
    throw new ConfigError(`Cannot use MCP_CALLERS_FILE "${file}": ${reason}`, { cause });
  }
}

async function checkRunAs(name: string | undefined, users: RunAsUsers): Promise<void> {
  if (name === undefined) return;
  await users.find(name).catch((cause) => {
    throw new ConfigError(`Cannot use MCP_RUN_AS "${name}": ${messageOf(cause)}`, { cause });
  });
}

async function openAudit(
  file: string | undefined,
  options: AuditFileOptions,
): Promise<AuditFile | undefined> {
  if (file === undefined) return undefined;
  try {
    return await AuditFile.open(file, options);
  } catch (cause) {
    throw new ConfigError(`Cannot use MCP_AUDIT_FILE "${file}": ${messageOf(cause)}`, { cause });
  }
}

async function loadEveryTool(tools: ToolFolders): Promise<LoadReport[]> {
  try {
    return await tools.load();
  } catch (cause) {
    throw new ConfigError(`Cannot use MCP_TOOLS_DIR: ${messageOf(cause)}`, { cause });
  }
}

function watchTools(tools: ToolFolders, folders: readonly string[], log: Log): Disposable {
  const onChange = () =>
    tools.reload().then(() => {}, (error) => {
      log.warn("tools can't be reloaded", { reason: messageOf(error) });
    });
  return watchFolders({ folders, files: () => tools.files, onChange, log });
}
