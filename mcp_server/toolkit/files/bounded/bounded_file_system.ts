import { constants } from "node:fs";
import { dirname } from "node:path/posix";
import { systemError } from "../file_error.ts";
import type { FileStats } from "../file_system/file_operations.ts";
import type { FileProcess } from "../file_system/file_process.ts";
import { FileSystem, type OpenFile } from "../file_system/file_system.ts";
import { below } from "./walk_path.ts";

/** Where a file system is bounded to. */
export interface Bounds {
  /** The real path of the folder that the process is in. */
  readonly folder: string;
  /** The names that lead on to the target. */
  readonly names: readonly string[];
  /** The patterns of the real paths that may be reached. */
  readonly patterns: readonly string[];
  /** The refusal of any path but the target and the folders above it. */
  readonly refusal: () => Error;
}

/**
 * The file system around one target, which a call may use. All operations are on names in the working
 * folder of a process, and none follows a link: a path that changes after the check leads nowhere
 * else.
 */
export class BoundedFileSystem extends FileSystem {
  readonly #process: FileProcess;
  readonly #bounds: Bounds;
  #folder: string;

  /** Takes a process that is in the folder. */
  constructor(process: FileProcess, bounds: Bounds) {
    super(process);
    this.#process = process;
    this.#bounds = bounds;
    this.#folder = bounds.folder;
  }

  /** The real path of the target. */
  get target(): string {
    return this.#bounds.names.reduce(below, this.#bounds.folder);
  }

  override open(path: string, flags: number, mode?: number): Promise<OpenFile> {
    return super.open(this.#nameOf(path), flags | constants.O_NOFOLLOW, mode);
  }

  override async stat(path: string): Promise<FileStats> {
    return await this.#process.ask("lstat", this.#nameOf(path));
  }

  /** Paths have no links here. */
  override realpath(path: string): Promise<string> {
    return Promise.resolve(path);
  }

  override readlink(path: string): Promise<string> {
    return super.readlink(this.#nameOf(path));
  }

  override rename(from: string, to: string): Promise<void> {
    return super.rename(this.#nameOf(from), this.#nameOf(to));
  }

  override unlink(path: string): Promise<void> {
    return super.unlink(this.#nameOf(path));
  }

  /** Creates a folder in the present one, and enters it. */
  override async mkdir(path: string): Promise<void> {
    const [, name = ""] = this.#nameOf(path).split("/");
    const { created, allowed } = await this.#process.ask("enterNew", name, this.#bounds.patterns);
    if (!allowed) throw this.#bounds.refusal();
    this.#folder = path;
    if (!created) throw systemError("EEXIST");
  }

  /** Leaves the present folder, and removes it. */
  override async rmdir(path: string): Promise<void> {
    if (path !== this.#folder) throw this.#bounds.refusal();
    this.#folder = dirname(path);
    await this.#process.ask("removeAndLeave", path);
  }

  /** What a path is called in the working folder; one below a missing folder is missing too. */
  #nameOf(path: string): string {
    if (path === this.#folder) return ".";
    if (dirname(path) === this.#folder) return `./${path.slice(path.lastIndexOf("/") + 1)}`;
    if (path === dirname(this.#folder)) return "..";
    if (path.startsWith(below(this.#folder, ""))) throw systemError("ENOENT");
    throw this.#bounds.refusal();
  }
}
