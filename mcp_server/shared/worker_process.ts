import { dirname, relative } from "node:path/posix";
import { firstOf } from "./concurrency.ts";

/** The flag that makes a compiled server run the module of a worker process, and nothing else. */
export const WORKER_FLAG = "--worker";

/** What a worker process runs. */
export interface WorkerProgram {
  /** The module, which calls `serveRequests()` as soon as it is imported. */
  readonly module: URL;
  /** Options of Deno and its permissions; a compiled server has its own. */
  readonly flags: readonly string[];
}

/** How the server is run. */
interface Runtime {
  /** It is a compiled program, so there is no `deno` to run a file with. */
  readonly standalone: boolean;
  /** The program that runs: `deno`, or the compiled server. */
  readonly execPath: string;
}

const FLAGS = ["--quiet", "--no-prompt", "--no-config", "--no-lock", "--cached-only"];
/** Below `node_modules`, where npm installs the server, its packages are found as Node finds them. */
const NPM_FLAGS = import.meta.url.includes("/node_modules/") ? ["--node-modules-dir=manual"] : [];

/**
 * The program and the arguments that run a worker's module: a compiled server starts itself again,
 * and finds the module by its path from this one, because the folder of its files may have moved.
 */
export function workerCommand(
  { module, flags }: WorkerProgram,
  { standalone, execPath }: Runtime = {
    standalone: Deno.build.standalone,
    execPath: Deno.execPath(),
  },
): [program: string, ...args: string[]] {
  if (!standalone) return [execPath, "run", ...FLAGS, ...NPM_FLAGS, ...flags, module.href];
  const { pathname } = new URL(import.meta.url);
  return [execPath, WORKER_FLAG, relative(dirname(pathname), module.pathname)];
}

/** Runs the module that the arguments of {@linkcode workerCommand} name; resolves when it has ended. */
export async function runWorker(path: string): Promise<void> {
  await import(new URL(path, import.meta.url).href);
}

/** As much as a pipe holds. */
const CHUNK_BYTES = 65_536;

/**
 * Answers the requests on stdin on stdout, one after the other, until stdin ends; `undefined` is no
 * answer. Reading and writing block: nothing else runs in a worker process.
 */
export async function serveRequests<Request extends Message>(
  answer: (request: Request) => Message | undefined | Promise<Message | undefined>,
): Promise<void> {
  const frames = new FrameReader<Request>();
  const chunk = new Uint8Array(CHUNK_BYTES);
  for (let count; (count = Deno.stdin.readSync(chunk)) !== null;) {
    for (const request of frames.read(chunk.slice(0, count))) {
      const reply = await answer(request);
      if (reply !== undefined) print(encodeFrame(reply));
    }
  }
}

function print(bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length;) {
    written += Deno.stdout.writeSync(bytes.subarray(written));
  }
}

/** How a worker process is bounded, and what is done when it ends. */
interface WorkerOptions {
  /** The largest reply. */
  readonly maxReplyBytes: number;
  /** Called once if the process ends before it is told to. */
  readonly onLost?: (code: number) => void;
  /** Whether the program may end while the process has nothing to do. @default {false} */
  readonly unref?: boolean;
}

/** A process that answers requests in order. */
export class WorkerProcess<Request extends Message, Reply extends Message> {
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #options: WorkerOptions;
  readonly #waiting: ((reply: Reply | undefined) => void)[] = [];
  readonly #ended: Promise<void>;
  #alive = true;

