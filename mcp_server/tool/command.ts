import type { RunAsUser } from "../access/run_as.ts";
import type { SecretMask } from "../access/secret_mask.ts";

/** A folder that stays the same until disposal, whatever happens to the path that led to it. */
export interface HeldFolder extends AsyncDisposable {
  /** A path that leads to it until then; the server's own user can use it. */
  readonly path: string;
  /** Its real path when it was entered. */
  readonly realPath: string;
}

/** What to run: a program and its arguments, without a shell. */
export interface CommandSpec {
  /** Program name, looked up on PATH, or its path. */
  readonly program: string;
  /** Arguments, as the program gets them. @default {[]} */
  readonly args?: readonly string[];
  /** Working folder; it is checked before the program starts. @default {the server's own} */
  readonly cwd?: string;
  /** Holds the working folder until the program has started, in place of looking up `cwd`. */
  readonly holdCwd?: (signal: AbortSignal) => Promise<HeldFolder>;
  /** Variables that override the inherited environment, which lacks the server's secrets. */
  readonly env?: Readonly<Record<string, string>>;
  /**
   * Text for standard input, which is closed after it, or a stream that is read only as fast as the
   * program reads, and cancelled when the program has ended. @default {closed immediately}
   */
  readonly stdin?: string | ReadableStream<Uint8Array>;
  /** Time-out in milliseconds, clamped to the server's limit. @default {30_000} */
  readonly timeoutMs?: number;
  /** Bytes kept of each output stream, clamped to the server's limit. @default {131_072} */
  readonly maxOutputBytes?: number;
  /**
   * Characters that both streams may take as JSON text, clamped to the server's limit: it bounds
   * output whose characters are escaped. @default {33_554_432}
   */
  readonly maxResultBytes?: number;
}

/** The result of a command. Optional keys appear only if they apply. */
export type ExecutionResult = {
  stdout: string;
  stderr: string;
  /** The program's own exit code, or 128 + the signal's number if a signal ended it. */
  exitCode: number;
  /** `true` only if the time-out stopped the command. */
  timedOut: boolean;
  /** `true` if a stream was longer than the cap; a line in it says how many bytes are left out. */
  truncated?: true;
  /** Name of the signal that ended the command, such as `SIGKILL`. */
  signal?: string;
  /** `true` if the command was ended because it used more memory than a command may. */
  oomKilled?: true;
  /** How many background processes were killed because they kept the command's output open. */
  backgroundEnded?: number;
  /** The id of the job that has the whole output, if a part of it is left out here. */
  job?: string;
  /** What the time-out was, and how a command can run longer, if the time-out stopped it. */
  hint?: string;
};

/**
 * How a command ended: `nonzero` also if a signal ended it, `oom` if it used more memory than it may,
 * `stopped` if its call was.
 */
export type CommandEnd = "ok" | "nonzero" | "timeout" | "oom" | "stopped";

/** A command that has ended. */
export interface EndedCommand {
  /** The way in which it ended. */
  readonly end: CommandEnd;
  /** Its exit code; `undefined` if it is not known. */
  readonly exitCode: number | undefined;
}

/** What a command that still runs has written. */
export type OutputSoFar = Pick<ExecutionResult, "stdout" | "stderr" | "truncated">;

/** A stream to which a command writes. */
export type OutputStream = "stdout" | "stderr";

/** The size of a terminal, in characters. */
export interface TerminalSize {
  /** 1 to 1,000. */
  readonly rows: number;
  /** 1 to 1,000. */
  readonly cols: number;
}

/** A piece of output, reported while the command runs. */
export interface OutputEvent {
  /** The stream to which the command wrote. */
  readonly stream: OutputStream;
  /** What it wrote; never half a character, so it is empty until one is complete. */
  readonly text: string;
  /** The same as bytes, exactly; they are valid only until the listener returns. */
  readonly bytes?: Uint8Array;
  /** Position of the command in a call that runs several, from 0. */
  readonly command?: number;
  /** Host on which the command runs, if it is not the server's. */
  readonly host?: string;
}

