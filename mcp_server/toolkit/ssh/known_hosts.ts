import { createHash, createHmac } from "node:crypto";
import { matchesPatterns } from "./hosts.ts";

/** What a line of known_hosts says about a host (sshd(8), "SSH_KNOWN_HOSTS FILE FORMAT"). */
export interface KnownHost {
  readonly marker?: "cert-authority" | "revoked";
  readonly type: string;
  readonly key: Uint8Array;
}

/** What known_hosts says about the key that a host presents. */
export type HostKeyVerdict =
  | { readonly kind: "known" | "unknown" | "revoked" | "authority" }
  | { readonly kind: "changed"; readonly known: readonly Uint8Array[] };

const LINE =
  /^[ \t]*(?:@([^ \t]+)[ \t]+)?([^@ \t][^ \t]*)[ \t]+([^ \t]+)[ \t]+([A-Za-z0-9+/=\r\v\f]+)(?:[ \t]|$)/;

/** How long the search runs before it yields to other work: a hashed name takes up to 50 us. */
const STRETCH_MS = 10;

/**
 * Reads the lines of a known_hosts file that are about a host, by its name; other lines, such as
 * comments, are ignored. A large file doesn't block the server.
 */
export async function findKnownHosts(text: string, name: string): Promise<KnownHost[]> {
  const found: KnownHost[] = [];
  let startedAt = performance.now();
  for (const line of text.split("\n")) {
    const host = parseLine(line, name);
    if (host !== undefined) found.push(host);
    if (performance.now() - startedAt < STRETCH_MS) continue;
    await new Promise((resolve) => setTimeout(resolve, 0));
    startedAt = performance.now();
  }
  return found;
}

function parseLine(line: string, name: string): KnownHost | undefined {
  // OpenSSH reads a line up to its first NUL.
  const [text = ""] = line.split("\0", 1);
  const [, marker, names = "", type = "", base64 = ""] = LINE.exec(text) ?? [];
  if (names === "" || names.startsWith("#") || !matchesNames(name, names)) return undefined;
  if (marker !== undefined && marker !== "cert-authority" && marker !== "revoked") return undefined;
  const key = decodeBase64(base64);
  if (keyTypeOf(key) !== type) return undefined;
  return { marker, type, key };
}

/**
 * Decodes base64 as OpenSSH does, which skips white space and requires the padding. Returns no bytes
 * for any other text.
 */
function decodeBase64(base64: string): Uint8Array {
  try {
    return Uint8Array.fromBase64(base64.replaceAll("\v", ""), { lastChunkHandling: "strict" });
  } catch {
    return new Uint8Array(0);
  }
}

/**
 * Compares the key that a host presents with its known keys. If any key of the host is known, but
 * not this one, the key counts as changed, even if it is of another type; this is stricter than
 * OpenSSH.
 */
export function checkHostKey(hosts: readonly KnownHost[], key: Uint8Array): HostKeyVerdict {
  const same = hosts.filter((host) => isSameKey(host.key, key));
  if (same.some(({ marker }) => marker === "revoked")) return { kind: "revoked" };
  if (same.some(({ marker }) => marker === undefined)) return { kind: "known" };
  const known = hosts.filter(({ marker }) => marker === undefined).map((host) => host.key);
  if (known.length > 0) return { kind: "changed", known };
  const authority = hosts.some(({ marker }) => marker === "cert-authority");
  return { kind: authority ? "authority" : "unknown" };
}

/** The types of a host's known keys. */
export function knownTypes(hosts: readonly KnownHost[]): string[] {
  return hosts.filter(({ marker }) => marker === undefined).map(({ type }) => type);
}

/** The public keys of a text with one a line, or `undefined` if a line is none. */
export function parseKeyList(text: string): Uint8Array[] | undefined {
  const lines = text.split("\n").map((line) => line.trim());
  const keys = lines.filter((line) => line !== "" && !line.startsWith("#")).map((line) => {
    const [type = "", base64 = ""] = line.split(/\s+/);
    const key = decodeBase64(base64);
    return keyTypeOf(key) === type ? key : undefined;
  });
  return keys.includes(undefined) ? undefined : keys.filter((key) => key !== undefined);
}

/** Whether two keys, as RFC 4253 (section 6.6) encodes them, are the same. */
export function isSameKey(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}

function matchesNames(name: string, names: string): boolean {
  if (!names.startsWith("|")) return matchesPatterns(name, names.split(","));
  const [, version, salt = "", hash] = names.split("|");
  if (version !== "1") return false;
  const mac = createHmac("sha1", decodeBase64(salt)).update(name.toLowerCase());
  return mac.digest("base64") === hash;
}

/**
 * The host key algorithms that are offered, the preferred first: those of OpenSSH 9 that ssh2 knows
 * (no SHA-1).
 */
const ALGORITHMS: readonly string[] = [
  "ssh-ed25519",
  "ecdsa-sha2-nistp256",
  "ecdsa-sha2-nistp384",
  "ecdsa-sha2-nistp521",
  "rsa-sha2-512",
  "rsa-sha2-256",
];

/** The fingerprint of a key, as OpenSSH prints it: `SHA256:...`. */
export function fingerprintOf(key: Uint8Array): string {
  return `SHA256:${createHash("sha256").update(key).digest("base64").replace(/=+$/, "")}`;
}

/**
 * The type that is encoded in a public key (RFC 4253, section 6.6), or `undefined` if it is not a
 * key.
 */
export function keyTypeOf(key: Uint8Array): string | undefined {
  if (key.length < 4) return undefined;
  const length = new DataView(key.buffer, key.byteOffset).getUint32(0);
  if (length === 0 || length > 64 || key.length < 4 + length) return undefined;
  return new TextDecoder().decode(key.subarray(4, 4 + length));
}

/**
 * The algorithms to offer to a host, those of its known keys first: a server that has several keys
 * then presents the known one.
 */
export function hostKeyAlgorithms(
  knownTypes: readonly string[],
  algorithms: readonly string[] = ALGORITHMS,
): string[] {
  const isKnown = (algorithm: string) =>
    knownTypes.includes(algorithm.startsWith("rsa-") ? "ssh-rsa" : algorithm);
  return [...algorithms.filter(isKnown), ...algorithms.filter((name) => !isKnown(name))];
}
