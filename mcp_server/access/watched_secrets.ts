import { matchesWildcard } from "../shared/wildcard.ts";
import { type Caller, isAdmin } from "./caller.ts";
import { CallerSecrets } from "./caller_secrets.ts";
import { parseSecrets, type Secrets } from "./parse_secrets.ts";
import {
  changesBetween,
  type FileChanges,
  WatchedFile,
  type WatchOptions,
} from "./watched_file.ts";

/** The secrets of a file that may change at any time; see {@linkcode WatchedFile}. */
export class WatchedSecrets implements Disposable {
  readonly #table: SecretTable;
  readonly #file: WatchedFile;

  private constructor(table: SecretTable, file: WatchedFile) {
    this.#table = table;
    this.#file = file;
  }

  /** Reads the file and watches it; rejects with an `AccessFileError` if it can't be used. */
  static async open(path: string, options: WatchOptions): Promise<WatchedSecrets> {
    const table = new SecretTable();
    const take = (text: string) => table.replace(parseSecrets(text));
    const file = await WatchedFile.open(path, { what: "secrets file", take }, options);
    return new WatchedSecrets(table, file);
  }

  /** All of them. */
  get all(): CallerSecrets {
    return this.#table.all;
  }

  /** Those that a caller may use now: all for an administrator, else what its rights name. */
  of(caller: Caller): CallerSecrets {
    return this.#table.of(caller);
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

/** The patterns of a caller that has none. */
const NO_PATTERNS: readonly string[] = [];

/** Finds the secrets of callers; they can be replaced. */
class SecretTable {
  #values: Secrets = new Map();
  #all = new CallerSecrets(this.#values);
  /** Those of callers, by their names: most callers may use the same ones. */
  readonly #byNames = new Map<string, CallerSecrets>();
  #byPatterns = new WeakMap<readonly string[], CallerSecrets>();

  get all(): CallerSecrets {
    return this.#all;
  }

  of(caller: Caller): CallerSecrets {
    if (isAdmin(caller)) return this.#all;
    const patterns = caller.rights?.secrets ?? NO_PATTERNS;
    const known = this.#byPatterns.get(patterns);
    if (known !== undefined) return known;
    const found = this.#find(patterns);
    this.#byPatterns.set(patterns, found);
    return found;
  }

  replace(values: Secrets): FileChanges {
    const changes = changesBetween(this.#values, values);
    const isChanged = Object.values(changes).some((names) => names.length > 0);
    if (!isChanged) return changes;
    this.#values = values;
    this.#all = new CallerSecrets(values);
    this.#byNames.clear();
    this.#byPatterns = new WeakMap();
    return changes;
  }

  #find(patterns: readonly string[]): CallerSecrets {
    const isUsed = (name: string) => patterns.some((pattern) => matchesWildcard(name, pattern));
    const values = [...this.#values].filter(([name]) => isUsed(name));
    const key = values.map(([name]) => name).join(" ");
    const known = this.#byNames.get(key) ?? new CallerSecrets(new Map(values));
    this.#byNames.set(key, known);
    return known;
  }
}
