import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { createTestRunner, findByMark } from "../../testing/test_runner.ts";

Deno.test("drainOutput() ends what holds the output in the background, without delay", async () => {
  await using runner = createTestRunner();
  const startedAt = performance.now();
  const result = await runner.sh("sleep 300 & echo done");
  ok(performance.now() - startedAt < 1_000);
  deepStrictEqual(result, {
    stdout: "done\n",
    stderr: "",
    exitCode: 0,
    timedOut: false,
    backgroundEnded: 1,
  });
  deepStrictEqual(runner.alive(), []);
});

Deno.test("drainOutput() finds holders that left the group", async () => {
  await using runner = createTestRunner();
  const result = await runner.sh("setsid sleep 300 & setsid sleep 300 > /dev/null & echo done");
  strictEqual(result.backgroundEnded, 2);
  deepStrictEqual(runner.alive(), []);
});

Deno.test("drainOutput() does not let the answer wait for a holder that ignores SIGTERM", async () => {
  await using runner = createTestRunner();
  const startedAt = performance.now();
  const result = await runner.sh("(trap '' TERM; while :; do sleep 1; done) & echo done");
  ok(performance.now() - startedAt < 1_500);
  strictEqual(result.stdout, "done\n");
  ok(runner.alive().length > 0);

  await runner.pool.idle();

  deepStrictEqual(runner.alive(), []);
  deepStrictEqual(runner.log.lines, []);
});

Deno.test("drainOutput() leaves a background process alone that holds no stream", async () => {
  await using runner = createTestRunner();
  const daemon = crypto.randomUUID();
  const result = await runner.sh(
    `DAEMON=${daemon} setsid sleep 300 > /dev/null 2>&1 < /dev/null & sleep 300 & echo done`,
  );
  strictEqual(result.backgroundEnded, 1);
  deepStrictEqual(runner.alive(), findByMark(daemon));
  strictEqual(runner.alive().length, 1);
});

Deno.test("drainOutput() neither waits nor looks where the output ends with the program", async () => {
  await using runner = createTestRunner();
  const result = await runner.sh("sleep 300 > /dev/null 2>&1 & echo done");
  deepStrictEqual(Object.keys(result), ["stdout", "stderr", "exitCode", "timedOut"]);
  strictEqual(runner.alive().length, 1);
});

Deno.test("drainOutput() gives up on a holder that can't be found", async () => {
  await using runner = createTestRunner();
  const startedAt = performance.now();
  const script = "env -i setsid sleep 2 & echo done";
  deepStrictEqual(await runner.sh(script), {
    stdout: "done\n",
    stderr: "",
    exitCode: 0,
    timedOut: false,
  });
  ok(performance.now() - startedAt < 1_500);
});

Deno.test("drainOutput() ends what holds the input without reading it", async () => {
  await using runner = createTestRunner();
  const script = "sleep 300 <&0 > /dev/null 2>&1 & echo done";
  const result = await runner.sh(script, { stdin: "x".repeat(1024 * 1024) });
  strictEqual(result.backgroundEnded, 1);
  deepStrictEqual(runner.alive(), []);
});
