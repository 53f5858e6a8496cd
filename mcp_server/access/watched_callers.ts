import { messageOf } from "../shared/error.ts";
import { unusable } from "./access_file.ts";
import type { Caller, Holder, TokenHolders } from "./caller.ts";
import { type CallerEntry, parseCallers } from "./parse_callers.ts";
import {
  changesBetween,
  type FileChanges,
  WatchedFile,
  type WatchOptions,
} from "./watched_file.ts";

/** How a callers file is watched. */
interface CallersOptions extends WatchOptions {
  /** Rejects if commands can't run as a user. @default {any name of a user can be used} */
  readonly checkUser?: (name: string) => Promise<unknown>;
}

/** The callers of a file that may change at any time; see {@linkcode WatchedFile}. */
export class WatchedCallers implements CallerDirectory, Disposable {
  readonly #table: CallerTable;
  readonly #file: WatchedFile;

  private constructor(table: CallerTable, file: WatchedFile) {
    this.#table = table;
    this.#file = file;
  }

  /** Reads the file and watches it; rejects with an `AccessFileError` if it can't be used. */
  static async open(path: string, options: CallersOptions): Promise<WatchedCallers> {
    const { checkUser } = options;
    const table = new CallerTable();
    const take = async (text: string) => {
      const entries = parseCallers(text);
      for (const { caller } of entries) await ensureUser(caller, checkUser);
      return table.replace(entries);
    };
    const file = await WatchedFile.open(path, { what: "callers file", take }, options);
    return new WatchedCallers(table, file);
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

  list(): readonly Caller[] {
    return this.#table.list();
  }

  /** Reads the file if it has changed; never rejects. */
  check(): Promise<void> {
    return this.#file.check();
  }

  /** Watches it no longer. */
  [Symbol.dispose](): void {
    this.#file[Symbol.dispose]();
  }
}

async function ensureUser(
  { name, rights }: Caller,
  checkUser: CallersOptions["checkUser"],
): Promise<void> {
  if (rights?.runAs === undefined) return;
  await checkUser?.(rights.runAs).catch((cause) => {
    throw unusable(`the caller "${name}": ${messageOf(cause)}`);
  });
}

export type { Holder, TokenHolders } from "./caller.ts";

/** The callers of a file: those of the last version that could be read. */
export interface CallerDirectory extends TokenHolders {
  /** The caller with this subject. */
  findBySubject(subject: string): Holder | undefined;
  /** The caller of this name. */
  findByName(name: string): Holder | undefined;
  /** All of them, as the file has them. */
  list(): readonly Caller[];
}

/** Finds callers by their tokens and subjects; the callers can be replaced. */
class CallerTable implements CallerDirectory {
  #members = new Map<string, Member>();
  #digests: readonly { readonly digest: Uint8Array; readonly member: Member }[] = [];
  #subjects: ReadonlyMap<string, Member> = new Map();

  findByDigest(digest: Uint8Array): Holder | undefined {
    let found: Holder | undefined;
    for (const known of this.#digests) {
      if (equalDigests(digest, known.digest)) found = known.member;
    }
    return found;
  }

  findBySubject(subject: string): Holder | undefined {
    return this.#subjects.get(subject);
  }

  findByName(name: string): Holder | undefined {
    return this.#members.get(name);
  }

  list(): readonly Caller[] {
    return [...this.#members.values()].map(({ caller }) => caller);
  }

  /** Replaces the callers; those that stay as they are remain the same objects. */
  replace(entries: readonly CallerEntry[]): FileChanges {
    const before = this.#members;
    const members = entries.map((entry) => {
      const text = JSON.stringify(entry);
      const old = before.get(entry.caller.name);
      return old?.text === text ? old : new Member(entry, text);
    });
    this.#members = new Map(members.map((member) => [member.caller.name, member]));
    this.#digests = members.flatMap((member) =>
      member.entry.digests.map((hex) => ({ digest: Uint8Array.fromHex(hex), member }))
    );
    this.#subjects = new Map(
      members.flatMap((member) =>
        member.entry.subject === undefined ? [] : [[member.entry.subject, member] as const]
      ),
    );
    const gone = [...before.values()].filter((old) => this.#members.get(old.caller.name) !== old);
    for (const old of gone) old.revoke();
    return changesBetween(before, this.#members);
  }
}

class Member implements Holder {
  readonly entry: CallerEntry;
  /** All that the file says about it. */
  readonly text: string;
  readonly #controller = new AbortController();

  constructor(entry: CallerEntry, text: string) {
    this.entry = entry;
    this.text = text;
  }

  get caller(): Caller {
    return this.entry.caller;
  }

  get revoked(): AbortSignal {
    return this.#controller.signal;
  }

  revoke(): void {
    this.#controller.abort(new DOMException("The caller was removed or changed", "AbortError"));
  }
}

/**
 * Whether two digests are equal; takes the same time wherever they differ, as `timingSafeEqual()` of
 * Node does, and a fifth of it, which counts with hundreds of callers.
 */
export function equalDigests(one: Uint8Array, other: Uint8Array): boolean {
  let difference = one.length ^ other.length;
  for (let at = 0; at < one.length; at++) difference |= (one[at] ?? 0) ^ (other[at] ?? 0);
  return difference === 0;
}
