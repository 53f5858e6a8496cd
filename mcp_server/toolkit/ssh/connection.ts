import type { Duplex } from "node:stream";
import { firstOf } from "../../shared/deadline.ts";
import { messageOf } from "../../shared/error.ts";
import { toCredentials } from "./credentials.ts";
import type { HostKeyStore } from "./host_key_store.ts";
import { type Login, openClient } from "./open_client.ts";
import { openSocket, type ProxyCommands, withWordsOfProxy } from "./open_socket.ts";
import type { Hop, Route } from "./route.ts";
import { type Channel, loadSsh2, type Ssh2, SshError, wordsOfHost } from "./ssh2.ts";
import { SshFiles } from "./ssh_files.ts";
import type { SshSettings } from "./ssh_settings.ts";

/** How long a host may take to read that a connection is closed. */
const LINGER_MS = 1_000;

/** A connection to a host, logged in, possibly through other hosts. */
export class Connection {
  readonly #last: Login;
  readonly #before: readonly Login[];
  readonly #listeners = new Set<() => void>();
  #lostReason: string | undefined;
  /** What is still to be done on it before it is closed. */
  #lastWork: Promise<void> | undefined;

  constructor(last: Login, before: readonly Login[]) {
    this.#last = last;
    this.#before = before;
    last.client.on("error", ({ message }) => this.#lose(wordsOfHost(message)));
    last.client.on("end", () => this.#lose("the host closed the connection"));
    last.client.on("close", () => this.#lose("the connection was closed"));
    for (const { sock, traffic } of [last, ...before]) {
      // ssh2 ends its side, and says nothing, if the host disconnects and leaves its own side open.
      sock.once("finish", () => this.#lose("the host disconnected"));
      traffic.onExcess((reason) => {
        this.#lose(reason);
        this.closeNow();
      });
    }
    // Listeners come too late for what happened while a new key was added to known_hosts.
    if (![last, ...before].every(({ sock }) => sock.writable)) this.#lose("the host disconnected");
  }

  /** The host at the end of the route. */
  get hop(): Hop {
    return this.#last.hop;
  }

  /** Whether a command may be tried on it. */
  get alive(): boolean {
    return !this.#isLost && this.#lastWork === undefined;
  }

  get #isLost(): boolean {
    return this.#lostReason !== undefined;
  }

  /** Why the connection was lost, once it is. */
  get lostReason(): string {
    return this.#lostReason ?? "";
  }

  /** Its hosts, from the first one on, and the keys by which they were accepted. */
  get hosts(): readonly Pick<Login, "hop" | "shown">[] {
    return [...this.#before, this.#last];
  }

  /** Calls back once when the connection is gone; returns a function that removes the listener. */
  onLost(listener: () => void): () => void {
    if (this.#isLost) listener();
    else this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Starts a command and resolves with what `use` returns for its channel. `use` is called at once:
   * the command's end may have come in the same packet, and is reported only to existing listeners.
   * Rejects with an `SshError` of phase `exec`, `notStarted` if the host can't have received it.
   */
  exec<Used>(line: string, use: (channel: Channel) => Used): Promise<Used> {
    const { promise, resolve, reject } = Promise.withResolvers<Used>();
    const fail = (error: unknown) => {
      const text = wordsOfHost(messageOf(error));
      const notStarted = /^(Not connected|No response from server)$/.test(text);
      const state = !this.#isLost || notStarted
        ? text
        : `the connection was lost (${this.lostReason})`;
      const message = `Cannot run commands on "${this.hop.alias}": ${state}`;
      reject(new SshError(message, "exec", { notStarted }));
    };
    const { client, traffic } = this.#last;
    try {
      traffic.restart();
      client.exec(line, {}, (error, channel) => {
        if (error) return fail(error);
        for (const stream of [channel, channel.stderr]) {
          // A host that continues sending after its end of file makes the stream fail.
          stream.on("error", () => {});
          stream.on("data", (chunk: Uint8Array) => traffic.deliver(chunk.length));
        }
        resolve(use(channel));
      });
    } catch (error) {
      fail(error);
    }
    return promise;
  }

  /** Marks it as unused: the host has nothing to send until the next command. */
  rest(): void {
    this.#last.traffic.rest();
  }

  /**
   * Closes it, and the connections to the hops before it; after the work of `closeAfter()`, if there
   * is any.
   */
  close(): void {
    if (this.#lastWork === undefined) this.closeNow();
  }

  /** Closes it once some work has ended. No other command may be tried on it from now on. */
  closeAfter(work: Promise<void>): void {
    this.#lastWork = work;
    const end = () => this.closeNow();
    work.then(end, end);
  }

  /** Closes it, whatever is still to be done on it. */
  closeNow(): void {
    this.#lose("it was closed");
    for (const login of [this.#last, ...this.#before.toReversed()]) end(login);
  }

  #lose(reason: string): void {
    if (this.#isLost) return;
    this.#lostReason = reason;
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of listeners) listener();
  }
}

/**
 * Sends a disconnect message, and closes the socket as soon as it is written. ssh2's own
 * `destroy()` leaves a socket open whose writing side has ended, until the host closes it.
 */
function end({ client, sock }: Login): void {
  const timer = setTimeout(() => sock.destroy(), LINGER_MS);
  Deno.unrefTimer(timer);
  sock.once("close", () => clearTimeout(timer));
  try {
    client.end();
  } catch {
    // The connection has already ended, because of the host or an error.
  }
  sock.end(() => sock.destroy());
}

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

const IDLE_MS = 5 * 60_000;
const MOST_IDLE = 64;

interface Idle {
  readonly key: string;
  readonly connection: Connection;
  readonly timer: ReturnType<typeof setTimeout>;
  /** Stops listening for the connection's end. */
  readonly forget: () => void;
}

/**
 * Keeps unused connections for five minutes. A connection is used by one caller at a time, so that
 * a server's limit on sessions (`MaxSessions`) is never reached.
 */
export class ConnectionPool {
  /** The one that has been unused longest comes first. */
  #idle: Idle[] = [];
  #closed = false;

  /** How many connections are in the pool. */
  get size(): number {
    return this.#idle.length;
  }

  /** Takes the most recently used connection, or `undefined` if there is none. */
  take(key: string): Connection | undefined {
    const found = this.#idle.findLast((idle) => idle.key === key && idle.connection.alive);
    if (found !== undefined) this.#remove(found);
    return found?.connection;
  }

  /** Returns a connection to the pool; a dead one, or one too many, is closed. */
  give(key: string, connection: Connection): void {
    if (this.#closed || !connection.alive) return connection.close();
    connection.rest();
    const idle: Idle = {
      key,
      connection,
      timer: setTimeout(() => this.#drop(idle), IDLE_MS),
      forget: connection.onLost(() => this.#drop(idle)),
    };
    this.#idle.push(idle);
    const [oldest] = this.#idle;
    if (this.#idle.length > MOST_IDLE && oldest !== undefined) this.#drop(oldest);
  }

  /** Closes all connections, including those that are returned later. */
  close(): void {
    this.#closed = true;
    for (const idle of [...this.#idle]) this.#drop(idle);
  }

  #drop(idle: Idle): void {
    if (this.#remove(idle)) idle.connection.close();
  }

  #remove(idle: Idle): boolean {
    clearTimeout(idle.timer);
    idle.forget();
    const there = this.#idle.includes(idle);
    this.#idle = this.#idle.filter((each) => each !== idle);
    return there;
  }
}