/** How to watch and stop a run. */
export interface RunOptions {
  /** Stops the command: its process group and whatever left the group. */
  readonly signal: AbortSignal;
  /**
   * Called with each piece of output as it arrives. If it returns a promise, no more of that stream
   * is read until it resolves.
   */
  readonly onOutput?: (event: OutputEvent) => void | Promise<void>;
  /**
   * Called when the time-out is over, with the output so far: `onOutput` has had exactly that. If it
   * resolves with `true`, the command goes on, up to the longest time-out that the call may request.
   * @default {the command is stopped}
   */
  readonly onTimeout?: ((soFar: OutputSoFar) => Promise<boolean>) | undefined;
  /** Called when the command has ended, also if it was stopped; never for one that did not start. */
  readonly onEnd?: ((command: EndedCommand) => void) | undefined;
  /**
   * The user as whom the command runs.
   * @default {that of the call unless it is a helper, else the server's user}
   */
  readonly user?: RunAsUser | undefined;
  /**
   * Masks what the command writes, before it is kept or reported.
   * @default {that of the call unless it is a helper, else none}
   */
  readonly mask?: SecretMask | undefined;
  /**
   * The command helps the server to serve the call instead of being the call's work, such as a
   * proxy for a connection: it runs as the server's user, the call does not keep its permit, and if
   * it has no `timeoutMs`, only the signal stops it.
   * @default {false}
   */
  readonly helper?: boolean;
}

/** Runs commands within the server's limits. */
export interface CommandRunner {
  /**
   * Runs one command to its end. Resolves for any exit code, a time-out included; rejects with the
   * signal's reason when stopped by it, once no process is left; with a `ToolError` if the program
   * or the folder is missing, and with a `BusyError` if the queue of commands is full.
   */
  run(spec: CommandSpec, options: RunOptions): Promise<ExecutionResult>;
}

/** How output is reduced before it is reported while a command runs. */
interface DigestOptions {
  /** Called at most once an interval, with at most `maxChars` of each stream. */
  readonly emit: (event: OutputEvent) => void;
  readonly intervalMs: number;
  readonly maxChars: number;
}

interface Held {
  readonly event: Omit<OutputEvent, "bytes">;
  readonly parts: string[];
  chars: number;
  skipped: number;
}

/**
 * Gathers output and passes it on at intervals, so that a flood of output can't flood a client.
 * Output beyond `maxChars` in an interval is left out, and a line says how much; the result of the
 * command still has the first and last part of the output.
 */
export class OutputDigest implements Disposable {
  readonly #options: DigestOptions;
  readonly #held = new Map<string, Held>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: DigestOptions) {
    this.#options = options;
  }

  /** Takes one piece of output. */
  add(event: OutputEvent): void {
    if (event.text === "") return;
    const held = this.#heldFor(event);
    const room = this.#options.maxChars - held.chars;
    const kept = wholeCharacters(event.text.slice(0, Math.max(room, 0)));
    held.skipped += event.text.length - kept.length;
    held.chars += kept.length;
    if (kept !== "") held.parts.push(kept);
    this.#timer ??= setTimeout(() => this.flush(), this.#options.intervalMs);
  }

  /** Passes on what it holds. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const all = [...this.#held.values()];
    this.#held.clear();
    for (const { event, parts, skipped } of all) {
      const note = skipped === 0 ? "" : `\n[... ${skipped} characters not shown here ...]\n`;
      this.#options.emit({ ...event, text: parts.join("") + note });
    }
  }

  /** Passes on what it holds, for the last time. */
  [Symbol.dispose](): void {
    this.flush();
  }

  #heldFor({ bytes: _, ...event }: OutputEvent): Held {
    const key = `${event.stream} ${event.command ?? ""} ${event.host ?? ""}`;
    const held = this.#held.get(key) ?? { event, parts: [], chars: 0, skipped: 0 };
    this.#held.set(key, held);
    return held;
  }
}

/** Removes a character of which only the first half has arrived. */
function wholeCharacters(text: string): string {
  return text.isWellFormed() ? text : text.replace(/[\uD800-\uDBFF]$/, "");
}
