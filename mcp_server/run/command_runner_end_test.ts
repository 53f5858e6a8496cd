import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { times } from "../../test_support/tier.ts";
import { createTestRunner } from "../testing/test_runner.ts";

const MIB = 1024 * 1024;

Deno.test("run() of a command returns both streams and the exit code, and no further key", async () => {
  await using runner = createTestRunner();
  deepStrictEqual(await runner.sh("echo out; echo err >&2; exit 3"), {
    stdout: "out\n",
    stderr: "err\n",
    exitCode: 3,
    timedOut: false,
  });
});

Deno.test("run() of a command returns 128 + the signal's number if a signal ended it", async () => {
  await using runner = createTestRunner();
  deepStrictEqual(await runner.sh("kill -9 $$"), {
    stdout: "",
    stderr: "",
    exitCode: 137,
    timedOut: false,
    signal: "SIGKILL",
  });
});

Deno.test("run() of a command runs in the given folder", async () => {
  await using runner = createTestRunner();
  strictEqual((await runner.sh("pwd", { cwd: "/" })).stdout, "/\n");
});

Deno.test("run() of a command writes the input and closes it", async () => {
  await using runner = createTestRunner();
  const stdin = "täglich\n".repeat(100_000);
  deepStrictEqual((await runner.sh("cat | wc -c", { stdin })).stdout, "900000\n");
});

Deno.test("run() of a command copies a stream to the input at the program's pace, and cancels it at the end", async () => {
  await using runner = createTestRunner();
  let pulled = 0;
  const cancelled = Promise.withResolvers<void>();
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      pulled++;
      controller.enqueue(new Uint8Array(MIB).fill(97));
    },
    cancel: () => cancelled.resolve(),
  });
  const { stdout } = await runner.sh("head -c 3000000 | wc -c; exec 0<&-", { stdin: endless });
  await cancelled.promise;
  strictEqual(stdout, "3000000\n");
  ok(pulled < 20, `${pulled} MiB were read from the stream`);
  const short = new Blob(["one\n", "two\n"]).stream();
  strictEqual((await runner.sh("cat; echo end", { stdin: short })).stdout, "one\ntwo\nend\n");
});

Deno.test("run() of a command closes the input if there is none", async () => {
  await using runner = createTestRunner();
  strictEqual((await runner.sh("cat; echo end")).stdout, "end\n");
  strictEqual((await runner.sh("cat; echo end", { stdin: "" })).stdout, "end\n");
});

Deno.test("run() of a command tolerates a program that does not read its input", async () => {
  await using runner = createTestRunner();
  const stdin = "x".repeat(MIB);
  deepStrictEqual((await runner.sh("echo done", { stdin })).stdout, "done\n");
  deepStrictEqual((await runner.sh("exec <&-; echo done", { stdin })).stdout, "done\n");
  deepStrictEqual(runner.log.lines, []);
});

Deno.test("run() of a command replaces output that is not UTF-8 with U+FFFD", async () => {
  await using runner = createTestRunner();
  strictEqual((await runner.sh("printf 'a\\377\\000b'")).stdout, "a\ufffd\0b");
});

Deno.test("run() of a command bounds each stream, and clamps the requested bound", async () => {
  await using runner = createTestRunner({ outputBytes: 8, maxOutputBytes: 16 });
  const script = "printf 0123456789abcdefghij; printf 0123456789 >&2";
  const result = await runner.sh(script);
  strictEqual(result.stdout, "01\n[... 12 bytes left out ...]\nefghij");
  strictEqual(result.stderr, "01\n[... 2 bytes left out ...]\n456789");
  strictEqual(result.truncated, true);
  const clamped = await runner.sh(script, { maxOutputBytes: MIB });
  strictEqual(clamped.stdout, "0123\n[... 4 bytes left out ...]\n89abcdefghij");
  strictEqual(clamped.stderr, "0123456789");
});

const FLOOD_SECONDS = times(2, 5);

Deno.test("run() of a command uses constant memory under a flood", async () => {
  await using runner = createTestRunner();
  // The first flood also loads the program itself: its code is read from disk and compiled.
  await runner.sh("head -c 50000000 /dev/zero");
  const before = Deno.memoryUsage().rss;
  let highest = before;
  const timer = setInterval(() => highest = Math.max(highest, Deno.memoryUsage().rss), 20);
  const { timedOut, truncated } = await runner.sh("yes", { timeoutMs: FLOOD_SECONDS * 1_000 });
  clearInterval(timer);
  ok(highest - before < 20 * MIB, `grew by ${highest - before} bytes`);
  deepStrictEqual([timedOut, truncated], [true, true]);
});

