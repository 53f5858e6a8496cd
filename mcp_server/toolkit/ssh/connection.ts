import type { Duplex } from "node:stream";
import { messageOf } from "../../domain/error.ts";
import { toCredentials } from "./credentials.ts";
import type { HostKeyStore } from "./host_key_store.ts";
import { openClient } from "./open_client.ts";
import { openSocket } from "./open_socket.ts";
import type { Hop, Route } from "./route.ts";
import { type Channel, type Client, loadSsh2, type Ssh2 } from "./ssh2.ts";
import { SshError } from "./ssh_error.ts";
import type { SshSettings } from "./ssh_settings.ts";

/** With what connections are made. */
export interface ConnectionParts {
  readonly settings: SshSettings;
  readonly hostKeys: HostKeyStore;
}

/** A host that one is logged in to, perhaps through others. */
export class Connection {
  /** The host at the end of the route. */
  readonly hop: Hop;
  readonly #last: Client;
  readonly #before: readonly Client[];
  readonly #listeners = new Set<() => void>();
  #lostReason: string | undefined;

  /** Takes the host, the client that is logged in to it, and those of the hops before it. */
  constructor(hop: Hop, last: Client, before: readonly Client[]) {
    this.hop = hop;
    this.#last = last;
    this.#before = before;
    last.on("error", ({ message }) => this.#lose(message));
    last.on("end", () => this.#lose("the host closed the connection"));
    last.on("close", () => this.#lose("the connection was closed"));
  }

  /** Whether a command may be tried on it. */
  get alive(): boolean {
    return this.#lostReason === undefined;
  }

  /** Why it is gone, once it is. */
  get lostReason(): string {
    return this.#lostReason ?? "";
  }

  /** Calls back once when the connection is gone; gives what takes the listener away. */
  onLost(listener: () => void): () => void {
    if (this.alive) this.#listeners.add(listener);
    else listener();
    return () => this.#listeners.delete(listener);
  }

  /**
   * Starts a command and resolves with what `use` makes of its channel. `use` is called at once: the
   * command's end may have come in the same packet, and is told only to those who listen. Rejects with an `SshError` of phase `exec`, `notStarted` where the host can't
   * have got it.
   */
  exec<Used>(line: string, use: (channel: Channel) => Used): Promise<Used> {
    const { promise, resolve, reject } = Promise.withResolvers<Used>();
    const fail = (error: unknown) => {
      const text = messageOf(error);
      const notStarted = /^(Not connected|No response from server)$/.test(text);
      const message = `Cannot run commands on "${this.hop.alias}": ${text}`;
      reject(new SshError(message, "exec", { notStarted }));
    };
    try {
      this.#last.exec(line, {}, (error, channel) => error ? fail(error) : resolve(use(channel)));
    } catch (error) {
      fail(error);
    }
    return promise;
  }

  /** Closes it, and the connections to the hops before it. */
  close(): void {
    this.#lose("it was closed");
    for (const client of [this.#last, ...this.#before.toReversed()]) {
      client.end();
      client.destroy();
    }
  }

  #lose(reason: string): void {
    if (!this.alive) return;
    this.#lostReason = reason;
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of listeners) listener();
  }
}

/** Logs in to the hosts of a route, each through the one before it. */
export async function openConnection(
  route: Route,
  parts: ConnectionParts,
  signal: AbortSignal,
): Promise<Connection> {
  const ssh2 = await loadSsh2();
  const { jumps, target } = route;
  const clients: Client[] = [];
  const open = async (hop: Hop): Promise<Client> => {
    const deadline = performance.now() + hop.connectTimeoutMs;
    const sock = await openWay(clients.at(-1), hop, { deadline, signal });
    const client = await logIn(hop, { ...parts, ssh2, sock, deadline, signal });
    clients.push(client);
    return client;
  };
  try {
    for (const hop of jumps) await open(hop);
    return new Connection(target, await open(target), clients.slice(0, -1));
  } catch (error) {
    for (const client of clients.toReversed()) client.destroy();
    throw error;
  }
}

type HopOptions = { deadline: number; signal: AbortSignal };

async function logIn(
  hop: Hop,
  parts: ConnectionParts & HopOptions & { ssh2: Ssh2; sock: Duplex },
): Promise<Client> {
  const { settings, hostKeys, ssh2, sock, ...options } = parts;
  try {
    const hostKey = await hostKeys.check(hop.knownNames);
    const credentials = await toCredentials(hop, settings, ssh2);
    return await openClient(hop, { ...options, ssh2, sock, credentials, hostKey });
  } catch (error) {
    sock.destroy();
    throw error;
  }
}

/** A TCP connection of our own, or one that the hop before makes for us. */
async function openWay(
  before: Client | undefined,
  hop: Hop,
  options: HopOptions,
): Promise<Duplex> {
  if (before === undefined) return await openSocket(hop, options);
  const { promise, resolve, reject } = Promise.withResolvers<Duplex>();
  const fail = (state: string) =>
    reject(
      new SshError(`Cannot connect to "${hop.alias}" through its ProxyJump: ${state}`, "connect"),
    );
  const onAbort = () => reject(options.signal.reason);
  const timer = setTimeout(() => fail("no answer"), options.deadline - performance.now());
  options.signal.addEventListener("abort", onAbort, { once: true });
  before.on("close", () => fail("the connection to it was lost"));
  before.forwardOut("127.0.0.1", 0, hop.hostName, hop.port, (error, channel) => {
    if (error) fail(error.message);
    else resolve(channel);
  });
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    options.signal.removeEventListener("abort", onAbort);
  }
}
