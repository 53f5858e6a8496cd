import { Buffer } from "node:buffer";
import { quotePath } from "../../files/file_error.ts";
import { untilAborted } from "../../shared/concurrency.ts";
import type { Connection } from "./connection.ts";
import { type Sftp2, type SftpAttributes, type SftpDone, SshError, wordsOfHost } from "./ssh2.ts";

/** Flags of SSH_FXP_OPEN (draft-ietf-secsh-filexfer-02, section 6.3). */
export const SFTP_OPEN = Object.freeze({ READ: 1, WRITE: 2, CREATE: 8, EXCLUSIVE: 32 });

/** The status codes that are told apart (section 7). */
export const SFTP_STATUS = Object.freeze({ NO_SUCH_FILE: 2, PERMISSION_DENIED: 3, FAILURE: 4 });

/** Why a host did not carry out a request on a file. */
export class SftpError extends Error {
  /** Name of the error class. */
  override readonly name: string = "SftpError";
  /** The status code; `undefined` if the host gave no answer. */
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

const WRONG_ANSWER = "the host answered with something else than what was asked for";
/** Bytes of a message with an answer that is not data. */
const ANSWER_BYTES = 128;

/** The files of a host, over SFTP. Each request ends with its answer, the channel, or the signal. */
export class Sftp implements Disposable {
  readonly #sftp: Sftp2;
  readonly #connection: Connection;
  readonly #closed: Promise<never>;
  readonly #signal: AbortSignal;

  private constructor(
    sftp: Sftp2,
    { connection, closed, signal }: {
      readonly connection: Connection;
      readonly closed: Promise<never>;
      readonly signal: AbortSignal;
    },
  ) {
    this.#sftp = sftp;
    this.#connection = connection;
    this.#closed = closed;
    this.#signal = signal;
  }

  /** Starts it. Rejects with an `SshError` if the host has none, and with the signal's reason. */
  static async open(connection: Connection, signal: AbortSignal): Promise<Sftp> {
    const opening = connection.openSftp();
    const sftp = await untilAborted(opening, signal).catch((error) => {
      opening.then((late) => late.end(), () => {});
      throw error;
    });
    const { promise: closed, reject } = Promise.withResolvers<never>();
    closed.catch(() => {});
    const lose = () => {
      const { lostReason } = connection;
      const isLost = lostReason !== "";
      reject(
        new SftpError(isLost ? `the connection was lost (${lostReason})` : "the host ended SFTP"),
      );
    };
    // A request on a channel that is closed would never be answered.
    for (const event of ["close", "end"] as const) sftp.on(event, lose);
    connection.onLost(lose);
    return new Sftp(sftp, { connection, closed, signal });
  }

  /** The same channel, with another signal. */
  until(signal: AbortSignal): Sftp {
    return new Sftp(this.#sftp, { connection: this.#connection, closed: this.#closed, signal });
  }

  /** The path without links, from the home folder on; the last name need not exist. */
  realpath(path: string): Promise<string> {
    return this.#ask((sftp, done: SftpDone<string>) => sftp.realpath(path, done), isPath);
  }

  /** What a path leads to, past links. */
  stat(path: string): Promise<SftpAttributes> {
    return this.#ask(
      (sftp, done: SftpDone<SftpAttributes>) => sftp.stat(path, done),
      areAttributes,
    );
  }

  /** Opens a file with {@linkcode SFTP_OPEN} flags; one that is created is for its owner alone. */
  async open(path: string, flags: number): Promise<SftpFile> {
    const attributes = (flags & SFTP_OPEN.CREATE) === 0 ? {} : { mode: 0o600 };
    const open = (sftp: Sftp2, done: SftpDone<Buffer>) => sftp.open(path, flags, attributes, done);
    const handle = await this.#ask(open, isHandle);
    return new SftpFile(handle, {
      ask: (start, isAnswer, bytes) => this.#ask(start, isAnswer, bytes),
      canSync: this.#has("fsync@openssh.com"),
    });
  }

  /**
   * Renames a file, and replaces one of the new name. On a host that can't, rejects with the host's
   * error if there is one.
   */
  rename(from: string, to: string): Promise<void> {
    const isAtomic = this.#has("posix-rename@openssh.com");
    return this.#ask(
      (sftp, done: SftpDone) =>
        isAtomic ? sftp.ext_openssh_rename(from, to, done) : sftp.rename(from, to, done),
      isNothing,
    );
  }

  /** Removes a file. */
  unlink(path: string): Promise<void> {
    return this.#ask((sftp, done: SftpDone) => sftp.unlink(path, done), isNothing);
  }

  /** Ends the channel; the host closes what is open on it. */
  [Symbol.dispose](): void {
    this.#sftp.end();
  }

