import { deepStrictEqual, rejects } from "node:assert/strict";
import { WaitPositions } from "./wait_positions.ts";

const read = (bytes: number) => ({ stdout }: { stdout: number }) =>
  Promise.resolve({ from: stdout, next: { stdout: stdout + bytes, stderr: 0 } });

Deno.test("WaitPositions lets readers of one job take turns, and a failed one changes nothing", async () => {
  const positions = new WaitPositions();
  const gate = Promise.withResolvers<void>();
  const first = positions.advance("a", async (from) => {
    await gate.promise;
    return await read(3)(from);
  });
  const failed = positions.advance("a", () => Promise.reject(new Error("no")));
  const last = positions.advance("a", read(4));
  const other = positions.advance("b", read(1));
  deepStrictEqual((await other).from, 0);
  gate.resolve();
  await rejects(failed, /no/);
  deepStrictEqual([(await first).from, (await last).from], [0, 3]);
  deepStrictEqual((await positions.advance("a", read(0))).from, 7);
});

Deno.test("WaitPositions remembers the jobs that were read last", async () => {
  const positions = new WaitPositions(2);
  for (const id of ["a", "b", "a", "c"]) await positions.advance(id, read(1));
  deepStrictEqual((await positions.advance("a", read(0))).from, 2);
  deepStrictEqual((await positions.advance("b", read(0))).from, 0);
});
