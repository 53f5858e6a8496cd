import { setTimeout as delay } from "node:timers/promises";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";

/** How a server is started. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  /** Its whole environment. */
  readonly env: Readonly<Record<string, string>>;
  /** The folder that it is started in. */
  readonly cwd: string;
}

/** How long a server may take to end after each step of a close, as in the SDK's own transport. */
const STEP_MS = 2_000;
const NEWLINE = 10;

/**
 * A transport over stdio for the SDK's client that counts the bytes it receives and sends. Its messages may
 * have any size: the SDK's own transport closes the connection at a message of more than 10 MiB.
 */
export class CountingTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Received so far. */
  bytes = 0;
  /** Sent so far. */
  sent = 0;
  /** What ended the server. */
  readonly ended: Promise<"end of input" | "SIGTERM" | "SIGKILL">;
  readonly #child: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #closing = Promise.withResolvers<void>();
  #output = Promise.resolve();

  /** Starts the server. */
  constructor({ command, args, env, cwd }: Program) {
    this.#child = new Deno.Command(command, {
      args: [...args],
      env: { ...env },
      clearEnv: true,
      cwd,
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    this.#input = this.#child.stdin.getWriter();
    this.ended = this.#end();
  }

  /** Process id of the server. */
  get pid(): number {
    return this.#child.pid;
  }

  /** Begins to read the server's messages. */
  start(): Promise<void> {
    this.#output = this.#read();
    return Promise.resolve();
  }

  /** Sends a message; one to a server that has ended is dropped. */
  async send(message: JSONRPCMessage): Promise<void> {
    const line = new TextEncoder().encode(`${JSON.stringify(message)}\n`);
    this.sent += line.length;
    await this.#input.write(line).catch((error: Error) => this.onerror?.(error));
  }

  /** Ends the server as the SDK's transport does: its input, then SIGTERM, then SIGKILL. */
  async close(): Promise<void> {
    this.#closing.resolve();
    await this.ended;
    // A process that the server left behind may hold its output open.
    await Promise.race([this.#output, delay(STEP_MS / 4)]);
    this.#reportClosed();
  }

  async #end() {
    await this.#closing.promise;
    await this.#input.close().catch(() => {});
    if (await this.#endsSoon()) return "end of input";
    this.#kill("SIGTERM");
    if (await this.#endsSoon()) return "SIGTERM";
    this.#kill("SIGKILL");
    await this.#child.status;
    return "SIGKILL";
  }

  /** Sends a signal to the server, which may have ended just now. */
  #kill(signal: Deno.Signal): void {
    try {
      this.#child.kill(signal);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
  }

  async #endsSoon(): Promise<boolean> {
    const ended = this.#child.status.then(() => true);
    return await Promise.race([ended, delay(STEP_MS).then(() => false)]);
  }

  async #read(): Promise<void> {
    let parts: Uint8Array[] = [];
    for await (const chunk of this.#child.stdout) {
      this.bytes += chunk.length;
      let from = 0;
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
        this.#deliver([...parts, chunk.subarray(from, at)]);
        parts = [];
        from = at + 1;
      }
      parts.push(chunk.subarray(from));
    }
    this.#reportClosed();
  }

  #reportClosed(): void {
    const { onclose } = this;
    delete this.onclose;
    onclose?.();
  }

  /** Passes one line on; what is not JSON is ignored, as the SDK does. */
  #deliver(parts: readonly Uint8Array[]): void {
    let text = "";
    const decoder = new TextDecoder();
    for (const part of parts) text += decoder.decode(part, { stream: true });
    try {
      this.onmessage?.(JSON.parse(text));
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
}
