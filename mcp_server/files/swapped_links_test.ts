import { deepStrictEqual, ok } from "node:assert/strict";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { ToolError } from "../shared/error.ts";
import { boundedCaller } from "../testing/bounded_caller.ts";
import { swapLinks } from "../testing/swapped_links.ts";
import { appendToFile } from "../toolkit/files/append_file.ts";
import { editFile } from "../toolkit/files/edit_file.ts";
import { readFilePart } from "../toolkit/files/read_file_part.ts";
import { listFiles, searchFiles } from "../toolkit/files/search_files.ts";
import { type WriteOptions, writeWholeFile } from "../toolkit/files/write_whole_file.ts";
import { openLocalFile, writeLocalFile } from "../toolkit/ssh/copied_file.ts";
import { holdFolder } from "./bound_folder.ts";

/** How often a path is used while it changes; 1,500 in the long form. */
const USES = Number(Deno.env.get("MCP_TEST_SWAPS") ?? 60);
/** How long a change may take to come between, after that. */
const LONGEST_MS = 300_000;
/** A file inside that is just being replaced. */
const EMPTY = "";
const { signal } = new AbortController();

/** Paths that change between what is inside and what is outside while they are used. */
async function useSwapped(use: (path: string, at: string) => Promise<string>, paths: string[]) {
  await using folder = await createTempFolder();
  const at = folder.path;
  const seen = new Map<string, number>();
  {
    await using swapped = await swapLinks(at);
    const before = await swapped.rounds();
    let late = Infinity;
    const met = async () => seen.has("NOT_ALLOWED") && await swapped.rounds() > before;
    for (let round = 0; round < USES || !await met(); round++) {
      if (round === USES) late = performance.now() + LONGEST_MS;
      ok(performance.now() < late, `no change was met: ${[...seen]}`);
      for (const path of paths) {
        const outcome = await use(`${at}/srv/${path}`, at).catch(codeOf);
        seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
      }
    }
  }
  const names = [...Deno.readDirSync(`${at}/out`)].map(({ name }) => name).sort();
  return { seen, outside: [...names, await Deno.readTextFile(`${at}/out/f`)] };
}

function codeOf(error: unknown): string {
  if (error instanceof ToolError) return error.code;
  throw error;
}

Deno.test("a bounded read never gets what is outside, though links change as it opens them", async () => {
  const { seen } = await useSwapped(async (path, at) => {
    const caller = boundedCaller({ paths: [`${at}/srv/**`] });
    const { bytes } = await readFilePart(path, { maxBytes: 100, signal, caller });
    return new TextDecoder().decode(bytes);
  }, ["link/f", "file", "name", "folder/f"]);
  const refusals = ["NOT_ALLOWED", "NOT_FOUND", "NOT_A_FILE", "INVALID_PATH"];
  deepStrictEqual(unexpected(seen, ["inside", EMPTY, ...refusals]), []);
  ok(seen.has("inside"));
});

Deno.test("a bounded copy to a host never has what is outside, though links change as it opens them", async () => {
  const { seen } = await useSwapped(async (path, at) => {
    const caller = boundedCaller({ paths: [`${at}/srv/**`] });
    return await openLocalFile(path, { maxBytes: 100, signal, caller }, async ({ pieces }) => {
      return new TextDecoder().decode((await Array.fromAsync(pieces(signal)))[0]);
    });
  }, ["link/f", "file", "name", "folder/f"]);
  const refusals = ["NOT_ALLOWED", "NOT_FOUND", "NOT_A_FILE", "INVALID_PATH"];
  deepStrictEqual(unexpected(seen, ["inside", EMPTY, ...refusals]), []);
  ok(seen.has("inside"));
});

/** Writes what `ssh-copy` has got from a host. */
async function copyDown(path: string, bytes: Uint8Array<ArrayBuffer>, { caller }: WriteOptions) {
  ok(caller);
  const pieces = new Blob([bytes]).stream();
  return await writeLocalFile(path, { pieces, mode: 0o644, createParents: true }, {
    caller,
    signal,
  });
}

