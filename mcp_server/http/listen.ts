import { type Config, ConfigError } from "../settings/config.ts";
import { within } from "../shared/deadline.ts";
import { messageOf } from "../shared/error.ts";
import type { Log } from "../shared/log.ts";
import { createHostRule } from "../access/host_and_origin.ts";
import { answerHealthCheck, isHealthCheck, isReadinessCheck, notReady } from "./health_check.ts";
import {
  type HttpServer,
  type ListenAddress,
  listenHttp,
  type ListenOptions,
} from "./http_listener.ts";

/** What answers requests, and where their connections report what goes wrong. */
export interface Answering {
  readonly handler: ListenOptions["handler"];
  readonly log: Log;
}

/** A server that listens; what arrives before it can be answered waits. */
export interface Listening {
  readonly server: HttpServer;
  /** Answers requests from now on, and those that wait; resolves once these are answered. */
  answer(answering: Answering): Promise<void>;
}

/** Says what takes long while the rest of a server is loaded. */
export interface LoadState {
  readonly late: string | undefined;
}

/**
 * How many connections a server has while it loads: a file that can't be opened then, because clients
 * have all descriptors, is one that stays missing.
 */
const EARLY_CONNECTIONS = 8;
/** How long a request waits before it is answered that something is late. */
const WAIT_MS = 10_000;
/** How long a certificate or a key may take to read: a FIFO has no content until it is written. */
const PEM_MS = 5_000;

/**
 * Whether a server may listen before the rest of it is loaded: nothing that the operator has set can
 * prevent the start once it listens.
 */
export function mayListenFirst(config: Config): boolean {
  const { auditFile, callersFile, oauth, runAs, jobs, metricsPort } = config;
  const { toolFolders, dataFolder, containment: { mode, limits }, isTraced } = config;
  const given = [auditFile, callersFile, oauth, runAs, jobs, metricsPort, toolFolders[0]];
  const isNamed = given.some((setting) => setting !== undefined) || dataFolder?.named === true;
  return !isNamed && !isTraced && mode !== "required" && Object.keys(limits).length === 0;
}

/**
 * Listens on the address of a config before requests can be answered: they wait, but for health
 * checks, as long as nothing takes long; then they get 503. Rejects with a `ConfigError` if it can't
 * listen.
 */
export async function listenEarly(
  config: Config,
  loading: LoadState = { late: undefined },
): Promise<Listening> {
  const waiting = Promise.withResolvers<Answering>();
  let left = 0;
  let onNoneLeft = () => {};
  const hosts = createHostRule(config.host, config.allowedHosts);
  let handler: ListenOptions["handler"] = async (request, context) => {
    if (isHealthCheck(request, hosts)) return answerHealthCheck(loading.late);
    if (isReadinessCheck(request, hosts)) return notReady(loading.late ?? "the server starts");
    left++;
    try {
      while (!await within(waiting.promise, loading.late === undefined ? WAIT_MS : 0)) {
        if (loading.late !== undefined) return notReady(loading.late);
      }
      const answering = await waiting.promise;
      return await answering.handler(request, context);
    } finally {
      if (--left === 0) onNoneLeft();
    }
  };
  const log = {
    warn: (...line: Parameters<Log["warn"]>) =>
      void waiting.promise.then(({ log }) => log.warn(...line)),
  };
  const server = await listen(config, {
    handler: (request, context) => handler(request, context),
    log,
  });
  return {
    server,
    answer: (answering) => {
      handler = answering.handler;
      waiting.resolve(answering);
      const answered = Promise.withResolvers<void>();
      onNoneLeft = answered.resolve;
      if (left === 0) onNoneLeft();
      return answered.promise;
    },
  };
}

/**
 * Listens on the address of a config, with few connections as long as no more are allowed. Rejects with
 * a `ConfigError` if that is not possible.
 */
export async function listen(
  config: Config,
  { handler, log }: { readonly handler: Answering["handler"]; readonly log: Pick<Log, "warn"> },
): Promise<HttpServer> {
  const { host, port, limits } = config;
  const tls = await readTls(config);
  try {
    return listenHttp({ hostname: host, port, ...tls }, {
      handler,
      timeouts: {
        headerMs: limits.headerTimeoutMs,
        bodyMs: limits.bodyTimeoutMs,
        sendMs: limits.sendTimeoutMs,
        idleMs: limits.idleTimeoutMs,
      },
      maxConnections: Math.min(EARLY_CONNECTIONS, limits.maxConnections),
      onAcceptError: (error) => log.warn("cannot accept a connection, trying again", { error }),
      onUnbounded: () =>
        log.warn("this version of Deno can't bound connections", {
          fix: "use Deno 2.9, or a reverse proxy in front of the server",
        }),
    });
  } catch (cause) {
    throw new ConfigError(`Cannot listen on ${host}:${port}: ${messageOf(cause)}`, { cause });
  }
}

/** The URL of a server, for people. */
export function addressOf({ hostname, port }: Deno.NetAddr, { tls }: Config): string {
  const host = hostname.includes(":") ? `[${hostname}]` : hostname;
  return `${tls === undefined ? "http" : "https"}://${host}:${port}`;
}

async function readTls({ tls }: Config): Promise<Pick<ListenAddress, "tls">> {
  if (tls === undefined) return {};
  const cert = await readPem("MCP_TLS_CERT", tls.certFile);
  const key = await readPem("MCP_TLS_KEY", tls.keyFile);
  return { tls: { cert, key } };
}

async function readPem(name: string, file: string): Promise<string> {
  const refuse = (state: string, cause?: unknown) =>
    new ConfigError(`Cannot use ${name} "${file}": ${state}`, { cause });
  const reading = Deno.readTextFile(file).catch((cause) => {
    throw refuse(messageOf(cause), cause);
  });
  if (await within(reading, PEM_MS)) return await reading;
  throw refuse(`it has no content within ${PEM_MS / 1_000} s; use a regular file`);
}
