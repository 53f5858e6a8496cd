import { within } from "../shared/concurrency.ts";
import { messageOf } from "../shared/error.ts";
import type { AppendFile } from "../shared/append_file.ts";
import { BackgroundLines, type LineSink, type Log, type PromptSink } from "../shared/log.ts";

/** Where an audit file reports problems, and where lines go that can't be written to it. */
export interface AuditFileOptions {
  readonly log: Log;
  readonly fallback: LineSink;
}

/** How long the first line of a batch waits for others. */
const DELAY_MS = 5;
const LINE_END = 0x0a;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Appends lines to a file in the background, so that a full disk or a pipe that nobody reads delays
 * no call. Lines that can't be written go to the fallback, and the file gets a line with their
 * number once writing works again. What a full disk accepted of a line is removed: it is among those
 * that went to the fallback. Where that is impossible, it never runs into the next line.
 */
export class AuditFile implements PromptSink {
  readonly #path: string;
  readonly #options: AuditFileOptions;
  readonly #lines: BackgroundLines;
  #target: AppendFile;
  #inFlight: { readonly target: AppendFile; readonly lines: readonly string[] } | undefined;
  /** How many lines went to the fallback since the last successful write. */
  #missing = 0;

  private constructor(path: string, target: AppendFile, options: AuditFileOptions) {
    this.#path = path;
    this.#options = options;
    this.#target = target;
    const onOverflow = (line: string) => this.#giveUp([line], "it accepts no more for now");
    const write = (lines: readonly string[]) => this.#write(lines);
    this.#lines = new BackgroundLines({ write, onOverflow }, { delayMs: DELAY_MS });
  }

  /** Opens the file, and creates it if it is missing; rejects if nothing can be appended to it. */
  static async open(path: string, options: AuditFileOptions): Promise<AuditFile> {
    return new AuditFile(path, await openTarget(path), options);
  }

  write(line: string): void {
    this.#lines.write(line);
  }

  async written(): Promise<void> {
    await this.#lines.written();
  }

  async flush(): Promise<void> {
    await this.#lines.flush();
  }

  /**
   * Reopens the path and writes there from now on, for example after logrotate has renamed the
   * file. If that fails, the old file is kept and the log says why. Never rejects.
   */
  async reopen(): Promise<void> {
    const { log } = this.#options;
    try {
      const target = await openTarget(this.#path);
      const old = this.#target;
      this.#target = target;
      if (this.#inFlight?.target !== old) old.file.close();
      log.info("audit file reopened", { file: this.#path });
    } catch (error) {
      log.error("the audit file can't be reopened", { file: this.#path, error: messageOf(error) });
    }
  }

  /** Writes the waiting lines, and passes those that are not written in time to the fallback. */
  async close(withinMs: number): Promise<void> {
    const taken = await within(this.flush(), withinMs);
    if (taken) return this.#target.file.close();
    const untaken = [...this.#inFlight?.lines ?? [], ...this.#lines.takeWaiting()];
    this.#giveUp(untaken, "it did not accept them before the server stopped");
  }

  async #write(lines: readonly string[]): Promise<string | undefined> {
    const target = this.#target;
    this.#inFlight = { target, lines };
    const taken = await this.#append(target, lines);
    this.#inFlight = undefined;
    if (target !== this.#target) target.file.close();
    if (!taken || this.#missing === 0) return undefined;
    const missing = this.#missing;
    this.#missing = 0;
    this.#options.log.info("the audit file accepts lines again", { file: this.#path, missing });
    return `{"audit":"gap","time":"${new Date().toISOString()}","lines":${missing}}\n`;
  }

  /** Appends lines and reports whether all were written; the others are discarded. */
  async #append(target: AppendFile, lines: readonly string[]): Promise<boolean> {
    const bytes = encoder.encode(`${target.cutLine ? "\n" : ""}${lines.join("")}`);
    let at = 0;
    try {
      while (at < bytes.length) at += await target.file.write(bytes.subarray(at));
      target.cutLine = false;
      return true;
    } catch (error) {
      const start = at === 0 ? 0 : bytes.lastIndexOf(LINE_END, at - 1) + 1;
      if (at > 0) target.cutLine = at > start && !await cutOff(target.file, at - start);
      const rest = decoder.decode(bytes.subarray(start));
      this.#giveUp(rest.match(/[^\n]+\n/g) ?? [], messageOf(error));
      return false;
    }
  }

  #giveUp(lines: readonly string[], error: string): void {
    const { log, fallback } = this.#options;
    if (this.#missing === 0 && lines.length > 0) {
      log.error("the audit file accepts no lines; they follow here", { file: this.#path, error });
    }
    this.#missing += lines.length;
    for (const line of lines) fallback.write(line);
  }
}

/** Removes the last bytes of a file, which a failed write has left; resolves with whether it could. */
async function cutOff(file: Deno.FsFile, bytes: number): Promise<boolean> {
  try {
    const { isFile, size } = await file.stat();
    if (isFile) await file.truncate(size - bytes);
    return isFile;
  } catch {
    return false; // Such as a file that can only grow (chattr +a).
  }
}

/** Loads `node:fs`, which takes a while, only for a server that has an audit file. */
async function openTarget(path: string): Promise<AppendFile> {
  const { openToAppend } = await import("../shared/append_file.ts");
  return await openToAppend(path);
}
