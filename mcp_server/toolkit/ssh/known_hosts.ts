import { createHmac } from "node:crypto";
import { matchesPatterns } from "./host_pattern.ts";
import { keyTypeOf } from "./host_key.ts";

/** One line of a known_hosts file (sshd(8), "SSH_KNOWN_HOSTS FILE FORMAT"). */
export interface KnownHost {
  readonly marker?: "cert-authority" | "revoked";
  /** Patterns with commas between them, or one hashed name. */
  readonly names: string;
  readonly type: string;
  readonly key: Uint8Array;
}

/** What known_hosts says of the key that a host shows. */
export type HostKeyVerdict =
  | { readonly kind: "known" | "unknown" | "revoked" | "authority" }
  | { readonly kind: "changed"; readonly known: readonly Uint8Array[] };

const LINE = /^(?:@(\S+)\s+)?(\S+)\s+(\S+)\s+([A-Za-z0-9+/]+={0,2})(?:\s|$)/;

/** Reads a known_hosts file; lines that are none, such as comments, are left out. */
export function parseKnownHosts(text: string): KnownHost[] {
  return text.split("\n").flatMap((line) => {
    const trimmed = line.trim();
    const [, marker, names = "", type = "", base64 = ""] = LINE.exec(trimmed) ?? [];
    if (names === "" || trimmed.startsWith("#")) return [];
    if (marker !== undefined && marker !== "cert-authority" && marker !== "revoked") return [];
    const key = atobOrNothing(base64);
    if (keyTypeOf(key) !== type) return [];
    return [{ ...(marker === undefined ? {} : { marker }), names, type, key }];
  });
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
export function checkHostKey(
  hosts: readonly KnownHost[],
  name: string,
  key: Uint8Array,
): HostKeyVerdict {
  const own = hosts.filter(({ names }) => matchesNames(name, names));
  const same = own.filter((host) => isSameKey(host.key, key));
  if (same.some(({ marker }) => marker === "revoked")) return { kind: "revoked" };
  if (same.some(({ marker }) => marker === undefined)) return { kind: "known" };
  const known = own.filter(({ marker }) => marker === undefined).map((host) => host.key);
  if (known.length > 0) return { kind: "changed", known };
  const authority = own.some(({ marker }) => marker === "cert-authority");
  return { kind: authority ? "authority" : "unknown" };
}

/** The types of the keys that are known of a host. */
export function knownTypes(hosts: readonly KnownHost[], name: string): string[] {
  return hosts
    .filter(({ marker, names }) => marker === undefined && matchesNames(name, names))
    .map(({ type }) => type);
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
