import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import * as fc from "fast-check";
import type { OutputPart } from "@trestle/mcp-server/toolkit";
import { findInOutput, TextFinder } from "./wait_for_job.ts";

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

const encoder = new TextEncoder();

/** Few characters, so that beginnings of a text repeat within it. */
const unit = fc.constantFrom("a", "b", "€");

Deno.test("TextFinder finds a text wherever the pieces are cut", () => {
  const text = fc.string({ unit, minLength: 1, maxLength: 8 });
  const pieces = fc.array(fc.string({ unit, maxLength: 5 }));
  fc.assert(fc.property(text, pieces, (wanted, parts) => {
    const finder = new TextFinder(wanted);
    let seen = "";
    for (const part of parts) {
      const offset = encoder.encode(seen).length;
      seen += part;
      const isFound = finder.endsIn({ offset, bytes: encoder.encode(part) });
      strictEqual(isFound, seen.includes(wanted));
      strictEqual(finder.end, encoder.encode(seen).length);
      if (isFound) return;
    }
  }));
});

Deno.test("TextFinder finds nothing across bytes that are missing", () => {
  const finder = new TextFinder("ab");
  strictEqual(finder.endsIn({ offset: 0, bytes: encoder.encode("a") }), false);
  strictEqual(finder.endsIn({ offset: 2, bytes: encoder.encode("b") }), false);
  strictEqual(finder.endsIn({ offset: 3, bytes: encoder.encode("a") }), false);
  strictEqual(finder.endsIn({ offset: 4, bytes: encoder.encode("b") }), true);
});

Deno.test("TextFinder reads each byte once, whatever the text is", () => {
  const [end, pieces] = [1_000, 20];
  for (const text of ["b", "a".repeat(499) + "b" + "a".repeat(500), "ab".repeat(500) + "c"]) {
    const reads = new Map<string | symbol, number>();
    const bytes = new Proxy(new Uint8Array(end).fill(97), {
      get: (target, key) => {
        if (key !== "length") reads.set(key, (reads.get(key) ?? 0) + 1);
        return Reflect.get(target, key, target);
      },
    });
    const finder = new TextFinder(text);
    for (let at = 0; at < pieces; at++) {
      strictEqual(finder.endsIn({ offset: at * end, bytes }), false);
    }
    deepStrictEqual([reads.size, new Set(reads.values())], [end, new Set([pieces])], text);
  }
});
