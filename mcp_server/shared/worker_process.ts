import { dirname, relative } from "node:path/posix";
import { firstOf } from "./deadline.ts";
import { encodeFrame, FrameReader, type Message } from "./frames.ts";

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
export interface Runtime {
  /** It is a compiled program, so there is no `deno` to run a file with. */
  readonly standalone: boolean;
  /** The program that runs: `deno`, or the compiled server. */
  readonly execPath: string;
}

const FLAGS = ["--quiet", "--no-prompt", "--no-config", "--no-lock", "--cached-only"];

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
  if (!standalone) return [execPath, "run", ...FLAGS, ...flags, module.href];
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
 * answer. Reading, answering and writing block: nothing else runs in a worker process.
 */
export function serveRequests<Request extends Message>(
  answer: (request: Request) => Message | undefined,
): void {
  const frames = new FrameReader<Request>();
  const chunk = new Uint8Array(CHUNK_BYTES);
  for (let count; (count = Deno.stdin.readSync(chunk)) !== null;) {
    for (const request of frames.read(chunk.slice(0, count))) {
      const reply = answer(request);
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
export interface WorkerOptions {
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
