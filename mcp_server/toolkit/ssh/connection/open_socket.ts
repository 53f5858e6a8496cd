import { lookup } from "node:dns/promises";
import { isIP, Socket } from "node:net";
import { firstOf } from "../../../shared/deadline.ts";
import { messageOf } from "../../../shared/error.ts";
import type { Hop } from "../route.ts";
import { SshError } from "../ssh_error.ts";

/** How long connecting may take. */
export interface ConnectOptions {
  /** Rejects at this time, as `performance.now()` counts. */
  readonly deadline: number;
  /** Rejects when it aborts. */
  readonly signal: AbortSignal;
}

/**
 * Opens a TCP connection to a host, over the addresses of its name in order. Rejects with an
 * `SshError` of phase `resolve` or `connect`, and with the signal's reason.
 */
export async function openSocket(hop: Hop, options: ConnectOptions): Promise<Socket> {
  const addresses = await addressesOf(hop, options);
  let fault: unknown;
  for (const [at, address] of addresses.entries()) {
    options.signal.throwIfAborted();
    const left = options.deadline - performance.now();
    // An address that does not answer must leave time for those after it.
    const timeoutMs = Math.max(1, left / (addresses.length - at));
    try {
      const { bindAddress } = hop.settings;
      return await connect(address, hop.port, { timeoutMs, signal: options.signal, bindAddress });
    } catch (error) {
      fault = error;
    }
  }
  options.signal.throwIfAborted();
  throw new SshError(`Cannot connect to "${hop.alias}": ${messageOf(fault)}`, "connect");
}

/** A name lookup can't be stopped, but the connection does not wait for it beyond the deadline. */
async function addressesOf(
  { alias, hostName, settings }: Hop,
  { deadline, signal }: ConnectOptions,
): Promise<string[]> {
  if (isIP(hostName) !== 0) return [hostName];
  signal.throwIfAborted();
  const fail = (state: string) => {
    const name = hostName === alias ? "" : `of its HostName "${hostName}" `;
    const message = `Cannot resolve "${alias}": the address ${name}can't be found (${state})`;
    return new SshError(message, "resolve");
  };
  using wait = firstOf({ signal, timeoutMs: deadline - performance.now() });
  const asked = lookup(hostName, { all: true, family: settings.family ?? 0 }).catch((error) =>
    fail(codeOf(error))
  );
  const found = await Promise.race([asked, wait.expired]);
  signal.throwIfAborted();
  if (typeof found === "string") throw fail("no answer in time");
  if (found instanceof SshError) throw found;
  return found.map(({ address }) => address);
}

async function connect(
  host: string,
  port: number,
  { timeoutMs, signal, bindAddress }: {
    timeoutMs: number;
    signal: AbortSignal;
    bindAddress: string | undefined;
  },
): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const socket = new Socket();
  const give = (state: string) => {
    socket.destroy();
    reject(new Error(state));
  };
  const seconds = Math.ceil(timeoutMs / 1_000);
  using _deadline = firstOf({ signal, timeoutMs }, (expiry) => {
    if (expiry === "aborted") give("the call was stopped");
    else give(`${host} port ${port} does not answer within ${seconds} s`);
  });
  socket.once("error", (error) => give(`${host} port ${port}: ${codeOf(error)}`));
  socket.once("connect", () => {
    // The client writes small packets and waits for answers.
    socket.setNoDelay(true);
    resolve(socket);
  });
  socket.connect({
    host,
    port,
    ...(bindAddress === undefined ? {} : { localAddress: bindAddress }),
  });
  return await promise;
}

const STATES: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  EHOSTUNREACH: "no route to host",
  ENETUNREACH: "network unreachable",
  ENOTFOUND: "not found",
};

function codeOf(error: unknown): string {
  const code = (error as { code?: string }).code ?? "";
  return STATES[code] ?? (code || messageOf(error));
}
