import { lstatSync } from "node:fs";
import { jsonTextLength } from "../../shared/json.ts";
import { attempt, type WalkEntry } from "./folder_walk.ts";

/** A file or folder in a list. */
export interface ListedFile {
  /** Its path below the folder. */
  readonly path: string;
  /** What it is; a link is not followed. */
  readonly type: "file" | "folder" | "link" | "other";
  /** Of a file, in bytes. */
  readonly size?: number;
  /** When its content changed last, in ISO 8601. */
  readonly modified: string;
}

/** What bounds a list. */
export interface ListBounds {
  /** Most entries. */
  readonly limit: number;
  /** Most characters that the entries take as JSON text; one is listed in any case. */
  readonly maxText: number;
}

/** The keys and values of an entry besides its path, as JSON text. */
const KEYS = 100;

/** Lists entries while they fit, and counts the others. */
export class FileList {
  readonly entries: ListedFile[] = [];
  /** How many more there are. */
  more = 0;
  readonly #limit: number;
  #left: number;

  constructor({ limit, maxText }: ListBounds) {
    this.#limit = limit;
    this.#left = maxText;
  }

  add({ path, at, type }: WalkEntry): void {
    const cost = jsonTextLength(path) + KEYS;
    const fits = this.entries.length < this.#limit &&
      (cost <= this.#left || this.entries.length === 0);
    if (this.more > 0 || !fits) return void this.more++;
    const stats = attempt(() => lstatSync(at));
    if (stats === undefined) return;
    this.#left -= cost;
    const size = type === "file" ? { size: stats.size } : {};
    this.entries.push({ path, type, ...size, modified: stats.mtime.toISOString() });
  }
}
