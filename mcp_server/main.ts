import { basename } from "node:path/posix";
import type { App } from "./app.ts";
import { type Config, ConfigError } from "./settings/config.ts";
import { helpText, parseConfig, toColumns } from "./settings/parse_config.ts";
import { within } from "./shared/concurrency.ts";
import { messageOf } from "./shared/error.ts";
import { JobSetupError } from "./tool/job.ts";
import { defaultLimits } from "./shared/limits.ts";
import type { Log } from "./shared/log.ts";
import type { OpenTransport } from "./serve.ts";
import { runWorker, WORKER_FLAG } from "./shared/worker_process.ts";
import { VERSION } from "./version.ts";

/**
 * Loaded by computed names: what has a literal one is read before the first line runs, also for
 * `--help` and for the processes that this program starts of itself.
 */
const APP = new URL("./app.ts", import.meta.url).href;
const SERVE = new URL("./serve.ts", import.meta.url).href;

/** How long a transport may still take to open after a signal: calls may have arrived already. */
const OPEN_MS = 1_000;
/** Whatever still runs then is left behind. */
const SHUTDOWN_MS = 7_500;
const FAILED = 1;
const CONFIG_ERROR = 2;

async function main(): Promise<number> {
  const [flag, module] = Deno.args;
  if (flag === WORKER_FLAG && module !== undefined) return await work(module);
  const starter = takeStarter();
  const cores = navigator.hardwareConcurrency;
  const config = parseConfig(Deno.args, Deno.env.toObject(), cores);
  if (config.action === "help") return print(helpText(programName(), defaultLimits(cores)));
  if (config.action === "version") return print(VERSION);
  if (config.newTokenFor !== undefined) return await printNewToken(config.newTokenFor);
  if (config.stdio) await keepStdoutForTheProtocol();
  const logErrorsTo = surviveToolErrors();
  const renewOnHangUp = listenForHangUp();
  const stops = stopSignals(starter);
  const stopped = stops.first.then(() => undefined);
  // Until it is built, no client has a call that would have to end first.
  const app = await Promise.race([openApp(config), stopped]);
  if (app === undefined) return 0;
  logErrorsTo(app.log);
  renewOnHangUp(app);
  if (config.action === "check") {
    return await Promise.race([check(app), stops.first.then(() => FAILED)]);
  }
  const serving = serve(app, config);
  const transport = await Promise.race([
    serving,
    stopped.then(async () => {
      return await within(serving, OPEN_MS) ? await serving : undefined;
    }),
  ]);
  if (transport === undefined) {
    await shutDown(app);
    return 0;
  }
  await announce(app, transport, config);
  // The end of stdin ends the server over stdio; over HTTP only a signal does.
  const ended = transport.finished.then(() => config.stdio ? 0 : FAILED, () => FAILED);
  const code = await Promise.race([ended, stops.first.then(() => 0)]);
  await Promise.race([app.drain(), stops.second]);
  await shutDown(app, transport);
  return code;
}

async function openApp(config: Config): Promise<App> {
  const { createApp }: typeof import("./app.ts") = await import(APP);
  // It is loaded while the app waits for the system; who needs it hears why it can't be.
  if (config.action !== "check") import(SERVE).catch(() => {});
  return await createApp(config);
}

async function serve(app: App, config: Config): Promise<OpenTransport> {
  const { serveHttp, serveStdio }: typeof import("./serve.ts") = await import(SERVE);
  if (config.stdio) return serveStdio(app, { maxLineBytes: config.limits.maxBodyBytes });
  return await serveHttp(app, config);
}

/** A compiled server starts itself once more for each worker process. */
async function work(module: string): Promise<number> {
  await runWorker(module);
  return 0;
}

async function printNewToken(name: string): Promise<number> {
  const { createToken } = await import("./access/parse_callers.ts");
  try {
    const { token, line } = createToken(name);
    return print(`${token}\n${line}`);
  } catch (cause) {
    throw new ConfigError(messageOf(cause), { cause });
  }
}

/** The name by which the operator starts this program. */
function programName(): string {
  return Deno.build.standalone ? basename(Deno.execPath()) : "main.ts";
}

function print(text: string): number {
  console.log(text.trimEnd());
  return 0;
}

