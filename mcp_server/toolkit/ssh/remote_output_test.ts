import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { MarkedOutput } from "./remote_output.ts";

const MARKER = "trestle-00112233445566778899aabbccddeeff";

function read(text: string, size: number) {
  let own = "";
  const output = new MarkedOutput(MARKER, (chunk) => {
    own += new TextDecoder().decode(chunk);
  });
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += size) output.push(bytes.subarray(at, at + size));
  return { own, group: output.group, banner: output.banner };
}

Deno.test("MarkedOutput removes the marker line, however the output is split", () => {
  for (let size = 1; size < 120; size++) {
    deepStrictEqual(read(`Welcome!\nno end ${MARKER} 1234\nown ${MARKER} 5\n`, size), {
      own: `own ${MARKER} 5\n`,
      group: 1234,
      banner: "Welcome!\nno end",
    });
  }
});

Deno.test("MarkedOutput has no group and keeps the text if no marker arrives", () => {
  deepStrictEqual(read("not available\n", 5), {
    own: "",
    group: undefined,
    banner: "not available",
  });
  strictEqual(read(`${MARKER} 0\nx`, 100).group, undefined);
  strictEqual(read("y\n".repeat(100_000), 4_096).banner.length < 2_001, true);
});

Deno.test("MarkedOutput awaits its marker until the login shell has printed 1 MiB", async () => {
  const output = new MarkedOutput("m", () => {});
  let isOver = false;
  const over = output.awaited.then(() => isOver = true);
  const block = new TextEncoder().encode("b".repeat(1024));
  for (let kib = 0; kib < 1024; kib++) output.push(block);
  await Promise.resolve();
  strictEqual(isOver, false);
  for (let kib = 0; kib < 2; kib++) output.push(block);
  await over;
  strictEqual(output.group, undefined);
});