/** Fails when a change of a file reaches what is outside. */
async function expectInside(change: typeof writeWholeFile | typeof appendToFile | typeof copyDown) {
  const { seen, outside } = await useSwapped(async (path, at) => {
    const caller = boundedCaller({ paths: [`${at}/srv/**`] });
    const bytes = new TextEncoder().encode("inside");
    await change(path, bytes, { umask: 0o022, signal, caller, createParents: true });
    return "done";
  }, ["link/f", "folder/f", "link/new", "folder/made/new"]);
  const refusals = ["NOT_ALLOWED", "NOT_FOUND", "NO_FOLDER", "NOT_A_FILE", "INVALID_PATH"];
  deepStrictEqual(unexpected(seen, ["done", ...refusals]), []);
  ok(seen.has("done"));
  deepStrictEqual(outside, ["f", "only-outside", "secret"]);
}

Deno.test("a bounded write never lands outside, though links change as it opens them", async () => {
  await expectInside(writeWholeFile);
});

Deno.test("a bounded append never lands outside, though links change as it opens them", async () => {
  await expectInside(appendToFile);
});

Deno.test("a bounded copy from a host never lands outside, though links change", async () => {
  await expectInside(copyDown);
});

Deno.test("a bounded edit neither reads nor changes what is outside, though links change", async () => {
  const { seen, outside } = await useSwapped(async (path, at) => {
    const caller = boundedCaller({ paths: [`${at}/srv/**`] });
    const edits = [{ old: "inside", new: "edited" }, { old: "edited", new: "inside" }];
    const { before } = await editFile(path, edits, { maxBytes: 100, signal, caller });
    return before;
  }, ["link/f", "folder/f"]);
  const refusals = ["NOT_ALLOWED", "NOT_FOUND", "NOT_A_FILE", "INVALID_PATH"];
  deepStrictEqual(unexpected(seen, ["inside", "NO_MATCH", "CONFLICT", ...refusals]), []);
  ok(seen.has("inside"));
  deepStrictEqual(outside, ["f", "only-outside", "secret"]);
});

Deno.test("a bounded search or list shows nothing outside, though links change", async () => {
  const { seen } = await useSwapped(async (path, at) => {
    const caller = boundedCaller({ paths: [`${at}/srv/**`] });
    const bounds = { limit: 100, maxText: 10_000, signal, caller };
    const [{ matches }, { entries }] = await Promise.all([
      searchFiles(path, { pattern: ".", all: true, ...bounds }),
      listFiles(path, { depth: 9, ...bounds }),
    ]);
    if (entries.some(({ path }) => path.endsWith("only-outside"))) return "listed";
    return [...new Set(matches.map(({ text }) => text))].join();
  }, [".", "link", "folder"]);
  const refusals = ["NOT_ALLOWED", "NOT_FOUND", "NOT_A_FILE", "NOT_A_FOLDER", "INVALID_PATH"];
  deepStrictEqual(unexpected(seen, ["inside", EMPTY, ...refusals]), []);
  ok(seen.has("inside"));
});

Deno.test("a command never starts in a folder outside, though links change meanwhile", async () => {
  const { seen } = await useSwapped(async (path, at) => {
    const caller = boundedCaller({ paths: [`${at}/srv/**`] });
    await using folder = await holdFolder(path, { caller, signal });
    const cat = await new Deno.Command("cat", { args: ["f"], cwd: folder.path }).output();
    return new TextDecoder().decode(cat.stdout);
  }, ["link", "folder"]);
  const refusals = ["NOT_ALLOWED", "CWD_NOT_FOUND", "CWD_NOT_A_FOLDER"];
  deepStrictEqual(unexpected(seen, ["inside", EMPTY, ...refusals]), []);
  ok(seen.has("inside"));
});

function unexpected(seen: ReadonlyMap<string, number>, expected: readonly string[]): string[] {
  return [...seen.keys()].filter((outcome) => !expected.includes(outcome));
}
