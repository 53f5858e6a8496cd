import type { Duplex } from "node:stream";
import { firstOf } from "../../../shared/deadline.ts";
import { Connection } from "./connection.ts";
import { toCredentials } from "../login/credentials.ts";
import type { HostKeyStore } from "../host_key_store.ts";
import { type Login, openClient } from "./open_client.ts";
import { openSocket } from "./open_socket.ts";
import { type ProxyCommands, withWordsOfProxy } from "./proxy_command.ts";
import type { Hop, Route } from "../route.ts";
import { loadSsh2, type Ssh2 } from "../ssh2.ts";
import { SshError, wordsOfHost } from "../ssh_error.ts";
import { SshFiles } from "../ssh_files.ts";
import type { SshSettings } from "../ssh_settings.ts";

/** What connections are made with. */
export interface ConnectionParts {
  readonly settings: SshSettings;
  readonly hostKeys: HostKeyStore;
  readonly proxies: ProxyCommands;
}

/** Logs in to the hosts of a route, each through the one before it. */
export async function openConnection(
  route: Route,
  parts: ConnectionParts,
  signal: AbortSignal,
): Promise<Connection> {
  const ssh2 = await loadSsh2();
  const { jumps, target, proxyCommand } = route;
  const logins: Login[] = [];
  const open = async (hop: Hop): Promise<Login> => {
    const deadline = performance.now() + hop.connectTimeoutMs;
    const before = logins.at(-1);
    const sock = before === undefined && proxyCommand !== undefined
      ? parts.proxies.open(proxyCommand, hop.alias)
      : await openWay(before, hop, { deadline, signal });
    const login = await logIn(hop, { ...parts, ssh2, sock, deadline, signal });
    logins.push(login);
    return login;
  };
  try {
    for (const hop of jumps) await open(hop);
    return new Connection(await open(target), logins.slice(0, -1));
  } catch (error) {
    for (const { sock } of logins.toReversed()) sock.destroy();
    throw error;
  }
}

/**
 * Whether each host of a kept connection would still be accepted by its key. Rejects as
 * {@linkcode openConnection} does if that can't be found out.
 */
export async function isStillTrusted(
  { hosts }: Connection,
  hostKeys: HostKeyStore,
  signal: AbortSignal,
): Promise<boolean> {
  for (const { hop, shown } of hosts) {
    using files = new SshFiles({ signal, deadline: performance.now() + hop.connectTimeoutMs });
    if (!await hostKeys.recheck(hop, shown, files)) return false;
  }
  return true;
}

type HopOptions = { deadline: number; signal: AbortSignal };

async function logIn(
  hop: Hop,
  parts: ConnectionParts & HopOptions & { ssh2: Ssh2; sock: Duplex },
): Promise<Login> {
  const { settings, hostKeys, ssh2, sock, ...options } = parts;
  using files = new SshFiles(options);
  try {
    const hostKey = await hostKeys.check(hop, files);
    const credentials = await toCredentials(hop, settings, { ssh2, files });
    return await openClient(hop, { ...options, ssh2, sock, credentials, hostKey });
  } catch (error) {
    sock.destroy();
    throw withWordsOfProxy(error, sock);
  }
}

/** A direct TCP connection, or one through the hop before. */
async function openWay(
  before: Login | undefined,
  hop: Hop,
  { deadline, signal }: HopOptions,
): Promise<Duplex> {
  if (before === undefined) return await openSocket(hop, { deadline, signal });
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<Duplex>();
  const fail = (state: string) =>
    reject(
      new SshError(`Cannot connect to "${hop.alias}" through its ProxyJump: ${state}`, "connect"),
    );
  const bounds = { signal, timeoutMs: deadline - performance.now() };
  using _deadline = firstOf(bounds, (expiry) => {
    if (expiry === "aborted") reject(signal.reason);
    else fail("no answer");
  });
  const { client, traffic } = before;
  client.on("close", () => fail("the connection to it was lost"));
  client.forwardOut("127.0.0.1", 0, hop.hostName, hop.port, (error, channel) => {
    if (error) return fail(wordsOfHost(error.message));
    for (const stream of [channel, channel.stderr]) stream.on("error", () => {});
    // Data for the next hop is expected traffic; listening starts the channel, so it is paused.
    channel.pause();
    channel.on("data", (chunk: Uint8Array) => traffic.deliver(chunk.length));
    resolve(channel);
  });
  return await promise;
}
