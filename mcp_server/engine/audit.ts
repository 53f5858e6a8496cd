import { within } from "../domain/deadline.ts";
import { messageOf } from "../domain/error.ts";
import type { Log } from "../domain/log.ts";
import type { Transport } from "../domain/service.ts";
import type { AppendFile } from "./append_file.ts";
import { BackgroundLines, type LineSink } from "./line_sink.ts";
import { RefusalLimit } from "./refusal_limit.ts";

/** Who called what, over which transport. */
export interface AuditedCall {
  readonly transport: Transport;
  readonly tool: string;
  /** Name of the caller. */
  readonly caller: string;
}

/** Why a request or a call was rejected before it began. */
export interface AuditedRefusal {
  readonly code: string;
  readonly transport: Transport;
  /** Address of the client; absent if there is none, as over stdio. */
  readonly address?: string | undefined;
  /** Name of the caller, if it is known. */
  readonly caller?: string;
  /** Name of the tool, if it was called. */
  readonly tool?: string;
}

/** The longest tool name that the audit repeats; a caller may send any text as a name. */
const NAME_LENGTH = 64;

/** Names a tool in the audit, however long the name is that the caller sent. */
export function toAuditName(name: string): string {
  return name.length <= NAME_LENGTH ? name : `${name.slice(0, NAME_LENGTH)}...`;
}

/**
 * Writes one JSON line at the start of each call and one at its end: time, id, transport, tool and
 * caller; at the end also its duration and outcome. Neither contains arguments or output. Of what is
 * rejected before it begins, at most one line a second for each address.
 */
export class AuditLog {
  readonly #write: (line: string) => void;
  readonly #run = crypto.randomUUID().slice(0, 8);
  readonly #refusals = new RefusalLimit(REFUSALS_MS);
  #calls = 0;
  #now = 0;
  #time = "";

  /** Takes the function that writes a line, including its line end. */
  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  /**
   * Records the start of a call. Call the returned function with its outcome: `ok`, or a refusal's
   * code.
   */
  start({ transport, tool, caller }: AuditedCall): (outcome: string) => void {
    const startedAt = performance.now();
    const name = JSON.stringify(toAuditName(tool));
    const id = `${this.#run}-${++this.#calls}`;
    const by = JSON.stringify(caller);
    const who = `"id":"${id}","transport":"${transport}","tool":${name},"caller":${by}`;
    this.#write(`{"audit":"start","time":"${this.#toIso(Date.now())}",${who}}\n`);
    return (outcome) => {
      const durationMs = Math.round(performance.now() - startedAt);
      const took = `"durationMs":${durationMs},"outcome":${JSON.stringify(outcome)}`;
      this.#write(`{"audit":"end","time":"${this.#toIso(Date.now())}",${who},${took}}\n`);
    };
  }

  /** Records a request or a call that was rejected before it began; `more` counts those without. */
  refused({ code, transport, address, caller, tool }: AuditedRefusal): void {
    const more = this.#refusals.take(address ?? `caller ${caller}`, performance.now());
    if (more === undefined) return;
    const line = {
      audit: "refused",
      time: this.#toIso(Date.now()),
      code,
      transport,
      address,
      tool: tool === undefined ? undefined : toAuditName(tool),
      caller,
      ...(more === 0 ? {} : { more }),
    };
    this.#write(`${JSON.stringify(line)}\n`);
  }

  /** Formats the time at most once per millisecond, because a busy server needs it often. */
  #toIso(now: number): string {
    if (now !== this.#now) {
      this.#now = now;
      this.#time = new Date(now).toISOString();
    }
    return this.#time;
  }
}

/** The least time between two lines about refusals of one address. */
const REFUSALS_MS = 1_000;

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
 * number once writing works again. A line that a full disk cut off never runs into the next one.
 */
export class AuditFile implements LineSink {
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
      if (at > 0) target.cutLine = bytes[at - 1] !== LINE_END;
      const start = at === 0 ? 0 : bytes.lastIndexOf(LINE_END, at - 1) + 1;
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

/** Loads `node:fs`, which takes a while, only for a server that has an audit file. */
async function openTarget(path: string): Promise<AppendFile> {
  const { openToAppend } = await import("./append_file.ts");
  return await openToAppend(path);
}
