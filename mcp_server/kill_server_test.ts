import { strictEqual } from "node:assert/strict";
import { dirname } from "node:path/posix";
import { createTempFolder } from "../test_support/temp_folder.ts";
import { times } from "../test_support/tier.ts";
import { callApi } from "./testing/http_caller.ts";
import { startServer } from "./testing/server_process.ts";

/** `MCP_TEST_KILLS=60` is the long form. */
const KILLS = Number(Deno.env.get("MCP_TEST_KILLS") ?? times(5, 10));
const LANES = times(1, 2);
const LINE = 1_000;
const SIZE = 1_000 * LINE;

/** After so many changes in the folder a server is killed; `Infinity` is once it has answered. */
const MOMENTS = [1, 2, 3, 4, Infinity];

/** A call that turns a file of one letter into one of another. */
interface WriteCall {
  readonly tool: string;
  readonly args: object;
}

const WRITES: readonly ((before: string, after: string) => WriteCall)[] = [
  (_, after) => ({ tool: "write-file", args: { content: after.repeat(SIZE) } }),
  (before, after) => ({
    tool: "edit-file",
    args: { edits: [{ old: before.repeat(LINE), new: after.repeat(LINE), all: true }] },
  }),
];

/** Kills a server while it writes; resolves with the letter of which the whole target consists. */
async function killWhileWriting(
  { tool, args }: WriteCall,
  path: string,
  moment: number,
): Promise<string> {
  const server = await startServer();
  using watcher = Deno.watchFs(dirname(path));
  const write = callApi(server.url, tool, { path, ...args }).catch(() => undefined);
  await Promise.race([write, untilChanges(watcher, moment)]);
  await server.stop("SIGKILL");
  const answer = await write;
  if (moment === Infinity) strictEqual(answer?.status, 200, JSON.stringify(answer?.body));
  const text = await Deno.readTextFile(path);
  const [first = ""] = text;
  strictEqual(text === first.repeat(SIZE), true, `${path} is mixed`);
  return first;
}

async function untilChanges(watcher: Deno.FsWatcher, moment: number): Promise<void> {
  let changes = 0;
  for await (const { kind } of watcher) {
    if (kind !== "access" && ++changes >= moment) return;
  }
}

for (const toCall of WRITES) {
  const { tool } = toCall("a", "b");
  Deno.test(`a server killed ${KILLS} times inside ${tool} leaves the old content or the new`, async () => {
    await using folder = await createTempFolder();
    let old = 0;
    const lane = async (_: unknown, number: number) => {
      const path = `${folder.path}/${number}/file`;
      let before = "a";
      await Deno.mkdir(dirname(path));
      await Deno.writeTextFile(path, before.repeat(SIZE));
      for (let kill = 0; kill < KILLS / LANES; kill++) {
        const expected = before === "a" ? "b" : "a";
        const moment = MOMENTS[kill % MOMENTS.length] ?? Infinity;
        const found = await killWhileWriting(toCall(before, expected), path, moment);
        strictEqual([before, expected].includes(found), true, found);
        if (found === before) old++;
        if (moment === Infinity) strictEqual(found, expected, "an answered write is kept");
        before = found;
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    strictEqual(old > 0 && old < KILLS, true, `${old} of ${KILLS} kills came before the end`);
  });
}
