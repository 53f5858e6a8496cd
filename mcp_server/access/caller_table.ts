import type { Caller } from "./caller.ts";
import type { CallerEntry } from "./parse_callers.ts";
import type { Holder, TokenHolders } from "./token.ts";

export type { Holder, TokenHolders } from "./token.ts";

/** The callers of a file: those of the last version that could be read. */
export interface CallerDirectory extends TokenHolders {
  /** The caller with this subject. */
  findBySubject(subject: string): Holder | undefined;
  /** The caller of this name. */
  findByName(name: string): Holder | undefined;
}

/** What changed with a new version of the file: names of callers. */
interface CallerChanges {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** Finds callers by their tokens and subjects; the callers can be replaced. */
export class CallerTable implements CallerDirectory {
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

  /** Replaces the callers; those that stay as they are remain the same objects. */
  replace(entries: readonly CallerEntry[]): CallerChanges {
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
    return this.#changesSince(before);
  }

  #changesSince(before: ReadonlyMap<string, Member>): CallerChanges {
    const names = [...this.#members.keys()];
    return {
      added: names.filter((name) => !before.has(name)),
      changed: names.filter((name) =>
        before.has(name) && before.get(name) !== this.#members.get(name)
      ),
      removed: [...before.keys()].filter((name) => !this.#members.has(name)),
    };
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
