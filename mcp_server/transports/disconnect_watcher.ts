import { Buffer } from "node:buffer";
import { parseTcpTable, type Peer, peerKey } from "./tcp_table.ts";

/** How often is looked; a client that hangs up is noticed after twice this time at the latest. */
const LOOK_MS = 500;
const TABLES = ["/proc/net/tcp", "/proc/net/tcp6"];

interface Watched {
  readonly onGone: () => void;
  /** A call is looked after from the second look on; most are over before. */
  isNew: boolean;
}

/**
 * Notices that a client has hung up while its call runs. `Deno.serve` tells that by the request's
 * signal only once an answer has begun, or where the request came in one small piece; the system's
 * table of connections tells it always. Looks only while calls are under way.
 */
export class HangUpWatch {
  readonly #localPort: () => number;
  readonly #readTables: () => Promise<Uint8Array>;
  readonly #watched = new Map<string, Set<Watched>>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Takes the port that the clients are connected to, and what reads the tables. */
  constructor(localPort: () => number, readTables: () => Promise<Uint8Array> = readTcpTables) {
    this.#localPort = localPort;
    this.#readTables = readTables;
  }

  /** Calls `onGone` once the peer has hung up, until what is returned is disposed of. */
  watch(peer: Peer, onGone: () => void): Disposable {
    const key = peerKey(peer);
    const watched = { onGone, isNew: true };
    const all = this.#watched.get(key) ?? new Set();
    this.#watched.set(key, all.add(watched));
    this.#timer ??= setTimeout(() => this.#look(), LOOK_MS);
    return {
      [Symbol.dispose]: () => {
        all.delete(watched);
        if (all.size === 0 && this.#watched.get(key) === all) this.#watched.delete(key);
      },
    };
  }

  async #look(): Promise<void> {
    const due = [...this.#watched].filter(([, all]) => [...all].some(({ isNew }) => !isNew));
    for (const all of this.#watched.values()) for (const watched of all) watched.isNew = false;
    if (due.length > 0) {
      const { present, isListening } = parseTcpTable(await this.#readTables(), this.#localPort());
      if (isListening) {
        for (const [key, all] of due) if (!present.has(key)) all.forEach(({ onGone }) => onGone());
      }
    }
    this.#timer = this.#watched.size > 0 ? setTimeout(() => this.#look(), LOOK_MS) : undefined;
  }
}

let isRefused = false;

/** Reads the tables here, or in a helper where this process may not read below `/proc`. */
async function readTcpTables(): Promise<Uint8Array> {
  if (!isRefused) {
    try {
      return Buffer.concat(await Promise.all(TABLES.map(readTable)));
    } catch {
      isRefused = true;
    }
  }
  try {
    const helper = new Deno.Command("cat", { args: TABLES, clearEnv: true, stderr: "null" });
    return (await helper.output()).stdout;
  } catch {
    return new Uint8Array();
  }
}

/** A kernel without IPv6 has one table only. */
async function readTable(path: string): Promise<Uint8Array> {
  try {
    return await Deno.readFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return new Uint8Array();
    throw error;
  }
}
