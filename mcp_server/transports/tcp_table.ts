/** The other end of a connection. */
export interface Peer {
  readonly hostname: string;
  readonly port: number;
}

/** State of a connection whose other end has closed it while ours has not (proc(5), tcp(7)). */
const CLOSE_WAIT = "08";
const MAPPED_IPV4 = /^0{16}F{4}0{4}([0-9A-F]{8})$/;

/** Names a peer of a local port, in one form for every spelling of its address. */
export function peerKey({ hostname, port }: Peer, localPort: number): string {
  const address = hostname.replace(/^::ffff:(?=\d+\.)/i, "");
  const canonical = address.includes(":") ? new URL(`http://[${address}]`).hostname : address;
  return `${localPort} ${canonical} ${port}`;
}

/**
 * Reads `/proc/net/tcp` and `/proc/net/tcp6`, one after the other, and gives the keys of the peers
 * that have not hung up (proc(5)).
 */
export function parseTcpTable(text: string): Set<string> {
  const present = new Set<string>();
  for (const line of text.split("\n")) {
    const [slot = "", local = "", remote = "", state] = line.trim().split(/\s+/, 4);
    if (!/^\d+:$/.test(slot) || state === CLOSE_WAIT) continue;
    const [, localPort = ""] = local.split(":");
    const [address = "", port = ""] = remote.split(":");
    const peer = { hostname: toAddress(address), port: parseInt(port, 16) };
    present.add(peerKey(peer, parseInt(localPort, 16)));
  }
  return present;
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
