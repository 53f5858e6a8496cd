import { strictEqual } from "node:assert/strict";

/**
 * Compares a text with the one that is kept in a file. With `UPDATE_SNAPSHOTS=1` in the environment
 * the file is written instead, and the change is seen in the next commit.
 */
export async function compareSnapshot(file: string, text: string): Promise<void> {
  if (Deno.env.get("UPDATE_SNAPSHOTS") === "1") {
    await Deno.mkdir(new URL(".", `file://${file}`), { recursive: true });
    return await Deno.writeTextFile(file, text);
  }
  const kept = await Deno.readTextFile(file).catch(() => "");
  strictEqual(text, kept, `${file} differs; if it shall, run the test with UPDATE_SNAPSHOTS=1`);
}
