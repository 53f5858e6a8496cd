/** What is sent, and its size in bytes. */
export interface SentData {
  /** Text, or data that the protocols don't use. */
  readonly data: unknown;
  readonly size: number;
}

/** Measures what is sent; values of other types are sent as text. */
export function sizeOf(data: unknown): SentData {
  if (data instanceof Blob) return { data, size: data.size };
  if (data instanceof ArrayBuffer || ArrayBuffer.isView(data)) {
    return { data, size: data.byteLength };
  }
  const text = String(data);
  return { data: text, size: new TextEncoder().encode(text).length };
}

/** How a client closes its connection. */
export interface Closing {
  readonly code: number;
  readonly reason: string;
}

/** Maximum size of the reason in a close frame, in bytes. */
const MAX_REASON_BYTES = 123;

/**
 * Checks the arguments of `close()`.
 *
 * @throws {DOMException} If a page may not send the code, or the reason is too long.
 */
export function checkClose(code: number | undefined, reason = ""): Closing {
  if (code !== undefined && code !== 1000 && !(code >= 3000 && code <= 4999)) {
    throw new DOMException(
      `Cannot close with "${code}": it must be 1000 or 3000 to 4999`,
      "InvalidAccessError",
    );
  }
  const text = String(reason);
  if (new TextEncoder().encode(text).length <= MAX_REASON_BYTES) {
    return { code: code ?? 1005, reason: text };
  }
  throw new DOMException(
    `Cannot close with "${text}": a reason has at most ${MAX_REASON_BYTES} bytes`,
    "SyntaxError",
  );
}

/** A token of HTTP (RFC 9110, 5.6.2). */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/**
 * Checks the subprotocols that a client offers.
 *
 * @throws {DOMException} If one is not a token, or occurs twice.
 */
export function checkProtocols(protocols: readonly string[]): readonly string[] {
  const wrong = protocols.find((protocol, index) =>
    !TOKEN.test(protocol) || protocols.indexOf(protocol) !== index
  );
  if (wrong === undefined) return protocols;
  throw new DOMException(
    `Cannot offer the subprotocol "${wrong}": it must be a token, once`,
    "SyntaxError",
  );
}
