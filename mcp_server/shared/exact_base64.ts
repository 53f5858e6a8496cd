const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * The bytes of a text in base64 (RFC 4648, section 4), with padding and without line breaks;
 * `undefined` if it has another form.
 */
export function exactBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    if (BASE64.test(text)) return Uint8Array.fromBase64(text, { lastChunkHandling: "strict" });
  } catch {
    // The padding is wrong.
  }
  return undefined;
}