  #has(extension: string): boolean {
    return this.#sftp._extensions[extension] === "1";
  }

  /** A host may send any answer to any request, and ssh2 passes on what it is. */
  async #ask<Result>(
    start: (sftp: Sftp2, done: SftpDone<Result>) => void,
    isAnswer: (result: unknown) => boolean,
    bytes = ANSWER_BYTES,
  ): Promise<Result> {
    this.#signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    start(this.#sftp, (error, result) => {
      this.#connection.deliver(bytes);
      if (error) reject(new SftpError(wordsOfHost(error.message), error.code));
      else if (isAnswer(result)) resolve(result);
      else reject(new SftpError(WRONG_ANSWER));
    });
    return await untilAborted(Promise.race([promise, this.#closed]), this.#signal);
  }
}

function isNothing(result: unknown): boolean {
  return result === undefined;
}

function isCount(result: unknown): result is number {
  return Number.isSafeInteger(result) && Number(result) >= 0;
}

/** A path that is absolute, as the canonical ones of the protocol are. */
function isPath(result: unknown): boolean {
  return typeof result === "string" && result.startsWith("/");
}

/** Most bytes of a handle (section 6.3). */
const MOST_HANDLE = 256;

function isHandle(result: unknown): boolean {
  return result instanceof Uint8Array && result.length > 0 && result.length <= MOST_HANDLE;
}

function areAttributes(result: unknown): boolean {
  return typeof result === "object" && result !== null && "mode" in result &&
    isCount(result.mode) && "size" in result && isCount(result.size);
}

/** How an open file asks its host. */
interface FileAsk {
  readonly ask: <Result>(
    start: (sftp: Sftp2, done: SftpDone<Result>) => void,
    isAnswer: (result: unknown) => boolean,
    bytes?: number,
  ) => Promise<Result>;
  readonly canSync: boolean;
}

/** An open file of a host. */
export class SftpFile {
  readonly #handle: Buffer;
  readonly #ask: FileAsk["ask"];
  readonly #canSync: boolean;

  constructor(handle: Buffer, { ask, canSync }: FileAsk) {
    this.#handle = handle;
    this.#ask = ask;
    this.#canSync = canSync;
  }

  /** What the file is. */
  stat(): Promise<SftpAttributes> {
    const stat = (sftp: Sftp2, done: SftpDone<SftpAttributes>) => sftp.fstat(this.#handle, done);
    return this.#ask(stat, areAttributes);
  }

  /** Reads so many bytes from a position on, fewer only at the end of the file. */
  async read(length: number, position: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(length);
    const into = Buffer.from(bytes.buffer);
    let total = 0;
    while (total < length) {
      const left = length - total;
      const read = await this.#ask(
        (sftp, done: SftpDone<number>) => {
          sftp.read(this.#handle, into, total, left, position + total, done);
        },
        (count) => isCount(count) && count <= left,
        left,
      );
      if (read === 0) break;
      total += read;
    }
    return bytes.subarray(0, total);
  }

  /** Writes bytes at a position. */
  write(bytes: Uint8Array, position: number): Promise<void> {
    const from = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    return this.#ask((sftp, done: SftpDone) => {
      sftp.write(this.#handle, from, 0, from.length, position, done);
    }, isCount);
  }

  /** Changes the owner and the group. */
  chown(uid: number, gid: number): Promise<void> {
    return this.#ask(
      (sftp, done: SftpDone) => sftp.fchown(this.#handle, uid, gid, done),
      isNothing,
    );
  }

  /** Changes the mode. */
  chmod(mode: number): Promise<void> {
    return this.#ask((sftp, done: SftpDone) => sftp.fchmod(this.#handle, mode, done), isNothing);
  }

  /** Waits until the content is on disk, on a host that knows how. */
  async sync(): Promise<void> {
    if (!this.#canSync) return;
    await this.#ask(
      (sftp, done: SftpDone) => sftp.ext_openssh_fsync(this.#handle, done),
      isNothing,
    );
  }

  /** Closes the file. */
  close(): Promise<void> {
    return this.#ask((sftp, done: SftpDone) => sftp.close(this.#handle, done), isNothing);
  }
}

/** What is done to a file of a host: the start of a message. */
export interface RemoteAction {
  readonly action: "read" | "write";
  readonly path: string;
  readonly host: string;
}

/** Describes an answer of SFTP for the caller; returns any other error unchanged. */
export function toRemoteError(cause: unknown, file: RemoteAction): unknown {
  return cause instanceof SftpError ? remoteError(stateOf(cause, file.action), file) : cause;
}

/** An error of phase `copy`, about a file of a host. */
export function remoteError(state: string, { action, path, host }: RemoteAction): SshError {
  return new SshError(`Cannot ${action} ${quotePath(path)} on "${host}": ${state}`, "copy");
}

function stateOf({ status, message }: SftpError, action: RemoteAction["action"]): string {
  switch (status) {
    case SFTP_STATUS.NO_SUCH_FILE:
      return action === "read"
        ? "it does not exist"
        : "its folder does not exist; make it with ssh-exec";
    case SFTP_STATUS.PERMISSION_DENIED:
      return "the user has no permission for it";
    case SFTP_STATUS.FAILURE:
      return `the host answered "${message}", as it does if no space is left on the disk, or the ` +
        "file system is read-only";
    case undefined:
      return message;
    default:
      return `the host answered "${message}"`;
  }
}
