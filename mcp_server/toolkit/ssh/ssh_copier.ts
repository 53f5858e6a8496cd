import { createHash } from "node:crypto";
import { NotAllowedError, ToolError } from "../../shared/error.ts";
import { firstOf } from "../../shared/concurrency.ts";
import { clamp } from "../../tool/command_output.ts";
import type { ToolContext, ToolExtra } from "../../tool/tool.ts";
import {
  allowTargets,
  type LocalBounds,
  openLocalFile,
  openRemoteFile,
  writeLocalFile,
  writeRemoteFile,
} from "./copied_file.ts";
import type { Connection } from "./connection.ts";
import { type RemoteAction, Sftp, SFTP_STATUS, SftpError, toRemoteError } from "./sftp.ts";
import { SshError } from "./ssh2.ts";
import {
  type HostError,
  type HostLink,
  type HostLogin,
  onHosts,
  type SshCall,
  type SshHost,
  useSshService,
} from "./ssh_service.ts";

/** What one call copies. */
export interface CopyRequest {
  /** To the hosts, or from them. */
  readonly direction: "up" | "down";
  /** The file to copy: of the server's host, or of each host. */
  readonly from: string;
  /**
   * The file that it becomes; from several hosts, the folder in which it becomes `<host>/<name>`.
   */
  readonly to: string;
  /** The hosts. */
  readonly connections: readonly HostLogin[];
  /** Time-out of each host in milliseconds, clamped to the server's limit. @default {30_000} */
  readonly timeoutMs?: number | undefined;
}

/** What became of the copy of one host. */
export type HostCopy = {
  /** The host as the call writes it. */
  host: string;
  /** The account that was used. */
  username: string;
  /** The path of the copy, without links. */
  path?: string;
  /** The size of the copy. */
  bytes?: number;
  /** SHA-256 of what was copied, in hexadecimal. */
  sha256?: string;
  /** Why there is no copy, if there is none. */
  error?: HostError;
};

/** Copies one file to or from the hosts of a call; none if one of them is not allowed to the caller. */
export type SshCopier = (
  request: CopyRequest,
  extra: Pick<ToolExtra, "caller" | "commands" | "limits" | "signal" | "user">,
) => Promise<HostCopy[]>;

