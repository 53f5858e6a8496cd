import { deepStrictEqual, ok, rejects } from "node:assert/strict";
import { ToolError } from "../shared/error.ts";
import { abortWhenReady, createTestLog, createTestRunner, kill } from "../testing/test_runner.ts";
import { END_FIRST_THREAD } from "../testing/processes.ts";
import type { LiveProcess } from "./proc_format.ts";
import type { ProcessTable } from "./process_table.ts";
import { stopRun } from "./end_processes.ts";

/**
 * The guarantee, 4 s: everything is gone within this time after the time-out or the cancel; and slack
 * for a machine that is busy with other tests.
 */
const LIMIT_MS = 4_000 + 16_000;

const noHolders = () => Promise.resolve([]);

const SCRIPTS = {
  "a program": "echo ready; exec sleep 300",
  "its children": "sleep 300 & sleep 300 & echo ready; wait",
  "a child that ignores SIGTERM": "trap '' TERM; echo ready; sleep 300; sleep 300",
  "a child that left the group": "setsid sleep 300 & setsid sleep 300 & echo ready; wait",
  "a daemon by double fork":
    "(setsid bash -c 'sleep 300 & exec sleep 301 > /dev/null 2>&1' &) ; echo ready; sleep 300",
  "a session of its own, with its children":
    "(setsid bash -c 'sleep 300 & echo ready; sleep 300') & exec sleep 300",
  "a program whose first thread has ended, and which ignores SIGTERM":
    `trap '' TERM; sleep 300 & exec ${Deno.execPath()} eval --ext=js '${END_FIRST_THREAD}'`,
};

for (const [what, script] of Object.entries(SCRIPTS)) {
  Deno.test(`stopRun() ends ${what} within 4 s of a cancel`, async () => {
    await using runner = createTestRunner();
    const ready = abortWhenReady("cancelled");
    let abortedAt = 0;
    ready.signal.addEventListener("abort", () => {
      abortedAt = performance.now();
      ok(runner.alive().length > 0);
    });
    await rejects(runner.sh(script, {}, ready), (reason) => reason === "cancelled");
    ok(performance.now() - abortedAt < LIMIT_MS);
    deepStrictEqual(runner.alive(), []);
    deepStrictEqual(runner.log.lines, []);
  });
}

Deno.test("stopRun() ends escaped grandchildren at a time-out", async () => {
  await using runner = createTestRunner();
  const script = SCRIPTS["a daemon by double fork"];
  const { timedOut, stdout } = await runner.sh(script, { timeoutMs: 3_000 });
  deepStrictEqual({ timedOut, stdout }, { timedOut: true, stdout: "ready\n" });
  deepStrictEqual(runner.alive(), []);
});

Deno.test("stopRun() ends a storm of 200 forks that continues while it is being stopped", async () => {
  await using runner = createTestRunner();
  const storm = `
    trap '' TERM
    setsid bash -c 'while :; do setsid sleep 300 & sleep 0.01; done' &
    for i in {1..200}; do setsid sleep 300 & done
    echo ready; wait`;
  const ready = abortWhenReady("cancelled");
  let abortedAt = 0;
  ready.signal.addEventListener("abort", () => abortedAt = performance.now());
  await rejects(runner.sh(storm, {}, ready), (reason) => reason === "cancelled");
  ok(performance.now() - abortedAt < LIMIT_MS);
  deepStrictEqual(runner.alive(), []);
});

Deno.test("stopRun() leaves time for cleaning up after SIGTERM", async () => {
  await using runner = createTestRunner();
  const script = "trap 'sleep 0.3; echo cleaned; exit 0' TERM; echo ready; sleep 300 & wait";
  const result = await runner.sh(script, { timeoutMs: 3_000 });
  deepStrictEqual(result, { stdout: "ready\ncleaned\n", stderr: "", exitCode: 0, timedOut: true });
});

Deno.test("stopRun() reports what it could not end, and why", async () => {
  const gone: LiveProcess = { pid: 2 ** 22 + 1, group: 0 };
  await Promise.all([
    stopWith(
      { find: () => Promise.resolve([gone]), holders: noHolders, marked: noHolders },
      () => ({
        message: `Cannot stop the processes "${gone.pid}": they do not end`,
        left: [gone.pid],
      }),
    ),
    stopWith({
      find: () => Promise.reject(new Error("no /proc")),
      holders: noHolders,
      marked: noHolders,
    }, (pid) => ({
      message: `Cannot stop the processes "${pid}": no /proc`,
      left: [pid],
    })),
  ]);
});

/** Stops a program with a faulty process table. */
async function stopWith(
  table: ProcessTable,
  expected: (pid: number) => { message: string; left: number[] },
): Promise<void> {
  const child = new Deno.Command("sleep", { args: ["300"], detached: true }).spawn();
  const log = createTestLog();
  const { message, left } = expected(child.pid);
  await rejects(stopRun({ id: "id", group: child.pid }, { table, log }), (error) => {
    return error instanceof ToolError && error.code === "NOT_STOPPED" && error.message === message;
  });
  deepStrictEqual(log.lines.map(({ level, fields }) => [level, fields]), [
    ["error", { left, reason: message.split(": ")[1] }],
  ]);
  kill(child.pid);
  await child.status;
}
