import { createHash } from "node:crypto";

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

/** The fingerprint of a key as OpenSSH shows it: `SHA256:...`. */
export function fingerprintOf(key: Uint8Array): string {
  return `SHA256:${createHash("sha256").update(key).digest("base64").replace(/=+$/, "")}`;
}

/** The type that stands in a public key (RFC 4253, section 6.6), or `undefined` for no key. */
export function keyTypeOf(key: Uint8Array): string | undefined {
  if (key.length < 4) return undefined;
  const length = new DataView(key.buffer, key.byteOffset).getUint32(0);
  if (length === 0 || length > 64 || key.length < 4 + length) return undefined;
  return new TextDecoder().decode(key.subarray(4, 4 + length));
}

/**
 * The algorithms to offer to a host, those of its known keys first: a server that has several keys
 * then shows the one that is known.
 */
export function hostKeyAlgorithms(knownTypes: readonly string[]): string[] {
  const isKnown = (algorithm: string) =>
    knownTypes.includes(algorithm.startsWith("rsa-") ? "ssh-rsa" : algorithm);
  return [...ALGORITHMS.filter(isKnown), ...ALGORITHMS.filter((name) => !isKnown(name))];
}
