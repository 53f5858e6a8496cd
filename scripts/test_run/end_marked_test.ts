import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { endMarked } from "./end_marked.ts";

/** A shell that starts more processes, in sessions of their own, and prints once they are there. */
const TREE = "for i in 1 2 3; do setsid sleep 300 & done; echo ready; wait";

Deno.test("endMarked() kills the processes of one environment, in whichever session, and no others", async () => {
  const mark = `MARK=${crypto.randomUUID()}`;
  const start = async (value: string) => {
    const child = new Deno.Command("bash", {
      args: ["-c", TREE],
      env: { MARK: value },
      stdout: "piped",
      stderr: "null",
    }).spawn();
    const reader = child.stdout.getReader();
    await reader.read();
    return { child, ended: reader };
  };
  const marked = await start(mark.slice("MARK=".length));
  const other = await start("another");
  try {
    strictEqual(await endMarked(mark) >= 4, true);
    // Only once the last of them has ended is their output closed.
    deepStrictEqual(await marked.ended.read(), { done: true, value: undefined });
    strictEqual((await marked.child.status).signal, "SIGKILL");
    other.child.kill("SIGCONT");
    strictEqual(await endMarked(mark), 0);
  } finally {
    await endMarked("MARK=another");
    await other.ended.cancel();
    await other.child.status;
  }
});
