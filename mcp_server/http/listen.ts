import { type Config, ConfigError } from "../settings/config.ts";
import { within } from "../shared/deadline.ts";
import { messageOf } from "../shared/error.ts";
import type { Log } from "../shared/log.ts";
import {
  type HttpServer,
  type ListenAddress,
  listenHttp,
  type ListenOptions,
} from "./http_listener.ts";

/** How long a certificate or a key may take to read: a FIFO has no content until it is written. */
const PEM_MS = 5_000;

/**
 * How many connections a server has until it is allowed more. Deno ends if it loads a module while no
 * file descriptor is free, so clients get them all only once everything is loaded.
 */
const FIRST_CONNECTIONS = 8;

/**
 * Listens on the address of a config, with few connections at first. Rejects with a `ConfigError` if the
 * address, the certificate or its key can't be used.
 */
export async function listen(
  config: Config,
  handler: ListenOptions["handler"],
  log: Log,
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
      maxConnections: Math.min(FIRST_CONNECTIONS, limits.maxConnections),
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
