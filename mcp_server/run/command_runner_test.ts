import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { BusyError, ToolError } from "../shared/error.ts";
import {
  abortWhenReady,
  createTestRunner,
  findByMark,
  kill,
  ONCE_REDIRECTED,
  PATH,
} from "../testing/test_runner.ts";

const { signal } = new AbortController();

Deno.test("createCommandRunner() keeps the server's secrets from its children", async () => {
  const secrets = { MCP_TOKEN: "s", DATABASE_URL: "s", PGPASSWORD: "s", SSH_PASSPHRASE: "s" };
  await using runner = createTestRunner({}, { PATH, HOME: "/root", ...secrets });
  const spec = { program: "env", args: ["-0"], env: { A: "1\n2" } };
  const { stdout } = await runner.sh("", spec);
  const { MCP_RUN_ID: cookie = "", ...seen } = Object.fromEntries(
    stdout.split("\0").slice(0, -1).map((line) => line.split(/=(.*)/s)),
  );
  deepStrictEqual(seen, {
    PATH,
    HOME: "/root",
    A: "1\n2",
    GIT_TERMINAL_PROMPT: "0",
    GIT_EDITOR: "true",
    GIT_PAGER: "cat",
    PAGER: "cat",
    DEBIAN_FRONTEND: "noninteractive",
    ...runner.mark,
  });
  ok(/^[0-9a-f-]{36}$/.test(cookie));
});

Deno.test("createCommandRunner() bounds what runs and what waits, and rejects the rest", async () => {
  await using runner = createTestRunner({ maxRuns: 8, maxQueue: 64 });
  const controller = new AbortController();
  const { signal } = controller;
  let busy = 0;
  const refused = Promise.withResolvers<void>();
  const runs = Array.from({ length: 100 }, async () => {
    try {
      return await runner.sh("exec sleep 300", {}, { signal });
    } catch (error) {
      if (error instanceof BusyError && ++busy === 28) refused.resolve();
      throw error;
    }
  });
  const settled = Promise.allSettled(runs);
  await refused.promise;
  await runner.untilAlive(8);
  strictEqual(runner.alive().length, 8);

  controller.abort("cancelled");
  const reasons = (await settled).map((run) => run.status === "rejected" ? run.reason : undefined);

  strictEqual(reasons.filter((reason) => reason instanceof BusyError).length, 28);
  strictEqual(reasons.filter((reason) => reason === "cancelled").length, 72);
  deepStrictEqual(runner.alive(), []);
});

Deno.test("createCommandRunner() carries out 72 runs at once, eight at a time", async () => {
  await using runner = createTestRunner({ maxRuns: 8, maxQueue: 64 });
  const runs = Array.from({ length: 72 }, (_, i) => runner.sh(`echo ${i}`));
  const outputs = (await Promise.all(runs)).map(({ stdout }) => Number(stdout));
  deepStrictEqual(outputs, Array.from({ length: 72 }, (_, i) => i));
});

Deno.test("forCall() keeps a call's permit until the call is disposed of", async () => {
  await using runner = createTestRunner({ maxRuns: 1, maxQueue: 0 });
  {
    using call = runner.pool.forCall();
    for (let i = 0; i < 3; i++) {
      strictEqual((await call.run({ program: "true" }, { signal })).exitCode, 0);
      await rejects(runner.sh("true"), BusyError);
    }
    await rejects(call.run({ program: "no-such-program" }, { signal }), ToolError);
    await rejects(runner.sh("true"), BusyError);
  }
  strictEqual((await runner.sh("true")).exitCode, 0);
});

Deno.test("forCall() rejects what can't be run before it takes a permit", async () => {
  await using runner = createTestRunner({ maxRuns: 1, maxQueue: 0 });
  using call = runner.pool.forCall();
  await rejects(
    call.run({ program: "a\0" }, { signal }),
    (error) => error instanceof ToolError && error.code === "INVALID_ARGUMENT",
  );
  strictEqual((await runner.sh("true")).exitCode, 0);
});

Deno.test("forCall() starts nothing for a cancelled run, though its call has a permit", async () => {
  await using runner = createTestRunner();
  using call = runner.pool.forCall();
  await call.run({ program: "true" }, { signal });
  const run = call.run({ program: "no-such-program" }, { signal: AbortSignal.abort("cancelled") });
  await rejects(run, (reason) => reason === "cancelled");
});

