import { constants } from "node:fs";
import { dirname } from "node:path";
import { firstOf, takeTurn, untilAborted } from "../../shared/concurrency.ts";
import { messageOf } from "../../shared/error.ts";
import { type FileAction, quotePath, systemCode, toFileError } from "../../files/file_error.ts";
import { type FileSystem, FileThread } from "../../files/file_system.ts";
import { FileWorkers, inWorker } from "../../files/with_file_system.ts";

/** Why a file can't be used. */
export interface SshFileFault {
  readonly fault: string;
  /** Whether its file system did not answer in time. */
  readonly isLate: boolean;
}

/** The content of a file of OpenSSH, or why it can't be read; neither if there is no such file. */
export interface SshFile extends Partial<SshFileFault> {
  readonly text?: string;
}

/** What a file of OpenSSH is, or why that can't be found out; neither if there is no such file. */
export interface SshFileState extends Partial<SshFileFault> {
  readonly size?: number;
  /** A text that changes with the file. */
  readonly stamp?: string;
}

/** How long the files may be used. */
export interface SshFileBounds {
  /** Stops everything. */
  readonly signal: AbortSignal;
  /** A file that has not been read by then counts as one that hangs; as `performance.now()` counts. */
  readonly deadline: number;
}

/** Apart from those of the file tools: a home folder that hangs must not make them busy. */
const threads = new FileWorkers(() => new FileThread(), 1);

/** Look-ups that were given up and that the system has not answered yet, by path. */
const hanging = new Map<string, Promise<SshFileState>>();
const MOST_HANGING = 16;

const NOT_A_FILE = "it is not a regular file";

/**
 * Uses the files that OpenSSH keeps, for one login or one look at the config, until it is disposed
 * of. A file system that hangs blocks nothing else: after the deadline the file is one with a fault,
 * and when the signal aborts everything rejects with its reason. Most files don't exist, so they are
 * looked up first; those that do are read in a thread.
 */
export class SshFiles implements Disposable {
  readonly #bounds: SshFileBounds;
  readonly #stop = new AbortController();
  readonly #deadline: Disposable;

  constructor(bounds: SshFileBounds) {
    this.#bounds = bounds;
    const { signal, deadline } = bounds;
    const timeoutMs = Math.max(0, deadline - performance.now());
    this.#deadline = firstOf({ signal, timeoutMs }, () => this.#stop.abort(signal.reason));
  }

  /**
   * Reads a file. A device counts as no file: `known_hosts` may be a link to `/dev/null`. A folder, a
   * FIFO or a socket, which could block the reader, is a fault, and so is a file that is too large.
   */
  async read(path: string, mostBytes: number): Promise<SshFile> {
    const { stamp, ...fault } = await this.stat(path);
    if (stamp === undefined) return fault;
    return await this.#use({ action: "read", path }, (system) => readFrom(system, path, mostBytes));
  }

  /**
   * Looks up what a file is; a device counts as no file. A look-up that hangs holds a thread of Deno,
   * so the next one of the same file waits for it.
   */
  async stat(path: string): Promise<SshFileState> {
    const before = hanging.get(path);
    if (before === undefined && hanging.size >= MOST_HANGING) {
      const mounts = "look at the mounts of the server's host";
      return refuse(`${hanging.size} files are on file systems that don't answer; ${mounts}`);
    }
    const looking = before ?? lookUp(path);
    using _givenUp = firstOf({ signal: this.#stop.signal }, () => giveUp(path, looking));
    return await this.#orFault(looking, { action: "read", path });
  }

  /**
   * Adds text to a file in one write, so that readers and other writers see it whole; creates it, and
   * its folders, for the server's user alone.
   */
  async append(path: string, text: string): Promise<Partial<SshFileFault>> {
    const { O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK } = constants;
    return await this.#use({ action: "write", path }, async (system) => {
      await createFolder(system, dirname(path));
      await using file = await system.open(path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK, 0o600);
      await file.write(new TextEncoder().encode(text), (await file.stat()).size);
      return {};
    });
  }

  /** Works when all earlier work of the same key has ended; a fault if that takes too long. */
  async inTurn<T>(key: string, work: () => Promise<T>): Promise<T | SshFileFault> {
    try {
      return await takeTurn(`ssh ${key}`, work, this.#stop);
    } catch (error) {
      if (!this.#isLate || error !== this.#stop.signal.reason) throw error;
      return { fault: "too many others are being read", isLate: true };
    }
  }

  /** Ends its timer. */
  [Symbol.dispose](): void {
    this.#deadline[Symbol.dispose]();
  }

  get #isLate(): boolean {
    return this.#stop.signal.aborted && !this.#bounds.signal.aborted;
  }

  async #use<Found extends Partial<SshFileFault>>(
    file: FileAction,
    work: (system: FileSystem) => Promise<Found>,
  ): Promise<Found | Partial<SshFileFault>> {
    const { signal } = this.#stop;
    return await this.#orFault(inWorker(threads, file, signal, work), file);
  }

  /** Waits for work on a file until it is late or stopped. */
  async #orFault<Found>(
    work: Promise<Found>,
    file: FileAction,
  ): Promise<Found | Partial<SshFileFault>> {
    const { signal } = this.#stop;
    try {
      return await untilAborted(work, signal);
    } catch (error) {
      this.#bounds.signal.throwIfAborted();
      if (this.#isLate) return { fault: "its file system does not answer", isLate: true };
      const isMissing = file.action === "read" && systemCode(error) === "ENOENT";
      return isMissing ? {} : refuse(stateOf(error, file));
    }
  }
}

function giveUp(path: string, looking: Promise<SshFileState>): void {
  hanging.set(path, looking);
  const forget = () => void (hanging.get(path) === looking && hanging.delete(path));
  looking.then(forget, forget);
}

async function lookUp(path: string): Promise<SshFileState> {
  const { isFile, isCharDevice, mtime, size, dev, ino } = await Deno.stat(path);
  if (isCharDevice === true) return {};
  if (!isFile) return refuse(NOT_A_FILE);
  return { size, stamp: `${mtime?.getTime()} ${size} ${dev}:${ino}` };
}

async function readFrom(system: FileSystem, path: string, mostBytes: number): Promise<SshFile> {
  await using file = await system.open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const { kind, size } = await file.stat();
  if (kind !== "file") return refuse(NOT_A_FILE);
  const bytes = await file.read(Math.min(size, mostBytes) + 1, 0, size);
  if (bytes.length > mostBytes) return refuse(`it has more than ${mostBytes} bytes`);
  return { text: new TextDecoder().decode(bytes) };
}

async function createFolder(system: FileSystem, path: string): Promise<void> {
  try {
    await system.mkdir(path, 0o700);
  } catch (error) {
    if (systemCode(error) === "EEXIST") return;
    if (systemCode(error) !== "ENOENT" || dirname(path) === path) throw error;
    await createFolder(system, dirname(path));
    await createFolder(system, path);
  }
}

function refuse(fault: string): SshFileFault {
  return { fault, isLate: false };
}

/** What is wrong, without the path, which the caller names. */
function stateOf(error: unknown, file: FileAction): string {
  const message = messageOf(toFileError(error, file));
  return message.replace(`Cannot ${file.action} ${quotePath(file.path)}: `, "");
}
