import { Buffer } from "node:buffer";

/** Reads bytes in PostgreSQL's text forms, hex and escape (manual, 8.4), and gives them in base64. */
export function byteaToBase64(text: string): string {
  return bytesOf(text).toString("base64");
}

function bytesOf(text: string): Buffer {
  if (text.startsWith("\\x")) return Buffer.from(text.slice(2), "hex");
  const plain = text.replaceAll(/\\(?:(\\)|([0-3][0-7]{2}))/g, (_all, slash, octal) => {
    return slash ?? String.fromCharCode(Number.parseInt(octal, 8));
  });
  return Buffer.from(plain, "latin1");
}
