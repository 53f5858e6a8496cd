import { Buffer } from "node:buffer";

/** Returns a marker that no output contains by chance. */
export function createMarker(): string {
  return `trestle-${crypto.randomUUID().replaceAll("-", "")}`;
}

/**
 * The command line for the login shell: it prints the marker with the shell's process id, which is
 * also the id of the session and group that sshd created for it, and then runs the command.
 *
 * It is understood by sh, bash, dash, ksh, zsh and fish 3, starts no further process, and leaves
 * the command to the login shell as `ssh host command` does. The command follows `eval`, so that
 * one that can't be parsed fails like any other command instead of ending the shell silently.
 */
export function toExecLine(command: string, marker: string): string {
  const own = `test -n "$fish_pid" && echo "${marker} $fish_pid" || eval 'echo "${marker} $$"'`;
  return `${own}\neval ${quote(command)}`;
}

/** Quotes a text for POSIX shells and for fish, which interprets backslashes between quotes. */
function quote(text: string): string {
  return `'${text.replaceAll(/['\\]/g, (sign) => sign === "'" ? `'"'"'` : `'"\\\\"'`)}'`;
}

const MOST_BANNER = 2_000;
/** A login shell that prints more than this before the marker does not print it at all. */
const MOST_BEFORE = 1024 * 1024;
/** The longest process id, and the end of its line. */
const MOST_DIGITS = 24;

/**
 * Removes the marker line from the output of a command, and all that the login shell printed before
 * it, such as a banner.
 */
export class MarkedOutput {
  readonly #marker: string;
  readonly #onOutput: (chunk: Uint8Array) => void | Promise<void>;
  #waiting: Buffer = Buffer.alloc(0);
  #before = "";
  /** How many bytes were not the command's. */
  #forgotten = 0;
  #group: number | undefined;
  readonly #awaited = Promise.withResolvers<void>();

  /** Takes the marker, and the function that receives the command's own output. */
  constructor(marker: string, onOutput: (chunk: Uint8Array) => void | Promise<void>) {
    this.#marker = `${marker} `;
    this.#onOutput = onOutput;
  }

  /** Resolves once the marker has arrived, or so much else that it is not to be expected. */
  get awaited(): Promise<void> {
    return this.#awaited.promise;
  }

  /** The id of the command's process group, once the marker has arrived. */
  get group(): number | undefined {
    return this.#group;
  }

  /** The last part of what was printed before the marker; all of it if no marker arrived. */
  get banner(): string {
    return (this.#before + this.#waiting.toString()).slice(-MOST_BANNER).trim();
  }

  /** Takes the next piece of the output; the promise resolves when there is room for more. */
  push(chunk: Uint8Array): void | Promise<void> {
    if (this.#group !== undefined) return this.#onOutput(chunk);
    this.#waiting = Buffer.concat([this.#waiting, chunk]);
    const at = this.#waiting.indexOf(this.#marker);
    if (at === -1) return this.#forget(this.#waiting.length - this.#marker.length);
    this.#forget(at);
    const end = this.#waiting.indexOf("\n", this.#marker.length);
    if (end === -1 && this.#waiting.length < this.#marker.length + MOST_DIGITS) return;
    return this.#take(end);
  }

  #take(end: number): void | Promise<void> {
    const line = this.#waiting.subarray(this.#marker.length, Math.max(end, this.#marker.length));
    const group = Number(line.toString());
    if (!Number.isInteger(group) || group <= 1) return this.#forget(this.#marker.length);
    const rest = this.#waiting.subarray(end + 1);
    this.#group = group;
    this.#awaited.resolve();
    this.#waiting = Buffer.alloc(0);
    if (rest.length > 0) return this.#onOutput(rest);
  }

  #forget(bytes: number): void {
    if (bytes <= 0) return;
    const gone = this.#waiting.subarray(0, bytes);
    this.#before = (this.#before + gone.toString()).slice(-MOST_BANNER);
    this.#waiting = this.#waiting.subarray(bytes);
    this.#forgotten += bytes;
    if (this.#forgotten > MOST_BEFORE) this.#awaited.resolve();
  }
}
