import { createHmac } from "node:crypto";
import { matchesPatterns } from "./host_pattern.ts";
import { keyTypeOf } from "./host_key.ts";

/** What a line of known_hosts says of a host (sshd(8), "SSH_KNOWN_HOSTS FILE FORMAT"). */
export interface KnownHost {
  readonly marker?: "cert-authority" | "revoked";
  readonly type: string;
  readonly key: Uint8Array;
}

/** What known_hosts says of the key that a host shows. */
export type HostKeyVerdict =
  | { readonly kind: "known" | "unknown" | "revoked" | "authority" }
  | { readonly kind: "changed"; readonly known: readonly Uint8Array[] };

const LINE = /^(?:@(\S+)\s+)?(\S+)\s+(\S+)\s+([A-Za-z0-9+/]+={0,2})(?:\s|$)/;

/** How long the lines are searched at a stretch: a hashed name costs up to 50 us. */
const STRETCH_MS = 10;

/**
 * Reads the lines of a known_hosts file that are about a host, by its name; lines that are none, such
 * as comments, are left out. A large file doesn't keep the server from other work.
 */
export async function findKnownHosts(text: string, name: string): Promise<KnownHost[]> {
  const found: KnownHost[] = [];
  let startedAt = performance.now();
  for (const line of text.split("\n")) {
    const host = parseLine(line.trim(), name);
    if (host !== undefined) found.push(host);
    if (performance.now() - startedAt < STRETCH_MS) continue;
    await new Promise((resolve) => setTimeout(resolve, 0));
    startedAt = performance.now();
  }
  return found;
}

function parseLine(line: string, name: string): KnownHost | undefined {
  if (line.startsWith("#")) return undefined;
  const [, marker, names = "", type = "", base64 = ""] = LINE.exec(line) ?? [];
  if (names === "" || !matchesNames(name, names)) return undefined;
  if (marker !== undefined && marker !== "cert-authority" && marker !== "revoked") return undefined;
  const key = atobOrNothing(base64);
  if (keyTypeOf(key) !== type) return undefined;
  return { ...(marker === undefined ? {} : { marker }), type, key };
}

function atobOrNothing(base64: string): Uint8Array {
  try {
    return Uint8Array.fromBase64(base64);
  } catch {
    return new Uint8Array(0);
  }
}

/**
 * Compares the key that a host shows with what is known of it. A host of which any key is known, but
 * not this one, has changed its key, also where this one is of another type: more than OpenSSH asks.
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

/** The types of the keys that are known of a host. */
export function knownTypes(hosts: readonly KnownHost[]): string[] {
  return hosts.filter(({ marker }) => marker === undefined).map(({ type }) => type);
}

function isSameKey(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}

function matchesNames(name: string, names: string): boolean {
  if (!names.startsWith("|")) return matchesPatterns(name, names.split(","));
  const [, version, salt = "", hash] = names.split("|");
  if (version !== "1") return false;
  const mac = createHmac("sha1", atobOrNothing(salt)).update(name.toLowerCase());
  return mac.digest("base64") === hash;
}
