/** Where and how long a program runs. */
export interface RunProgramOptions {
  /** Kills the program, and every process of its group. */
  readonly signal: AbortSignal;
  readonly cwd?: string;
  readonly env?: Record<string, string>;
  /** Where its output goes; a function gets the text of both streams. @default {"inherit"} */
  readonly output?: "inherit" | "null" | ((text: string) => void);
}

/**
 * Runs a program to its end, with its input closed. Resolves with the exit code; rejects with the
 * signal's reason if the signal ended it.
 */
export async function runProgram(
  program: string,
  args: readonly string[],
  options: RunProgramOptions,
): Promise<number> {
  const { signal, cwd, env, output = "inherit" } = options;
  signal.throwIfAborted();
  const isRead = typeof output === "function";
  const child = new Deno.Command(program, {
    args: [...args],
    cwd,
    env,
    stdin: "null",
    stdout: isRead ? "piped" : output,
    stderr: isRead ? "piped" : output,
    detached: true,
  }).spawn();
  const streams = isRead ? [child.stdout, child.stderr].map((one) => forward(one, output)) : [];
  const end = () => killGroup(child.pid);
  signal.addEventListener("abort", end);
  try {
    const { code } = await child.status;
    signal.throwIfAborted();
    return code;
  } finally {
    signal.removeEventListener("abort", end);
    await Promise.all(streams.map(({ close }) => close()));
  }
}

/** Kills a process group, which may have ended by itself. */
function killGroup(id: number): void {
  try {
    Deno.kill(-id, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

/** How long a stream is read after the program's end: a process that it left may keep it open. */
const DRAIN_MS = 2_000;

/** Hands the text of a stream on, until it ends or is closed. */
function forward(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  output: (text: string) => void,
): { close(): Promise<void> } {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  const read = async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read()) output(part.value);
  };
  const ended = read();
  const close = async () => {
    const timer = setTimeout(() => void reader.cancel(), DRAIN_MS);
    await ended;
    clearTimeout(timer);
  };
  return { close };
}
