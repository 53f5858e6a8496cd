import { ok } from "node:assert/strict";

/**
 * The words that start the command: those of `SERVE_PROGRAM`, a list in JSON, or else the sources on
 * Deno.
 */
const PROGRAM: readonly string[] = JSON.parse(Deno.env.get("SERVE_PROGRAM") ?? "null") ?? [
  ...[Deno.execPath(), "run", "--no-prompt", "-A"],
  new URL("../serve.ts", import.meta.url).pathname,
];

/** Whether the program imports TypeScript: only Node before 22.18 doesn't. */
export const READS_TYPESCRIPT = Deno.env.get("SERVE_TYPESCRIPT") !== "no";

/** The command in a separate process. */
export interface ServeProcess extends AsyncDisposable {
  /** All that it has printed so far. */
  readonly output: string;
  /** Waits for a text in the output, from a position on. */
  until(pattern: RegExp, from?: number): Promise<RegExpExecArray>;
  /** The address, once it listens. */
  url(): Promise<string>;
  /** Sends a signal. */
  kill(signal: Deno.Signal): void;
  /** How it ended, once it has. */
  readonly status: Promise<Deno.CommandStatus>;
}

/** Starts the command; it is stopped by `await using`. */
export function startServe(...args: string[]): ServeProcess {
  return startServeBy([], ...args);
}

/** Starts the command by another program, which gets it as its last arguments. */
export function startServeBy(starter: readonly string[], ...args: string[]): ServeProcess {
  const [program = "", ...rest] = [...starter, ...PROGRAM, ...args];
  const child = new Deno.Command(program, {
    args: rest,
    env: { NO_COLOR: "1" },
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let output = "";
  let isOver = false;
  const drain = async (stream: ReadableStream<Uint8Array<ArrayBuffer>>) => {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) output += text;
  };
  const drained = Promise.all([drain(child.stdout), drain(child.stderr)]);
  const status = child.status.then(async (ended) => {
    await drained;
    isOver = true;
    return ended;
  });
  const until = async (pattern: RegExp, from = 0) => {
    const deadline = Date.now() + 60_000;
    for (;;) {
      const found = pattern.exec(output.slice(from));
      if (found !== null) return found;
      ok(!isOver && Date.now() < deadline, `it never printed ${pattern}:\n${output}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  return {
    get output() {
      return output;
    },
    until,
    url: async () => (await until(/http:\/\/\S+\//))[0],
    kill: (signal) => child.kill(signal),
    status,
    async [Symbol.asyncDispose]() {
      if (!isOver) child.kill("SIGKILL");
      await status;
    },
  };
}
