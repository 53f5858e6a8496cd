import { strictEqual } from "node:assert/strict";
import { callApi } from "./testing/http_caller.ts";
import { startServer } from "./testing/server_process.ts";

const KILLS = 100;
const LANES = 4;
const SIZE = 1_000_000;

/** Kills a server while it writes; tells whether the target is whole, and which content it has. */
async function killWhileWriting(path: string, letter: string): Promise<string> {
  const server = await startServer();
  const write = callApi(server.url, "write-file", { path, content: letter.repeat(SIZE) })
    .then(() => {}, () => {});
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 25));
  await server.stop("SIGKILL");
  await write;
  const text = await Deno.readTextFile(path);
  const [first = ""] = text;
  strictEqual(text === first.repeat(SIZE), true, `${path} is mixed`);
  return first;
}

Deno.test("a server killed 100 times inside write-file leaves the old content or the new", async () => {
  const folder = await Deno.makeTempDir();
  let old = 0;
  const lane = async (_: unknown, number: number) => {
    const path = `${folder}/${number}`;
    let before = "a";
    await Deno.writeTextFile(path, before.repeat(SIZE));
    for (let kill = 0; kill < KILLS / LANES; kill++) {
      const wanted = before === "a" ? "b" : "a";
      const found = await killWhileWriting(path, wanted);
      strictEqual([before, wanted].includes(found), true, found);
      if (found === before) old++;
      before = found;
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  strictEqual(old > 0 && old < KILLS, true, `${old} of ${KILLS} kills came before the end`);
  await Deno.remove(folder, { recursive: true });
});
