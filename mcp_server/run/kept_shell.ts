import { within } from "../shared/concurrency.ts";

/** What a shell is kept for. */
interface KeptShellOptions {
  /** The search path for its programs. */
  readonly path: string;
  /** The shell functions that it is asked to call. */
  readonly functions: string;
  /** What can't be done if it gives no answer. */
  readonly action: string;
  /** How long an answer may take. */
  readonly timeoutMs: number;
}

/** Calls a function for each line; what it prints ends with a word that nothing else can know. */
const LOOP = `exec 2>&1
while read -r end call; do
  eval "$call" </dev/null && echo "$end ok" || echo "$end failed"
done`;

/**
 * One `sh` that is kept, for a Deno without permission for `/sys` and `/proc`: a question is a
 * round trip over a pipe, in some 200 microseconds. The shell ends with this process, and is started
 * again if it was ended. Its environment is minimal, so that it neither reveals secrets nor looks
 * like a run.
 */
export class KeptShell implements AsyncDisposable {
  readonly #options: KeptShellOptions;
  #shell: Shell | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: KeptShellOptions) {
    this.#options = options;
  }

  /**
   * Calls a function with arguments that have no line breaks, one call after the other. Resolves with
   * what it prints; rejects if it fails, or does not answer in time.
   */
  ask(name: string, ...args: string[]): Promise<string> {
    const answer = this.#last.then(() => this.#call([name, ...args.map(quote)].join(" ")));
    this.#last = answer.catch(() => {});
    return answer;
  }

  /** Ends the shell; the next question starts another one. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#last;
    if (this.#shell !== undefined) await this.#end(this.#shell);
  }

  async #call(call: string): Promise<string> {
    const { action, timeoutMs } = this.#options;
    const shell = this.#shell ??= this.#start();
    const answer = askShell(shell, call);
    answer.catch(() => {});
    try {
      // Not even SIGKILL ends a program that waits in the kernel for a stuck process.
      if (!await within(answer, timeoutMs)) {
        throw new Error(`Cannot ${action}: no answer within ${timeoutMs} ms`);
      }
      const text = await answer;
      if (text === undefined) throw new Error(`Cannot ${action}: the helper shell has ended`);
      return text;
    } catch (error) {
      if (!(error instanceof RefusedError)) void this.#end(shell);
      throw error;
    }
  }

  #start(): Shell {
    const shell = startShell(this.#options);
    void shell.child.status.then(() => this.#end(shell));
    return shell;
  }

  async #end(shell: Shell): Promise<void> {
    if (this.#shell !== shell) return;
    this.#shell = undefined;
    await endShell(shell);
  }
}

/** The function failed, and the shell goes on. */
class RefusedError extends Error {
  override readonly name: string = "RefusedError";
}

interface Shell {
  readonly child: Deno.ChildProcess;
  readonly input: WritableStreamDefaultWriter<Uint8Array>;
  readonly output: ReadableStreamDefaultReader<string>;
}

function startShell({ path, functions }: KeptShellOptions): Shell {
  const child = new Deno.Command("sh", {
    args: ["-c", `${functions}\n${LOOP}`],
    clearEnv: true,
    env: { PATH: path, LC_ALL: "C" },
    // A Ctrl-C at the terminal goes to the server's whole group: the shell has to outlive it.
    detached: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  // It must not keep a program that embeds the server from ending.
  child.unref();
  const output = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  return { child, input: child.stdin.getWriter(), output };
}

/** Ends a shell, with the program that it may be waiting for. */
async function endShell({ child, input, output }: Shell): Promise<void> {
  child.ref();
  input.close().catch(() => {});
  output.cancel().catch(() => {});
  try {
    Deno.kill(-child.pid, "SIGKILL");
  } catch {
    // It has ended.
  }
  await child.status;
}

const encoder = new TextEncoder();

/** Resolves with what a call prints; with `undefined` if the shell has ended. */
async function askShell({ input, output }: Shell, call: string): Promise<string | undefined> {
  const end = crypto.randomUUID();
  await input.write(encoder.encode(`${end} ${call}\n`));
  for (let answer = "";;) {
    const { done, value } = await output.read();
    if (done) return undefined;
    answer += value;
    if (answer.endsWith(`${end} ok\n`)) return answer.slice(0, -`${end} ok\n`.length);
    if (answer.endsWith(`${end} failed\n`)) throw new RefusedError(toReason(answer, end));
  }
}

function toReason(answer: string, end: string): string {
  const lines = answer.slice(0, answer.lastIndexOf(end)).trim().split("\n");
  return lines.map((line) => line.replace(/^\S+: \d+: (?:eval: )?/, "")).join("; ") ||
    "the system refuses it";
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