Deno.test("forCall() removes a cancelled run from the queue, and starts nothing for it", async () => {
  await using runner = createTestRunner({ maxRuns: 1, maxQueue: 1 });
  const first = abortWhenReady("first");
  const { signal } = new AbortController();
  const waiting = new AbortController();
  const running = runner.sh("echo started; read line < /dev/null; exec sleep 300", {}, {
    signal: first.signal,
    onOutput: ({ text }) => {
      waiting.abort("second");
      first.onOutput?.({ stream: "stdout", text: `${text} ready` });
    },
  });
  const queued = runner.sh("echo started >&2; exec sleep 300", {}, { signal: waiting.signal });
  await rejects(queued, (reason) => reason === "second");
  await rejects(running, (reason) => reason === "first");
  deepStrictEqual(runner.alive(), []);
  strictEqual((await runner.sh("true", {}, { signal })).exitCode, 0);
});

Deno.test("forCall() runs many times over without leaving a file open", async () => {
  await using runner = createTestRunner();
  await runner.sh("true", { stdin: "x" });
  const before = countOpenFiles();
  for (let i = 0; i < 50; i++) {
    await runner.sh("exit 1", { stdin: "x".repeat(100_000) });
    await runner.sh("no-such-program", { program: "no-such-program" }).catch(() => {});
  }
  strictEqual(countOpenFiles(), before);
});

const FLAGS = {
  "all permissions": ["--allow-all"],
  "spelled-out permissions, which keep /proc closed": [
    "--allow-read",
    "--allow-write",
    "--allow-run",
    "--allow-env",
    "--allow-net",
    "--allow-sys",
  ],
};

for (const [what, flags] of Object.entries(FLAGS)) {
  Deno.test(`createCommandRunner() stops what escaped, with ${what}`, async () => {
    const mark = crypto.randomUUID();
    const results = await runInServer(flags, mark, [
      ["(setsid sleep 300 &) ; setsid sleep 300 & wait", 700],
      [
        `setsid sleep 300 & sleep 300 & sleep 300 > /dev/null 2>&1 & ${ONCE_REDIRECTED}; echo done`,
        30_000,
      ],
    ]);
    const left = findByMark(mark);
    left.forEach(kill);
    deepStrictEqual(results, [
      { stdout: "", stderr: "", exitCode: 143, timedOut: true, signal: "SIGTERM" },
      { stdout: "done\n", stderr: "", exitCode: 0, timedOut: false, backgroundEnded: 2 },
    ]);
    strictEqual(left.length, 1);
  });
}

Deno.test("createCommandRunner() reports that it has no permission to stop a command", async () => {
  const mark = crypto.randomUUID();
  const flags = ["--allow-read", "--allow-env", "--allow-run=bash"];
  const results = await runInServer(flags, mark, [["exec sleep 300", 100]]);
  findByMark(mark).forEach(kill);
  const [{ code = "", message = "", logged = [] } = {}] = results;
  strictEqual(code, "NOT_STOPPED");
  ok(/^Cannot stop the processes "\d+": Requires run access/.test(message), message);
  deepStrictEqual(logged, ["error"]);
});

/** The answer of a server in a separate process: a result, or a failure and what was logged. */
interface Answer {
  readonly code?: string;
  readonly message?: string;
  readonly logged?: readonly string[];
}

/** Runs scripts in a separate server, which inherits a pipe as one under a supervisor may do. */
async function runInServer(
  flags: readonly string[],
  mark: string,
  scripts: readonly [script: string, timeoutMs: number][],
): Promise<Answer[]> {
  const file = await Deno.makeTempFile({ suffix: ".ts" });
  await Deno.writeTextFile(
    file,
    `
    import { createTestLog } from ${
      JSON.stringify(import.meta.resolve("../testing/test_runner.ts"))
    };
    import { createCommandRunner } from ${
      JSON.stringify(import.meta.resolve("./command_runner.ts"))
    };
    import { defaultLimits } from ${JSON.stringify(import.meta.resolve("../shared/limits.ts"))};
    const log = createTestLog();
    const env = ${JSON.stringify({ PATH, MARK: mark })};
    using call = createCommandRunner({ limits: defaultLimits(1), env, log }).forCall();
    const { signal } = new AbortController();
    const answers = [];
    for (const [script, timeoutMs] of ${JSON.stringify(scripts)}) {
      answers.push(await call.run({ program: "bash", args: ["-c", script], timeoutMs }, { signal })
        .catch(({ code, message }) =>
          ({ code, message, logged: log.lines.map(({ level }) => level) })));
    }
    console.log(JSON.stringify(answers));
    Deno.exit();
    `,
  );
  const { stdout, stderr } = await new Deno.Command("bash", {
    args: ["-c", 'exec 9> >(cat > /dev/null 2>&1); exec "$@"', "bash"]
      .concat(Deno.execPath(), "run", "--no-config", "--no-prompt", flags, file),
  }).output();
  await Deno.remove(file);
  strictEqual(new TextDecoder().decode(stderr), "");
  return JSON.parse(new TextDecoder().decode(stdout));
}

function countOpenFiles(): number {
  return [...Deno.readDirSync("/proc/self/fd")].length;
}