/** How the copies of one call are made. */
interface CopyCall extends SshCall {
  readonly request: CopyRequest;
  readonly local: LocalBounds;
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/** How long a host may take to remove the temporary file of a copy that failed. */
const REMOVAL_MS = 3_000;

/** What tools use once it is called, see `createSshCopier()` of `ssh_functions.ts`. */
export function createSshCopier(context: ToolContext): SshCopier {
  const { log, limits: { maxCopyBytes: maxBytes } } = context;
  const service = useSshService(context);
  return async (request, extra) => {
    const { caller, commands, limits, signal, user } = extra;
    const call: CopyCall = {
      commands,
      lookup: service.config.forCall({ commands, signal }),
      caller,
      signal,
      log,
      request,
      local: { caller, user, signal },
      timeoutMs: clamp(request.timeoutMs, limits.timeoutMs, limits.maxTimeoutMs),
      maxBytes,
    };
    const onEach = (copy: CopyOne) =>
      onHosts(request.connections, service, call, (host, login) => copyOn(host, login, call, copy));
    if (request.direction === "down") return await copyDown(call, onEach);
    return await copyUp(call, onEach);
  };
}

/** Copies over a channel to or from one host, and returns where the copy is. */
type CopyOne = (
  parts: {
    readonly sftp: Sftp;
    readonly link: HostLink;
    readonly host: string;
    readonly tally: Tally;
    readonly signal: AbortSignal;
  },
) => Promise<string>;

async function copyUp(
  call: CopyCall,
  onEach: (copy: CopyOne) => Promise<HostCopy[]>,
): Promise<HostCopy[]> {
  const { request: { from, to }, local, maxBytes } = call;
  return await openLocalFile(
    from,
    { ...local, maxBytes },
    (source) =>
      onEach(async ({ sftp, link, host, tally, signal }) => {
        const target: RemoteAction = { action: "write", path: to, host };
        const content = { mode: source.mode, pieces: tally.count(source.pieces(signal)) };
        let temporary: string | undefined;
        try {
          return await writeRemoteFile(sftp, target, {
            ...content,
            onTemporary: (path) => temporary = path,
          });
        } catch (error) {
          const left = temporary === undefined
            ? undefined
            : await remove(temporary, sftp, link, call);
          throw withTemporary(toRemoteError(error, target), left);
        }
      }),
  );
}

async function copyDown(
  call: CopyCall,
  onEach: (copy: CopyOne) => Promise<HostCopy[]>,
): Promise<HostCopy[]> {
  const { request: { from, connections }, local, maxBytes } = call;
  const targets = toLocalPaths(call.request);
  await allowTargets([...targets.values()], local);
  const several = connections.length > 1;
  return await onEach(async ({ sftp, host, tally, signal }) => {
    const source: RemoteAction = { action: "read", path: from, host };
    try {
      const { size, mode, pieces } = await openRemoteFile(sftp, source);
      if (size > maxBytes) throw tooLarge(source.path, maxBytes);
      const path = targets.get(host) ?? "";
      const content = { mode, pieces: tally.count(pieces()), createParents: several };
      return await writeLocalFile(path, content, { ...local, signal });
    } catch (error) {
      throw toRemoteError(error, source);
    }
  });
}

/** Where the file of each host goes. Throws a `ToolError` if two would become one. */
function toLocalPaths({ from, to, connections }: CopyRequest): ReadonlyMap<string, string> {
  const name = from.slice(from.lastIndexOf("/") + 1);
  const several = connections.length > 1;
  const folder = to.replace(/(?<=.)\/+$/, "");
  const paths = new Map(
    connections.map(({ host }) => [host, several ? `${folder}/${host}/${name}` : to]),
  );
  if (paths.size === connections.length) return paths;
  throw new ToolError("Cannot copy from a host twice: name each host once", {
    code: "INVALID_ARGUMENTS",
  });
}

/** Copies to or from one host, over a channel of its own. */
async function copyOn(
  host: SshHost,
  { host: name }: HostLogin,
  { signal, timeoutMs, maxBytes }: CopyCall,
  copy: CopyOne,
): Promise<HostCopy> {
  const tally = new Tally(maxBytes);
  let path: string | undefined;
  const error = await host.connect(async (link) => {
    const stop = new AbortController();
    using _deadline = firstOf({ signal, timeoutMs }, (expiry) => {
      stop.abort(expiry === "aborted" ? signal.reason : late(name, timeoutMs, tally.bytes));
    });
    try {
      const open = (connection: Connection) => Sftp.open(connection, stop.signal);
      using sftp = await link.attempt(open);
      path = await copy({ sftp, link, host: name, tally, signal: stop.signal });
    } catch (error) {
      throw toCopyError(error);
    }
  });
  const done = { host: name, username: host.username };
  if (error !== undefined) return { ...done, error };
  return { ...done, ...(path === undefined ? {} : { path }), ...tally.end() };
}

function late(host: string, timeoutMs: number, bytes: number): SshError {
  const state = `it took more than ${timeoutMs} ms, for ${bytes} bytes; use a larger "timeoutMs"`;
  return new SshError(`Cannot finish the copy of "${host}": ${state}`, "copy");
}

function tooLarge(path: string, maxBytes: number): SshError {
  return new SshError(
    `Cannot copy ${JSON.stringify(path)}: it has more than ${maxBytes} bytes`,
    "copy",
  );
}

/** What is wrong on the server's own side is the error of a host, too. */
function toCopyError(error: unknown): unknown {
  const isLocal = error instanceof ToolError || error instanceof NotAllowedError;
  return isLocal ? new SshError(error.message, "copy") : error;
}

/** Counts what is copied. */
class Tally {
  readonly #hash = createHash("sha256");
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Passes pieces on. Throws once they are larger than any copy, as those of a file that grows. */
  async *count(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) {
      this.#bytes += piece.length;
      if (this.#bytes > this.#maxBytes) {
        throw new SshError(`Cannot copy more than ${this.#maxBytes} bytes`, "copy");
      }
      this.#hash.update(piece);
      yield piece;
    }
  }

  end(): { bytes: number; sha256: string } {
    return { bytes: this.#bytes, sha256: this.#hash.digest("hex") };
  }
}

/**
 * Removes the temporary file of a copy that failed: over the same channel, else over a new one, and a
 * new connection if that was lost. Returns its path if it may still be there.
 */
async function remove(
  path: string,
  sftp: Sftp,
  link: HostLink,
  { signal, log }: CopyCall,
): Promise<string | undefined> {
  if (await isRemoved(path, sftp.until(AbortSignal.timeout(REMOVAL_MS)))) return undefined;
  try {
    const again = AbortSignal.timeout(REMOVAL_MS);
    const { connection } = link;
    // A call that is stopped opens no connection.
    const open = (connection: Connection) => Sftp.open(connection, again);
    using other = signal.aborted ? await open(connection) : await link.attempt(open);
    if (await isRemoved(path, other)) return undefined;
  } catch {
    // The host can't be reached.
  }
  log.warn("a temporary file may be left", { host: link.connection.hop.alias, path });
  return path;
}

async function isRemoved(path: string, sftp: Sftp): Promise<boolean> {
  try {
    await sftp.unlink(path);
    return true;
  } catch (error) {
    return error instanceof SftpError && error.status === SFTP_STATUS.NO_SUCH_FILE;
  }
}

function withTemporary(error: unknown, path: string | undefined): unknown {
  if (path === undefined || !(error instanceof SshError)) return error;
  const left = `its temporary file ${JSON.stringify(path)} may be left there`;
  return new SshError(`${error.message}; ${left}`, error.phase);
}
