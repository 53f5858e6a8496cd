/** The other end of a connection. */
export interface Peer {
  readonly hostname: string;
  readonly port: number;
}

/** State of a connection whose other end has closed it while ours has not (proc(5), tcp(7)). */
const CLOSE_WAIT = "08";
const LISTEN = "0A";
const MAPPED_IPV4 = /^0{16}F{4}0{4}([0-9A-F]{8})$/;

/** Names a peer of a local port, in one form for every spelling of its address. */
export function peerKey({ hostname, port }: Peer, localPort: number): string {
  const address = hostname.replace(/^::ffff:(?=\d+\.)/i, "");
  const canonical = address.includes(":") ? new URL(`http://[${address}]`).hostname : address;
  return `${localPort} ${canonical} ${port}`;
}

/** What the system's tables of connections say of one local port. */
export interface TcpTable {
  /** Keys of the peers that have not hung up; see {@linkcode peerKey}. */
  readonly present: ReadonlySet<string>;
  /** The local ports that are listened on; a table without ours is not to be believed. */
  readonly listening: ReadonlySet<number>;
}

/** Reads `/proc/net/tcp` and `/proc/net/tcp6`, one after the other (proc(5)). */
export function parseTcpTable(text: string): TcpTable {
  const present = new Set<string>();
  const listening = new Set<number>();
  for (const line of text.split("\n")) {
    const [slot = "", local = "", remote = "", state] = line.trim().split(/\s+/, 4);
    if (!/^\d+:$/.test(slot) || state === CLOSE_WAIT) continue;
    const localPort = parseInt(local.split(":")[1] ?? "", 16);
    if (state === LISTEN) listening.add(localPort);
    const [address = "", port = ""] = remote.split(":");
    const peer = { hostname: toAddress(address), port: parseInt(port, 16) };
    present.add(peerKey(peer, localPort));
  }
  return { present, listening };
}

/** Each 32-bit word stands in the byte order of the machine, which is little-endian. */
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