Deno.test("run() of a command keeps head and tail of a line of 200 MB", async () => {
  await using runner = createTestRunner();
  const { stdout, truncated } = await runner.sh("printf a; head -c 200000000 /dev/zero; printf z");
  const leftOut = 200_000_002 - 128 * 1024;
  const line = `\n[... ${leftOut} bytes left out ...]\n`;
  strictEqual(stdout.length, 128 * 1024 + line.length);
  ok(stdout.startsWith("a\0") && stdout.includes(line) && stdout.endsWith("\0z"));
  strictEqual(truncated, true);
});

Deno.test("run() of a command reports the output as it arrives, in whole characters", async () => {
  await using runner = createTestRunner();
  const events: unknown[] = [];
  // The second half of the character is written once the first part of the output was reported.
  const folder = await Deno.makeTempDir();
  const fifo = `${folder}/fifo`;
  const script = `mkfifo ${fifo}; exec 0<>${fifo}
    printf 'a\\342'; printf b >&2; read line; printf '\\202\\254'`;
  await runner.sh(script, {}, {
    onOutput: (event) => {
      events.push({ ...event, bytes: [...event.bytes ?? []] });
      // The rest of the character is written once its begin has been read.
      if (events.length === 2) Deno.writeTextFileSync(fifo, "go on\n");
    },
  });
  await Deno.remove(folder, { recursive: true });
  ok(events.length === 3, JSON.stringify(events));
  deepStrictEqual(events.at(-1), { stream: "stdout", text: "€", bytes: [0x82, 0xac] });
});

Deno.test("run() of a command continues if a listener for output throws", async () => {
  await using runner = createTestRunner();
  let calls = 0;
  const onOutput = () => {
    calls++;
    throw new Error("deaf");
  };
  const { stdout } = await runner.sh("seq 50000", {}, { onOutput });
  strictEqual(stdout.split("\n").at(-2), "50000");
  strictEqual(calls, 1);
  deepStrictEqual(runner.log.lines.map(({ level }) => level), ["warn"]);
});

Deno.test("run() of a command stops at the time-out and keeps the output so far", async () => {
  await using runner = createTestRunner();
  deepStrictEqual(await runner.sh("echo begun; sleep 300", { timeoutMs: 3_000 }), {
    stdout: "begun\n",
    stderr: "",
    exitCode: 143,
    timedOut: true,
    signal: "SIGTERM",
  });
  deepStrictEqual(runner.alive(), []);
});

Deno.test("run() of a command has a default time-out, and clamps the requested one", async () => {
  await using runner = createTestRunner({ timeoutMs: 100, maxTimeoutMs: 200 });
  strictEqual((await runner.sh("sleep 300")).timedOut, true);
  strictEqual((await runner.sh("sleep 300", { timeoutMs: 300_000 })).timedOut, true);
});

Deno.test("run() of a command has no default time-out for a helper", async () => {
  await using runner = createTestRunner({ timeoutMs: 30 });
  strictEqual((await runner.sh("sleep 0.3", {}, { helper: true })).timedOut, false);
  strictEqual((await runner.sh("sleep 9", { timeoutMs: 30 }, { helper: true })).timedOut, true);
});

Deno.test("run() of a command is not timed out if the program ended by itself", async () => {
  await using runner = createTestRunner();
  strictEqual((await runner.sh("kill -TERM $$", { timeoutMs: 60_000 })).timedOut, false);
});

Deno.test("run() of a command starts nothing under a signal that has aborted", async () => {
  await using runner = createTestRunner();
  const file = await Deno.makeTempFile();
  const signal = AbortSignal.abort("cancelled");
  await rejects(runner.sh(`echo started > ${file}`, {}, { signal }), (r) => r === "cancelled");
  strictEqual(await Deno.readTextFile(file), "");
  await Deno.remove(file);
});

Deno.test("run() of a command notices a cancel at any step of the start", async () => {
  await using runner = createTestRunner();
  for (let steps = 0; steps < 20; steps++) {
    const controller = new AbortController();
    const { signal } = controller;
    const run = runner.sh("exec sleep 300", { timeoutMs: 2_000 }, { signal });
    for (let step = 0; step < steps; step++) await Promise.resolve();
    controller.abort("cancelled");
    await rejects(run, (reason) => reason === "cancelled", `after ${steps} steps`);
  }
  deepStrictEqual(runner.alive(), []);
});