  /** Starts the process; throws the system's error if that is impossible. */
  constructor(
    [program, ...args]: readonly [program: string, ...args: string[]],
    process: Pick<Deno.CommandOptions, "cwd" | "env" | "clearEnv" | "detached">,
    options: WorkerOptions,
  ) {
    const pipes = { stdin: "piped", stdout: "piped", stderr: "null" } as const;
    this.#child = new Deno.Command(program, { args, ...process, ...pipes }).spawn();
    this.#writer = this.#child.stdin.getWriter();
    this.#options = options;
    if (options.unref) this.#child.unref();
    this.#ended = this.#read();
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** Whether it takes requests: it has neither ended nor been told to. */
  get alive(): boolean {
    return this.#alive;
  }

  /** Sends a request that has no reply. */
  send(request: Request): void {
    // If the process has ended, the end of its output says so.
    this.#writer.write(encodeFrame(request)).catch(() => {});
  }

  /** Sends a request; resolves with the reply, or with `undefined` once the process has ended. */
  async ask(request: Request, timeoutMs?: number): Promise<Reply | undefined> {
    if (!this.#alive) return undefined;
    const { promise, resolve } = Promise.withResolvers<Reply | undefined>();
    using _deadline = firstOf({ timeoutMs }, () => void this.kill());
    this.#waiting.push(resolve);
    this.#child.ref();
    this.send(request);
    const reply = await promise;
    if (this.#options.unref && this.#waiting.length === 0) this.#child.unref();
    return reply;
  }

  /** Ends it after the requests that were sent: it ends with its input. */
  end(): void {
    this.#alive = false;
    this.#writer.close().catch(() => {});
  }

  /** Ends it at once, whatever it does; resolves when it has ended. */
  async kill(): Promise<void> {
    this.#alive = false;
    this.#signal();
    this.#child.ref();
    await this.#ended;
  }

  async #read(): Promise<void> {
    try {
      const frames = new FrameReader<Reply>(this.#options.maxReplyBytes);
      for await (const chunk of this.#child.stdout) {
        for (const reply of frames.read(chunk)) this.#waiting.shift()?.(reply);
      }
    } catch {
      this.#signal();
    }
    this.#writer.abort().catch(() => {});
    const { code } = await this.#child.status;
    const isLost = this.#alive;
    this.#alive = false;
    for (const resolve of this.#waiting.splice(0)) resolve(undefined);
    if (isLost) this.#options.onLost?.(code);
  }

  #signal(): void {
    try {
      this.#child.kill("SIGKILL");
    } catch {
      // It has ended.
    }
  }
}

/** A message: JSON, except for one `ArrayBuffer` at most, as a value of its own or in a list. */
export type Message = object;

/** Both lengths, 32 bits each: that of the JSON text, and that of the bytes after it. */
const HEADER_BYTES = 8;
/** Added to the length of the bytes, so that 0 means that there are none. */
const HAS_BYTES = 1;
/** Where the buffer was in a message that has one. */
const BYTES = "bytes of this frame";

/** Encodes a message: its lengths, its JSON text, and the bytes of its buffer. */
export function encodeFrame(message: Message): Uint8Array<ArrayBuffer> {
  const buffer = Object.values(message).flat().find((value) => value instanceof ArrayBuffer);
  const replace = (_key: string, value: unknown) => value === buffer ? { [BYTES]: true } : value;
  const json = new TextEncoder().encode(
    buffer === undefined ? JSON.stringify(message) : JSON.stringify(message, replace),
  );
  const frame = new Uint8Array(HEADER_BYTES + json.length + (buffer?.byteLength ?? 0));
  const header = new DataView(frame.buffer);
  header.setUint32(0, json.length);
  frame.set(json, HEADER_BYTES);
  if (buffer === undefined) return frame;
  header.setUint32(4, HAS_BYTES + buffer.byteLength);
  frame.set(new Uint8Array(buffer), HEADER_BYTES + json.length);
  return frame;
}

/** Finds the messages in chunks of bytes, which may start and end anywhere. */
export class FrameReader<Read extends Message> {
  readonly #mostBytes: number;
  /** The chunks of the frame that has not ended. */
  #parts: Uint8Array[] = [];
  #size = 0;
  /** The size of that frame; of its header until that has arrived. */
  #needed = HEADER_BYTES;

  constructor(mostBytes: number = Infinity) {
    this.#mostBytes = mostBytes;
  }

  /**
   * Takes a chunk, and yields the messages that it ends. Throws a `RangeError` for a message that is
   * too large, before it has arrived.
   */
  *read(chunk: Uint8Array): Generator<Read> {
    this.#parts.push(chunk);
    this.#size += chunk.length;
    while (this.#size >= this.#needed) {
      const bytes = join(this.#parts, this.#size);
      this.#parts = [bytes];
      if (this.#needed === HEADER_BYTES) {
        this.#needed = this.#sizeOf(bytes);
        if (this.#size < this.#needed) return;
      }
      const rest = bytes.subarray(this.#needed);
      const message = decodeFrame<Read>(bytes.subarray(0, this.#needed));
      this.#parts = [rest];
      this.#size = rest.length;
      this.#needed = HEADER_BYTES;
      yield message;
    }
  }

  #sizeOf(bytes: Uint8Array): number {
    const { json, buffer = 0 } = lengthsOf(bytes);
    const size = HEADER_BYTES + json + buffer;
    if (size <= this.#mostBytes) return size;
    throw new RangeError(`Cannot read a message of ${size} bytes: ${this.#mostBytes} are the most`);
  }
}

/** The lengths in a header; none of a buffer if there is none. */
function lengthsOf({ buffer, byteOffset }: Uint8Array): { json: number; buffer?: number } {
  const header = new DataView(buffer, byteOffset);
  const bytes = header.getUint32(4);
  return { json: header.getUint32(0), buffer: bytes === 0 ? undefined : bytes - HAS_BYTES };
}

function decodeFrame<Read extends Message>(frame: Uint8Array): Read {
  const { json, buffer } = lengthsOf(frame);
  const text = new TextDecoder().decode(frame.subarray(HEADER_BYTES, HEADER_BYTES + json));
  if (buffer === undefined) return JSON.parse(text);
  const bytes = frame.slice(HEADER_BYTES + json).buffer;
  return JSON.parse(text, (_key, value) => isBytes(value) ? bytes : value);
}

function isBytes(value: unknown): boolean {
  return typeof value === "object" && value !== null && BYTES in value;
}

function join(parts: readonly Uint8Array[], size: number): Uint8Array {
  const [first] = parts;
  if (first !== undefined && parts.length === 1) return first;
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
