import { rejects, strictEqual } from "node:assert/strict";
import type { OutputPart } from "../../tool/job_service.ts";
import { findInOutput } from "./find_in_output.ts";

const START = { stdout: 0, stderr: 0 };
const LENGTH = 64 * 1024;

/** The output of a job that writes faster than it is read; nothing more comes after it. */
function endlessOutput() {
  const part = (offset: number): OutputPart => {
    const bytes = new Uint8Array(LENGTH).fill(97);
    const range = { start: 0, end: Number.MAX_SAFE_INTEGER };
    return { offset, bytes, nextOffset: offset + LENGTH, range, ended: false };
  };
  return {
    read: (_id: string, { offset = 0 }: { offset?: number }) => Promise.resolve(part(offset)),
    watch: async function* () {},
  };
}

Deno.test("findInOutput() ends a search with its time, however much output there is", async () => {
  const text = `${"a".repeat(499)}b${"a".repeat(500)}`;
  const { signal } = new AbortController();
  const output = endlessOutput();
  strictEqual(await findInOutput(output, "j", { text, from: START, timeoutMs: 0, signal }), false);
});

Deno.test("findInOutput() rejects a search whose caller leaves, and others go on meanwhile", async () => {
  const client = new AbortController();
  const { signal } = client;
  let turns = 0;
  const timer = setInterval(() => turns++ === 3 && client.abort(new Error("left")), 0);
  const search = { text: "b", from: START, timeoutMs: 300_000, signal };
  await rejects(findInOutput(endlessOutput(), "j", search), /left/);
  clearInterval(timer);
});
