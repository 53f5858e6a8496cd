import type { ParsedKey, Ssh2 } from "../ssh2.ts";

/**
 * Bytes of the private number of a curve: those of its order (RFC 5915, section 3). A number of 521
 * bits never has a zero byte for its sign, and Deno takes it as it is.
 */
const NUMBER_BYTES: Readonly<Record<string, number>> = {
  "ecdsa-sha2-nistp256": 32,
  "ecdsa-sha2-nistp384": 48,
};

/** Where the private number has its length: after the sequence's header, the version and its tag. */
const LENGTH_AT = 4;

/**
 * A private key that Deno can sign with. OpenSSH keeps the private number of an ECDSA key with as many
 * bytes as it needs and its sign (RFC 4251, section 5, `mpint`), which ssh2 copies into a format that
 * requires a fixed number of bytes: every second key would be rejected.
 */
export function toSigningKey(key: ParsedKey, { parseKey }: Ssh2["utils"]): ParsedKey {
  const size = NUMBER_BYTES[key.type];
  if (size === undefined) return key;
  const base64 = key.getPrivatePEM().replaceAll(/-----.*-----|\s/g, "");
  const der = withNumberOf(Uint8Array.fromBase64(base64), size);
  const pem = der.toBase64().replaceAll(/.{64}/g, "$&\n");
  const parsed = parseKey(`-----BEGIN EC PRIVATE KEY-----\n${pem}\n-----END EC PRIVATE KEY-----\n`);
  const [signing] = Array.isArray(parsed) ? parsed : [parsed];
  return signing === undefined || signing instanceof Error ? key : signing;
}

/** The same `ECPrivateKey` (RFC 5915) with leading zeros added to its number, or removed. */
function withNumberOf(der: Uint8Array, size: number): Uint8Array {
  const body = der.subarray(der[1] === 0x81 ? 3 : 2);
  const end = LENGTH_AT + 1 + (body[LENGTH_AT] ?? 0);
  const number = body.subarray(LENGTH_AT + 1, end);
  const padded = new Uint8Array(size);
  padded.set(number.subarray(-size), Math.max(0, size - number.length));
  const changed = [...body.subarray(0, LENGTH_AT), size, ...padded, ...body.subarray(end)];
  const length = changed.length < 0x80 ? [changed.length] : [0x81, changed.length];
  return Uint8Array.of(der[0] ?? 0, ...length, ...changed);
}
