/** What to run: a program and its arguments, without a shell. */
export interface CommandSpec {
  /** Program name, looked up on PATH, or its path. */
  readonly program: string;
  /** Arguments, as the program gets them. @default {[]} */
  readonly args?: readonly string[];
  /** Working folder; it is checked before the program starts. @default {the server's own} */
  readonly cwd?: string;
  /** Variables set over the inherited environment, from which the server's secrets are taken out. */
  readonly env?: Readonly<Record<string, string>>;
  /** Text for standard input, which is closed after it. @default {closed at once} */
  readonly stdin?: string;
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

/** What became of a command. The optional keys appear only where they have something to say. */
export type ExecutionResult = {
  stdout: string;
  stderr: string;
  /** The program's own exit code, or 128 + the signal's number where a signal ended it. */
  exitCode: number;
  /** `true` only where the time-out stopped the command. */
  timedOut: boolean;
  /** `true` where a stream was longer than the cap; a line in it says how many bytes are left out. */
  truncated?: true;
  /** Name of the signal that ended the command, such as `SIGKILL`. */
  signal?: string;
  /** How many background processes were ended because they kept the command's output open. */
  backgroundEnded?: number;
};

/** A piece of output, told while the command runs. */
export interface OutputEvent {
  /** Where the command wrote. */
  readonly stream: "stdout" | "stderr";
  /** What it wrote; never half a character. */
  readonly text: string;
  /** Position of the command in a call that runs several, from 0. */
  readonly command?: number;
  /** Host on which the command runs, where it is another one. */
  readonly host?: string;
}

/** How a run is watched and stopped. */
export interface RunOptions {
  /** Stops the command: its process group and whatever left the group. */
  readonly signal: AbortSignal;
  /** Called with each piece of output as it comes. */
  readonly onOutput?: (event: OutputEvent) => void;
}

/** Runs commands within the server's limits. */
export interface CommandRunner {
  /**
   * Runs one command to its end. Resolves for any exit code, a time-out included; rejects with the
   * signal's reason when stopped by it, once no process is left; with a `ToolError` where the
   * program or the folder is missing, and with a `BusyError` where no place is free.
   */
  run(spec: CommandSpec, options: RunOptions): Promise<ExecutionResult>;
}
