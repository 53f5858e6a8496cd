import { strictEqual } from "node:assert/strict";

/**
 * Compares a text with the one stored in a file. If `UPDATE_SNAPSHOTS=1` is set in the environment,
 * the file is written instead, and the next commit shows the change.
 */
export async function compareSnapshot(file: string, text: string): Promise<void> {
  if (Deno.env.get("UPDATE_SNAPSHOTS") === "1") {
    await Deno.mkdir(new URL(".", `file://${file}`), { recursive: true });
    return await Deno.writeTextFile(file, text);
  }
  const kept = await Deno.readTextFile(file).catch(() => "");
  strictEqual(
    text,
    kept,
    `${file} differs; if that is intended, run the test with UPDATE_SNAPSHOTS=1`,
  );
}
