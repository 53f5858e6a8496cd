/** Larger files have object URLs: a data URL takes a third more memory than its file. */
const MAX_DATA_BYTES = 65_536;

const dataUrls = new WeakMap<Blob, string>();

/** Prepares the data URL of a file, so that {@linkcode urlOf} has it at once; not of a large one. */
export async function prepareDataUrl(file: Blob): Promise<void> {
  if (file.size > MAX_DATA_BYTES) return;
  const bytes = new Uint8Array(await file.arrayBuffer());
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  dataUrls.set(file, `data:${file.type || "application/octet-stream"};base64,${btoa(binary)}`);
}

/** The URL of a file: a data URL if it was prepared, or else an object URL, which is valid here. */
export function urlOf(file: Blob): string {
  return dataUrls.get(file) ?? URL.createObjectURL(file);
}
