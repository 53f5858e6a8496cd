import { Duplex } from "node:stream";
import type { CommandRunner, ExecutionResult, OutputEvent } from "../../../tool/command.ts";
import { messageOf } from "../../../shared/error.ts";
import { SshError, wordsOfHost } from "../ssh_error.ts";

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

  /** Takes how they are run. */
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
