import type { OutputStream } from "./call_messages.ts";
import type { RunAsUser } from "../access/run_as.ts";

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
};

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
  /** The user as whom the command runs. @default {that of the call unless it is a helper, else the server's user} */
  readonly user?: RunAsUser | undefined;
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
