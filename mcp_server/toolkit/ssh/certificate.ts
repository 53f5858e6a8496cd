import type { AuthProtocol, ParsedKey } from "./ssh2.ts";

/** A certificate of OpenSSH for a user (PROTOCOL.certkeys of OpenSSH), as its file contains it. */
export interface Certificate {
  /** The type and the bytes that are sent to a server. */
  readonly type: string;
  readonly blob: Uint8Array;
  /** The public key that it certifies, as RFC 4253 (section 6.6) encodes it. */
  readonly publicKey: Uint8Array;
}

/** How many fields a public key of each type has after its name. */
const KEY_FIELDS: Readonly<Record<string, number>> = {
  "ssh-ed25519": 1,
  "ssh-rsa": 2,
  "ecdsa-sha2-nistp256": 2,
  "ecdsa-sha2-nistp384": 2,
  "ecdsa-sha2-nistp521": 2,
};
const SUFFIX = "-cert-v01@openssh.com";
const encoder = new TextEncoder();

/** Reads the text of a certificate's file; `undefined` if it is none of a type that can be used. */
export function parseCertificate(text: string): Certificate | undefined {
  const [type = "", base64 = ""] = text.trim().split(/\s+/);
  const plain = type.endsWith(SUFFIX) ? type.slice(0, -SUFFIX.length) : "";
  const count = Object.hasOwn(KEY_FIELDS, plain) ? KEY_FIELDS[plain] ?? 0 : 0;
  if (count === 0) return undefined;
  try {
    const blob = Uint8Array.fromBase64(base64);
    const nameEnd = endOfField(blob, 0);
    const start = endOfField(blob, nameEnd);
    let end = start;
    for (let field = 0; field < count; field++) end = endOfField(blob, end);
    if (new TextDecoder().decode(blob.subarray(4, nameEnd)) !== type) return undefined;
    return {
      type,
      blob,
      publicKey: concat(toField(encoder.encode(plain)), blob.subarray(start, end)),
    };
  } catch {
    return undefined;
  }
}

/** The private key of a certificate, which logs in with the certificate instead of the bare key. */
export function withCertificate(key: ParsedKey, { type, blob }: Certificate): ParsedKey {
  const isRsa = type.startsWith("ssh-rsa");
  return Object.create(key, {
    // Servers reject signatures of RSA keys with SHA-1.
    type: { value: isRsa ? `rsa-sha2-512${SUFFIX}` : type },
    getPublicSSH: { value: () => blob },
    sign: { value: (data: Uint8Array) => isRsa ? key.sign(data, "sha512") : key.sign(data) },
  });
}

/**
 * Lets a client of ssh2 log in with certificates. ssh2 sends one name for the key and for its
 * signature (RFC 4252, section 7), but a certificate's signature has the name of the bare key.
 */
export function allowCertificates(protocol: AuthProtocol): void {
  const { authPK } = protocol;
  protocol.authPK = (user, key, algorithm, sign) => {
    if (sign === undefined || !key.type.endsWith(SUFFIX)) {
      return authPK.call(protocol, user, key, algorithm, sign);
    }
    authPK.call(protocol, user, key, algorithm, (data, _done) => {
      sign(data, (signature) => sendSigned(protocol, data, toSignature(key.type, signature)));
    });
  };
}

/** Sends a signed request: the data that were signed, but for the session's id, and the signature. */
function sendSigned(protocol: AuthProtocol, data: Uint8Array, signature: Uint8Array): void {
  const request = data.subarray(endOfField(data, 0));
  const payload = concat(request, toField(signature));
  const { write } = protocol._packetRW;
  const packet = write.alloc(payload.length);
  packet.set(payload, write.allocStart);
  protocol._authsQueue.push("publickey");
  const sent = write.finalize(packet);
  // During a key exchange, packets wait.
  if (protocol._kexinit === undefined) protocol._cipher.encrypt(sent);
  else (protocol._queue ??= []).push(sent);
}

/** The signature as servers expect it: the bare algorithm, and the signature in its own format. */
function toSignature(type: string, signature: Uint8Array): Uint8Array {
  const algorithm = type.slice(0, -SUFFIX.length);
  const value = algorithm.startsWith("ecdsa-") ? fromDer(signature) : signature;
  return concat(toField(encoder.encode(algorithm)), toField(value));
}

/** The two numbers of an ECDSA signature, as RFC 5656 (section 3.1.2) encodes them. */
function fromDer(der: Uint8Array): Uint8Array {
  // A sequence, whose length may take a byte more, of two integers with short lengths.
  const first = (der[1] ?? 0) > 0x80 ? 3 : 2;
  const second = first + 2 + (der[first + 1] ?? 0);
  const numberAt = (at: number) => toField(der.subarray(at + 2, at + 2 + (der[at + 1] ?? 0)));
  return concat(numberAt(first), numberAt(second));
}

function endOfField(bytes: Uint8Array, at: number): number {
  const end = at + 4 + new DataView(bytes.buffer, bytes.byteOffset + at, 4).getUint32(0);
  if (end > bytes.length) throw new RangeError("Cannot read a field: it is longer than the text");
  return end;
}

function toField(value: Uint8Array): Uint8Array {
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, value.length);
  return concat(length, value);
}

function concat(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
