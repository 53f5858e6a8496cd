import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { createTestRunner, findByMark, kill, ONCE_REDIRECTED } from "../testing/test_runner.ts";

/** Much less than what holds the output would take, and enough for a busy machine. */
const PATIENCE_MS = 20_000;

Deno.test("drainOutput() ends what holds the output in the background, without delay", async () => {
  await using runner = createTestRunner();
  const startedAt = performance.now();
  const result = await runner.sh("sleep 300 & echo done");
  ok(performance.now() - startedAt < PATIENCE_MS);
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
  const result = await runner.sh("(trap '' TERM; while :; do sleep 1; done) & echo done");
  strictEqual(result.stdout, "done\n");
  ok(runner.alive().length > 0, "the holder, which is killed after 2 s, is still there");

  await runner.pool.idle();

  deepStrictEqual(runner.alive(), []);
  deepStrictEqual(runner.log.lines, []);
});

Deno.test("drainOutput() leaves a background process alone that holds no stream", async () => {
  await using runner = createTestRunner();
  const daemon = crypto.randomUUID();
  const result = await runner.sh(
    `DAEMON=${daemon} setsid sleep 300 > /dev/null 2>&1 < /dev/null & ${ONCE_REDIRECTED}; ` +
      "sleep 300 & echo done",
  );
  strictEqual(result.backgroundEnded, 1);
  deepStrictEqual(runner.alive(), findByMark(daemon));
  strictEqual(runner.alive().length, 1);
});

Deno.test("drainOutput() neither waits nor scans if the output ends with the program", async () => {
  await using runner = createTestRunner();
  const result = await runner.sh(`sleep 300 > /dev/null 2>&1 & ${ONCE_REDIRECTED}; echo done`);
  deepStrictEqual(Object.keys(result), ["stdout", "stderr", "exitCode", "timedOut"]);
  strictEqual(runner.alive().length, 1);
});

Deno.test("drainOutput() stops waiting for a holder that can't be found", async () => {
  await using runner = createTestRunner();
  const startedAt = performance.now();
  const { stdout, ...result } = await runner.sh("env -i setsid sleep 60 & echo $!");
  kill(Number(stdout));
  deepStrictEqual(result, { stderr: "", exitCode: 0, timedOut: false });
  ok(performance.now() - startedAt < PATIENCE_MS);
});

const UNREAD = "x".repeat(1024 * 1024);

Deno.test("drainOutput() leaves a background process alone that holds only the input", async () => {
  await using runner = createTestRunner();
  const script = `sleep 300 <&0 > /dev/null 2>&1 & ${ONCE_REDIRECTED}; echo done`;
  const result = await runner.sh(script, { stdin: UNREAD });
  deepStrictEqual(result, { stdout: "done\n", stderr: "", exitCode: 0, timedOut: false });
  strictEqual(runner.alive().length, 1);
  deepStrictEqual(runner.log.lines, []);
});

Deno.test("drainOutput() distinguishes the holder of the output from the holder of the input", async () => {
  await using runner = createTestRunner();
  const daemon = crypto.randomUUID();
  const result = await runner.sh(
    `DAEMON=${daemon} sleep 300 <&0 > /dev/null 2>&1 & ${ONCE_REDIRECTED}; ` +
      "sleep 300 < /dev/null & echo done",
    { stdin: UNREAD },
  );
  strictEqual(result.backgroundEnded, 1);
  strictEqual(runner.alive().length, 1);
  deepStrictEqual(runner.alive(), findByMark(daemon));
});

Deno.test("drainOutput() ends the input of a daemon that has not read it all", async () => {
  await using runner = createTestRunner();
  const folder = await Deno.makeTempDir();
  const script =
    `(read line < "${folder}/go"; wc -c; echo end) <&0 > "${folder}/log" 2>&1 & echo done`;
  await new Deno.Command("mkfifo", { args: [`${folder}/go`] }).output();
  strictEqual((await runner.sh(script, { stdin: UNREAD })).stdout, "done\n");
  await Deno.writeTextFile(`${folder}/go`, "go\n");
  const log = () => Deno.readTextFileSync(`${folder}/log`);
  for (const end = performance.now() + 30_000; performance.now() < end && !log().includes("end");) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  match(log(), /^[1-9]\d*\nend\n$/);
  ok(Number.parseInt(log()) < UNREAD.length);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("drainOutput() reads all output, however long a listener delays it", async () => {
  for (const script of ["head -c 200000 /dev/zero", "sleep 300 & head -c 200000 /dev/zero"]) {
    await using runner = createTestRunner();
    let reported = 0;
    await runner.sh(script, {}, {
      onOutput: async ({ bytes }) => {
        reported += bytes?.length ?? 0;
        await new Promise((resolve) => setTimeout(resolve, 900));
      },
    });
    strictEqual(reported, 200_000, script);
  }
});

Deno.test("a stop keeps the output that a listener delays", async () => {
  await using runner = createTestRunner();
  const stop = new AbortController();
  let reported = 0;
  const script = "head -c 130000 /dev/zero; echo done >&2; sleep 300";
  const run = runner.sh(script, {}, {
    signal: stop.signal,
    onOutput: async ({ stream, bytes }) => {
      if (stream === "stderr") return stop.abort("stopped");
      reported += bytes?.length ?? 0;
      await new Promise((resolve) => setTimeout(resolve, 900));
    },
  });
  await rejects(run, (reason) => reason === "stopped");
  strictEqual(reported, 130_000);
});
