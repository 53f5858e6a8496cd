/**
 * Notices in the system's table of connections that a client has disconnected. `Deno.serve` reports it
 * by the request's signal only once a response has begun, or if the request arrived in one small piece;
 * the table always shows it.
 *
 * @module
 */

import { Buffer } from "node:buffer";

/** The check interval; a client that disconnects is noticed after twice this time at the latest. */
const LOOK_MS = 500;
const TABLES = ["/proc/net/tcp", "/proc/net/tcp6"];

interface Watched {
  readonly onGone: () => void;
  /** A call is watched from the second check on; most have ended by then. */
  isNew: boolean;
}

/** Notices that clients have disconnected while their calls run, and looks only as long as any does. */
export class DisconnectWatcher {
  readonly #localPort: () => number;
  readonly #readTables: () => Promise<Uint8Array>;
  readonly #watched = new Map<string, Set<Watched>>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `localPort` is what the clients are connected to. */
  constructor(localPort: () => number, readTables: () => Promise<Uint8Array> = readTcpTables) {
    this.#localPort = localPort;
    this.#readTables = readTables;
  }

  /** Calls `onGone` once the peer has disconnected, until the returned watch is disposed of. */
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

/**
 * Reads the tables in this process, or with a helper program if this process may not read `/proc`.
 */
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

/** A kernel without IPv6 has only one table. */
async function readTable(path: string): Promise<Uint8Array> {
  try {
    return await Deno.readFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return new Uint8Array();
    throw error;
  }
}

/** The other end of a connection. */
export interface Peer {
  readonly hostname: string;
  readonly port: number;
}

/** States of a connection that both ends keep open, and of a listener (proc(5)). */
const ESTABLISHED = "01";
const LISTEN = "0A";
const MAPPED_IPV4 = /^0{16}F{4}0{4}([0-9A-F]{8})$/;
const COLON = 0x3a;
const LINE_FEED = 0x0a;

const decoder = new TextDecoder();

/** The key of a peer: the same for every spelling of its address. */
export function peerKey({ hostname, port }: Peer): string {
  const address = hostname.replace(/^::ffff:(?=\d+\.)/i, "");
  const canonical = address.includes(":") ? new URL(`http://[${address}]`).hostname : address;
  return `${canonical} ${port}`;
}

/** What the system's tables of connections report about one local port. */
interface TcpTable {
  /** Keys of the peers that have not disconnected; see {@linkcode peerKey}. */
  readonly present: ReadonlySet<string>;
  /** Whether a listener is on the port; a table without it can't be trusted. */
  readonly isListening: boolean;
}

/**
 * Reads what `/proc/net/tcp` and `/proc/net/tcp6`, one after the other, report about a local port.
 * A row is `slot: address:port address:port state ...` in hexadecimal digits (proc(5)). Rows of
 * other ports cost only a comparison of bytes, because there may be tens of thousands.
 */
export function parseTcpTable(table: Uint8Array, localPort: number): TcpTable {
  const portHex = new TextEncoder().encode(localPort.toString(16).toUpperCase().padStart(4, "0"));
  const present = new Set<string>();
  let isListening = false;
  for (let start = 0; start < table.length;) {
    const lineFeed = table.indexOf(LINE_FEED, start);
    const end = lineFeed < 0 ? table.length : lineFeed;
    const slotEnd = table.indexOf(COLON, start);
    const port = slotEnd < 0 ? -1 : table.indexOf(COLON, slotEnd + 1) + 1;
    if (port > 0 && port < end && portHex.every((digit, at) => table[port + at] === digit)) {
      const row = decoder.decode(table.subarray(port + portHex.length + 1, end));
      const [remote = "", state] = row.split(" ", 2);
      if (state === LISTEN) isListening = true;
      if (state === ESTABLISHED) present.add(remoteKey(remote));
    }
    start = end + 1;
  }
  return { present, isListening };
}

function remoteKey(remote: string): string {
  const [address = "", port = ""] = remote.split(":");
  return peerKey({ hostname: toAddress(address), port: parseInt(port, 16) });
}

/** Each 32-bit word is in the byte order of the machine, which is little-endian. */
function toAddress(hex: string): string {
  const ipv4 = hex.length === 8 ? hex : MAPPED_IPV4.exec(hex)?.[1];
  if (ipv4 !== undefined) return bytesOf(ipv4).join(".");
  const bytes = (hex.match(/.{8}/g) ?? []).flatMap(bytesOf);
  const groups = Array.from({ length: 8 }, (_, at) => {
    return ((bytes[2 * at] ?? 0) * 256 + (bytes[2 * at + 1] ?? 0)).toString(16);
  });
  return groups.join(":");
}

function bytesOf(word: string): number[] {
  return (word.match(/../g) ?? []).map((byte) => parseInt(byte, 16)).reverse();
}