async function check({ reports, containment, checkJobs, close }: App): Promise<number> {
  const rows = reports.map(({ toolName, problem, file }) => [toolName, problem ?? "ok", file]);
  print(toColumns([["tool", "state", "file"], ...rows]));
  const { by, folder, reason } = containment;
  print(by === "cgroup" ? `control groups: ${folder}` : `no control groups: ${reason}`);
  const noJobs = await checkJobs();
  if (noJobs !== undefined) print(`no jobs: ${noJobs}`);
  await close();
  return reports.some(({ problem }) => problem !== undefined) ? 1 : 0;
}

async function announce(app: App, { address }: OpenTransport, config: Config): Promise<void> {
  const { service, log, defaultCaller, stdioCaller } = app;
  const { stdio, console: hasConsole } = config;
  const tools = await service.count(stdio ? stdioCaller : defaultCaller);
  log.info("serving", { address, tools, version: VERSION });
  if (Deno.pid === 1) warnOfZombies(log);
  if (stdio) return;
  console.log(`Trestle ${VERSION} serves ${tools} tools: ${address}/mcp and /api`);
  if (hasConsole) console.log(`Console: ${address}/`);
}

/** Process 1 inherits all orphans; Deno waits only for processes that it started itself. */
function warnOfZombies(log: Log): void {
  log.warn("running as process 1: what a command leaves in the background stays a zombie", {
    fix: "start the container with an init, such as docker run --init",
  });
}

/** A client reads stdout as JSON-RPC, so tools that print must not write to it. */
async function keepStdoutForTheProtocol(): Promise<void> {
  const [{ Console }, { stderr }] = await Promise.all([
    import("node:console"),
    import("node:process"),
  ]);
  globalThis.console = new Console({ stdout: stderr, stderr });
}

/** A tool that forgets an `await` must not end the calls of all others. */
function surviveToolErrors(): (log: Log) => void {
  let log: Log | undefined;
  const report = (message: string, error: unknown) => {
    if (log === undefined) console.error(`${message}: ${messageOf(error)}`);
    else log.error(message, { error });
  };
  addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    report("unhandled rejection", event.reason);
  });
  addEventListener("error", (event) => {
    event.preventDefault();
    report("uncaught error", event.error);
  });
  return (appLog) => void (log = appLog);
}

/**
 * SIGHUP reopens the audit file, as logrotate expects, and loads changed tools; it never stops the
 * server.
 */
function listenForHangUp(): (app: App) => void {
  let app: App | undefined;
  Deno.addSignalListener("SIGHUP", () => {
    void app?.reopenAudit();
    app?.reloadTools().catch((error) => {
      app?.log.warn("tools can't be reloaded", { reason: messageOf(error) });
    });
  });
  return (built) => void (app = built);
}

/** The process id of the program that started this server and ends with it, if there is one. */
const STARTER = "TRESTLE_STARTER";
/** How often the server looks whether that is still there. */
const STARTER_CHECK_MS = 250;

/** The starter, which no command of this server must take for its own. */
function takeStarter(): number | undefined {
  const pid = Deno.env.get(STARTER);
  Deno.env.delete(STARTER);
  return pid === undefined ? undefined : Number(pid);
}

/**
 * The first signal lets running jobs end, if they may; the second one does not wait for them. The end
 * of the starter counts as both.
 */
function stopSignals(
  starter: number | undefined,
): { first: Promise<void>; second: Promise<void> } {
  const first = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  let isSecond = false;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    Deno.addSignalListener(signal, () => {
      if (isSecond) second.resolve();
      first.resolve();
      isSecond = true;
    });
  }
  if (starter !== undefined) {
    const timer = setInterval(() => {
      if (Deno.ppid === starter) return;
      clearInterval(timer);
      first.resolve();
      second.resolve();
    }, STARTER_CHECK_MS);
    Deno.unrefTimer(timer);
  }
  return { first: first.promise, second: second.promise };
}

async function shutDown(app: App, transport?: OpenTransport): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, SHUTDOWN_MS);
  const stopped = app.close();
  await Promise.race([Promise.all([transport?.close(stopped), stopped]), late]);
  clearTimeout(timer);
}

try {
  Deno.exit(await main());
} catch (error) {
  if (error instanceof JobSetupError) {
    console.error(`${error.message}; run this once as a role that may:\n${error.sql}`);
    Deno.exit(FAILED);
  }
  if (!(error instanceof ConfigError)) {
    // Thrown on, it would be logged as the error of a tool, and the server would stay without a port.
    console.error(error);
    Deno.exit(FAILED);
  }
  console.error(error.message);
  Deno.exit(CONFIG_ERROR);
}
