/** Where and how long a program runs. */
export interface RunProgramOptions {
  /** Kills the program, and every process of its group. */
  readonly signal: AbortSignal;
  readonly cwd?: string;
  readonly env?: Record<string, string>;
  /** Where its output goes; `"held"` prints it once the program has ended. @default {"inherit"} */
  readonly output?: "inherit" | "null" | "held";
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
  const command = new Deno.Command(program, {
    args: [...args],
    cwd,
    env,
    stdin: "null",
    stdout: output === "held" ? "piped" : output,
    stderr: output === "held" ? "piped" : output,
    detached: true,
  });
  const child = command.spawn();
  const held = output === "held"
    ? Promise.all([holdText(child.stdout), holdText(child.stderr)])
    : [];
  const end = () => killGroup(child.pid);
  signal.addEventListener("abort", end);
  try {
    const { code } = await child.status;
    signal.throwIfAborted();
    return code;
  } finally {
    signal.removeEventListener("abort", end);
    for (const text of await held) console.log(text);
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

/** Reads all that a program writes to a stream. */
async function holdText(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  return await new Response(stream).text();
}
