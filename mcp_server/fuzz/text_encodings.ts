/** How a text becomes bytes; all but the first are not what JSON has to be (RFC 8259, section 8.1). */
export const ENCODINGS = {
  "utf-8": (text: string) => new TextEncoder().encode(text),
  "with a byte order mark": (text: string) => new TextEncoder().encode(`\ufeff${text}`),
  "utf-16": (text: string) => new Uint8Array(Uint16Array.from(text, (c) => c.charCodeAt(0)).buffer),
  "latin-1": (text: string) => Uint8Array.from(text, (c) => c.charCodeAt(0) & 0xff),
  "cut": (text: string) => new TextEncoder().encode(`${text}é`).subarray(0, -1),
} as const;

export type Encoding = keyof typeof ENCODINGS;

export const ENCODING_NAMES: readonly Encoding[] = [
  "utf-8",
  "with a byte order mark",
  "utf-16",
  "latin-1",
  "cut",
];
