import type { Duplex } from "node:stream";
import { firstOf } from "../../shared/concurrency.ts";
import { messageOf } from "../../shared/error.ts";
import { type LoginSettings, toCredentials } from "./credentials.ts";
import type { HostKeyStore } from "./host_key_store.ts";
import { type Login, openClient } from "./open_client.ts";
import {
  type ConnectOptions,
  openSocket,
  type ProxyCommands,
  withWordsOfProxy,
} from "./open_socket.ts";
import type { Hop, Route } from "./route.ts";
import {
  type Channel,
  loadSsh2,
  type Sftp2,
  type Ssh2,
  SshError,
  type SshPhase,
  wordsOfHost,
} from "./ssh2.ts";
import { SshFiles } from "./ssh_files.ts";

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

  /**
   * Whether each of its hosts, from the first one on, would still be accepted by its key. Rejects as
   * {@linkcode openConnection} does if that can't be found out.
   */
  async isStillTrusted(hostKeys: HostKeyStore, signal: AbortSignal): Promise<boolean> {
    for (const { hop, shown } of [...this.#before, this.#last]) {
      using files = new SshFiles({ signal, deadline: performance.now() + hop.connectTimeoutMs });
      if (!await hostKeys.recheck(hop, shown, files)) return false;
    }
    return true;
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
    const fail = (error: unknown) => reject(this.#toError("run commands on", "exec", error));
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

  /**
   * Starts the host's SFTP subsystem. Rejects with an `SshError` of phase `copy`, `notStarted` if the
   * connection was lost.
   */
  openSftp(): Promise<Sftp2> {
    const { promise, resolve, reject } = Promise.withResolvers<Sftp2>();
    const fail = (error: unknown) => {
      const { message, phase, notStarted } = this.#toError("use SFTP on", "copy", error);
      // Whatever the host has received of it, it has done nothing to a file.
      reject(new SshError(message, phase, { notStarted: notStarted || this.#isLost }));
    };
    const { client, traffic } = this.#last;
    const forget = this.onLost(() => fail("the connection was lost"));
    try {
      traffic.restart();
      client.sftp((error, sftp) => {
        forget();
        if (error) return fail(error);
        // A host that breaks the protocol closes the channel, and all requests fail.
        sftp.on("error", () => {});
        resolve(sftp);
      });
    } catch (error) {
      forget();
      fail(error);
    }
    return promise;
  }

  /** Counts bytes that were requested over SFTP. */
  deliver(bytes: number): void {
    this.#last.traffic.deliver(bytes);
  }

  #toError(action: string, phase: SshPhase, error: unknown): SshError {
    const text = wordsOfHost(messageOf(error));
    const notStarted = /^(Not connected|No response from server)$/.test(text);
    const state = !this.#isLost || notStarted
      ? text
      : `the connection was lost (${this.lostReason})`;
    return new SshError(`Cannot ${action} "${this.hop.alias}": ${state}`, phase, { notStarted });
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
interface ConnectionParts {
  readonly settings: LoginSettings;
  readonly hostKeys: HostKeyStore;
  readonly proxies: ProxyCommands;
}

/** Logs in to the hosts of a route, each through the one before it. */
export async function openConnection(
  { jumps, target, proxyCommand }: Route,
  { proxies, ...parts }: ConnectionParts,
  signal: AbortSignal,
): Promise<Connection> {
  const ssh2 = await loadSsh2();
  const before: Login[] = [];
  const open = async (hop: Hop): Promise<Login> => {
    const wait = { deadline: performance.now() + hop.connectTimeoutMs, signal };
    const last = before.at(-1);
    const openDirect = () =>
      proxyCommand === undefined ? openSocket(hop, wait) : proxies.open(proxyCommand, hop.alias);
    const sock = await (last === undefined ? openDirect() : openChannel(last, hop, wait));
    return await logIn(hop, { ...parts, ...wait, ssh2, sock });
  };
  try {
    for (const hop of jumps) before.push(await open(hop));
    return new Connection(await open(target), before);
  } catch (error) {
    for (const { sock } of before.toReversed()) sock.destroy();
    throw error;
  }
}

async function logIn(
  hop: Hop,
  { settings, hostKeys, ssh2, sock, ...wait }:
    & Omit<ConnectionParts, "proxies">
    & ConnectOptions
    & { ssh2: Ssh2; sock: Duplex },
): Promise<Login> {
  using files = new SshFiles(wait);
  try {
    const hostKey = await hostKeys.check(hop, files);
    const credentials = await toCredentials(hop, settings, ssh2, files);
    return await openClient(hop, { ...wait, ssh2, sock, credentials, hostKey });
  } catch (error) {
    sock.destroy();
    throw withWordsOfProxy(error, sock);
  }
}

/** Opens a connection to a hop through the one before it. */
async function openChannel(
  { client, traffic }: Login,
  hop: Hop,
  { deadline, signal }: ConnectOptions,
): Promise<Duplex> {
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
