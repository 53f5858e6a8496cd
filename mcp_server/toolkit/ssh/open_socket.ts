import { lookup } from "node:dns/promises";
import { isIP, Socket } from "node:net";
import { messageOf } from "../../domain/error.ts";
import type { Hop } from "./route.ts";
import { SshError } from "./ssh_error.ts";

/** How long connecting may take. */
export interface ConnectOptions {
  /** Gives up at this time, as `performance.now()` counts. */
  readonly deadline: number;
  /** Gives up when it aborts. */
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
    // An address that is silent must leave time for those after it.
    const timeoutMs = Math.max(1, left / (addresses.length - at));
    try {
      return await connect(address, hop.port, { timeoutMs, signal: options.signal });
    } catch (error) {
      fault = error;
    }
  }
  options.signal.throwIfAborted();
  throw new SshError(`Cannot connect to "${hop.alias}": ${messageOf(fault)}`, "connect");
}

/** A resolver can't be stopped, but what asks it does not wait longer than it may. */
async function addressesOf({ alias, hostName }: Hop, options: ConnectOptions): Promise<string[]> {
  if (isIP(hostName) !== 0) return [hostName];
  options.signal.throwIfAborted();
  const { promise: given, resolve } = Promise.withResolvers<undefined>();
  const giveUp = () => resolve(undefined);
  const left = options.deadline - performance.now();
  const timer = setTimeout(giveUp, left);
  options.signal.addEventListener("abort", giveUp, { once: true });
  const fail = (state: string) => {
    const message = `the address of "${hostName}" can't be found (${state})`;
    return new SshError(`Cannot resolve "${alias}": ${message}`, "resolve");
  };
  try {
    const asked = lookup(hostName, { all: true }).catch((error) => fail(codeOf(error)));
    const found = await Promise.race([asked, given]);
    options.signal.throwIfAborted();
    if (found === undefined) throw fail("no answer in time");
    if (found instanceof SshError) throw found;
    return found.map(({ address }) => address);
  } finally {
    clearTimeout(timer);
    options.signal.removeEventListener("abort", giveUp);
  }
}

function connect(
  host: string,
  port: number,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const socket = new Socket();
  const give = (state: string) => {
    socket.destroy();
    reject(new Error(state));
  };
  const onAbort = () => give("the call was stopped");
  const seconds = Math.ceil(timeoutMs / 1_000);
  const timer = setTimeout(
    () => give(`${host} port ${port} does not answer within ${seconds} s`),
    timeoutMs,
  );
  signal.addEventListener("abort", onAbort, { once: true });
  socket.once("error", (error) => give(`${host} port ${port}: ${codeOf(error)}`));
  socket.once("connect", () => {
    // The client writes small packets and waits for answers.
    socket.setNoDelay(true);
    resolve(socket);
  });
  socket.connect({ host, port });
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  });
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
