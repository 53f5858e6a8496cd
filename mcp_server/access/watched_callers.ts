import type { Caller } from "./caller.ts";
import { messageOf } from "../shared/error.ts";
import type { Log } from "../shared/log.ts";
import type { Holder } from "./token.ts";
import { type CallerDirectory, CallerTable } from "./caller_table.ts";
import { CallersFileError, unusable } from "./callers_json.ts";
import { readCallersFile, stampOf } from "./read_callers_file.ts";

export { CallersFileError } from "./callers_json.ts";

/** How a callers file is watched. */
export interface WatchOptions {
  readonly log: Log;
  /** How often the file is looked at, in milliseconds. @default {500} */
  readonly everyMs?: number;
  /** Rejects if commands can't run as a user. @default {any name of a user can be used} */
  readonly checkUser?: (name: string) => Promise<unknown>;
}

/**
 * The callers of a file that may change at any time. It is looked at again and again, and not
 * subscribed to: a Kubernetes secret, an editor and a network file system all replace it in ways of
 * their own. A version that can't be used changes nothing, and the log says why.
 */
export class WatchedCallers implements CallerDirectory, Disposable {
  readonly #path: string;
  readonly #log: Log;
  readonly #checkUser: WatchOptions["checkUser"];
  readonly #table = new CallerTable();
  #timer: ReturnType<typeof setInterval> | undefined;
  #stamp: string | undefined;
  /** Why the file can't be used now. */
  #fault: string | undefined;
  #checking: Promise<void> | undefined;

  private constructor(path: string, { log, checkUser }: WatchOptions) {
    this.#path = path;
    this.#log = log;
    this.#checkUser = checkUser;
  }

  /** Reads the file and watches it; rejects with a `CallersFileError` if it can't be used. */
  static async open(path: string, options: WatchOptions): Promise<WatchedCallers> {
    const { everyMs = 500 } = options;
    const callers = new WatchedCallers(path, options);
    await callers.#read();
    callers.#timer = setInterval(() => void callers.check(), everyMs);
    Deno.unrefTimer(Number(callers.#timer));
    return callers;
  }

  findByDigest(digest: Uint8Array): Holder | undefined {
    return this.#table.findByDigest(digest);
  }

  findBySubject(subject: string): Holder | undefined {
    return this.#table.findBySubject(subject);
  }

  findByName(name: string): Holder | undefined {
    return this.#table.findByName(name);
  }

  /** Reads the file if it has changed; never rejects. */
  check(): Promise<void> {
    return this.#checking ??= this.#checkNow().finally(() => this.#checking = undefined);
  }

  /** Watches it no longer. */
  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  async #checkNow(): Promise<void> {
    try {
      const stamp = await stampOf(this.#path);
      if (stamp === undefined || stamp !== this.#stamp) await this.#read();
    } catch (error) {
      this.#report(reasonOf(error));
    }
  }

  async #read(): Promise<void> {
    const { entries, stamp } = await readCallersFile(this.#path);
    for (const { caller } of entries) await this.#ensureUser(caller);
    const changes = this.#table.replace(entries);
    this.#stamp = stamp;
    const isChanged = Object.values(changes).some((names) => names.length > 0);
    if (isChanged || this.#fault !== undefined) {
      this.#log.info("callers file read", { file: this.#path, ...changes });
    }
    this.#fault = undefined;
  }

  async #ensureUser({ name, rights }: Caller): Promise<void> {
    if (rights?.runAs === undefined) return;
    await this.#checkUser?.(rights.runAs).catch((cause) => {
      throw unusable(`the caller "${name}": ${messageOf(cause)}`);
    });
  }

  /** A fault that lasts is reported once. */
  #report(reason: string): void {
    if (this.#fault === reason) return;
    this.#fault = reason;
    const file = this.#path;
    this.#log.error("the callers file can't be used; its last version counts", { file, reason });
  }
}

function reasonOf(error: unknown): string {
  return error instanceof CallersFileError ? error.reason : messageOf(error);
}
