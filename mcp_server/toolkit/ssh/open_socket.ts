import { lookup } from "node:dns/promises";
import { isIP, Socket } from "node:net";
import { Duplex } from "node:stream";
import { firstOf } from "../../shared/concurrency.ts";
import { messageOf } from "../../shared/error.ts";
import type { CommandRunner, ExecutionResult, OutputEvent } from "../../tool/command.ts";
import type { Hop } from "./route.ts";
import { SshError, wordsOfHost } from "./ssh2.ts";

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
  socket.connect({ host, port, localAddress: bindAddress });
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

/** How proxies are run. */
export interface ProxyParts {
  readonly commands: CommandRunner;
  /** The shell that runs the command; OpenSSH takes the one of the user. */
  readonly shell: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Characters kept of what a proxy prints about itself. */
const MOST_SAID = 2_000;

/**
 * The proxies of one host's commands (ssh_config(5), "ProxyCommand"): programs whose standard
 * streams are the connection. They run within the server's limits, and none is left once this is
 * disposed of; a cancelled call still needs them, to stop its command on the host.
 */
export class ProxyCommands implements AsyncDisposable {
  readonly #parts: ProxyParts;
  readonly #stop = new AbortController();
  readonly #running = new Set<Promise<void>>();

  constructor(parts: ProxyParts) {
    this.#parts = parts;
  }

  /** Starts a command and returns its streams, which fail with its end and what it printed. */
  open(command: string, alias: string): Duplex {
    const end = new AbortController();
    const sock = new ProxyStream(() => end.abort());
    const signal = AbortSignal.any([this.#stop.signal, end.signal]);
    const fail = (state: string) => {
      const words = wordsOfHost(sock.said);
      const printed = words === "" ? "" : `; it printed: ${words}`;
      const message = `Cannot connect to "${alias}" through its ProxyCommand: ${state}${printed}`;
      sock.destroy(new SshError(message, "connect"));
    };
    const running = this.#run(command, sock, signal).then(
      ({ exitCode }) => fail(`it ended with ${exitCode}`),
      (error) => signal.aborted ? void sock.destroy() : fail(messageOf(error)),
    ).finally(() => this.#running.delete(running));
    this.#running.add(running);
    return sock;
  }

  #run(command: string, sock: ProxyStream, signal: AbortSignal): Promise<ExecutionResult> {
    const { commands, shell, env } = this.#parts;
    const spec = { program: shell, args: ["-c", `exec ${command}`], env, stdin: sock.input };
    const onOutput = (event: OutputEvent) => sock.accept(event);
    return commands.run(spec, { signal, onOutput, helper: true });
  }

  /** Stops all of them; resolves once their processes are gone. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#running);
  }
}

/** Adds what a proxy printed to the reason why its connection failed. */
export function withWordsOfProxy(error: unknown, sock: Duplex): unknown {
  if (!(sock instanceof ProxyStream) || !(error instanceof SshError)) return error;
  const words = wordsOfHost(sock.said);
  if (error.phase === "auth" || words === "" || error.message.includes(words)) return error;
  const message = `${error.message}; its ProxyCommand printed: ${words}`;
  return new SshError(message, error.phase, { notStarted: error.notStarted });
}

/** The connection that a proxy makes, as a socket. */
class ProxyStream extends Duplex {
  /** What is written to it, for the command's input. */
  readonly input: ReadableStream<Uint8Array>;
  /** The end of what the command printed on its standard error. */
  said = "";
  readonly #onDestroy: () => void;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  /** Called when the command reads on. */
  #onPull: (() => void) | undefined;
  /** Called when this side reads on. */
  #onRead: (() => void) | undefined;

  constructor(onDestroy: () => void) {
    super();
    this.#onDestroy = onDestroy;
    this.input = new ReadableStream({
      start: (controller) => void (this.#controller = controller),
      pull: () => this.#wrote(),
      cancel: () => {
        this.#controller = undefined;
        this.#wrote();
      },
    });
    // Whoever uses it listens for its end; without a listener it would end the server.
    this.on("error", () => {});
  }

  /** Takes a piece of the command's output; a promise resolves when there is room for more. */
  accept({ stream, text, bytes }: OutputEvent): void | Promise<void> {
    if (stream === "stderr") {
      this.said = (this.said + text).slice(-MOST_SAID);
      return;
    }
    // The bytes are valid only during the call.
    if (this.destroyed || bytes === undefined || this.push(bytes.slice())) return;
    return new Promise((resolve) => this.#onRead = resolve);
  }

  override _read(): void {
    this.#onRead?.();
    this.#onRead = undefined;
  }

  override _write(chunk: Uint8Array, _encoding: string, done: () => void): void {
    this.#onPull = done;
    this.#controller?.enqueue(new Uint8Array(chunk));
    // Without a controller, the command reads no more.
    if ((this.#controller?.desiredSize ?? 1) > 0) this.#wrote();
  }

  override _final(done: () => void): void {
    this.#controller?.close();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this._read();
    this.#wrote();
    this.#onDestroy();
    done(error);
  }

  #wrote(): void {
    const done = this.#onPull;
    this.#onPull = undefined;
    done?.();
  }
}
