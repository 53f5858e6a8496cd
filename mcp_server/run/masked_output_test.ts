import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { SecretMask } from "../access/secret_mask.ts";
import type { OutputEvent, RunOptions } from "../tool/command.ts";
import { createTestRunner } from "../testing/test_runner.ts";

const VALUE = "npm_0123456789";
const mask = new SecretMask(new Map([["TOKEN", VALUE]]));
const env = { TOKEN: VALUE };

/** What a run reports while it runs, by stream. */
function listen() {
  const shown = { stdout: "", stderr: "" };
  const decoder = new TextDecoder();
  let bytes = "";
  const onOutput = (event: OutputEvent) => {
    shown[event.stream] += event.text;
    if (event.stream === "stdout") bytes += decoder.decode(event.bytes, { stream: true });
  };
  return { shown, bytes: () => bytes, options: { mask, onOutput } satisfies Partial<RunOptions> };
}

Deno.test("a run masks both streams before they are kept and reported, also in pieces", async () => {
  await using runner = createTestRunner();
  const { shown, bytes, options } = listen();
  const script = `for ((at = 0; at < \${#TOKEN}; at++)); do
    printf %s "\${TOKEN:at:1}"; printf %s "\${TOKEN:at:1}" >&2; sleep 0.01
  done; printf ' é'`;
  const { stdout, stderr } = await runner.sh(script, { env }, options);
  deepStrictEqual({ stdout, stderr }, { stdout: "[TOKEN] é", stderr: "[TOKEN]" });
  deepStrictEqual(shown, { stdout, stderr });
  strictEqual(bytes(), stdout);
});

Deno.test("a bounded output has no part of a value, wherever its middle is left out", async () => {
  await using runner = createTestRunner({ maxRuns: 4 });
  const offsets = Array.from({ length: 2 * VALUE.length }, (_, at) => at);
  await Promise.all(offsets.map(async (offset) => {
    const script = `printf %${offset + 1}s ''; for i in {1..200}; do printf %s "$TOKEN"; done`;
    const spec = { env, maxOutputBytes: 100 };
    const { stdout, truncated } = await runner.sh(script, spec, { mask });
    strictEqual(truncated, true);
    ok(!/npm|[0-9]{2}/.test(stdout.replace(/\d+ bytes left out/, "")), stdout);
  }));
});

Deno.test("a run shows what it holds back at its end, however it ends", async () => {
  await using runner = createTestRunner();
  const partial = 'printf "done: %s" "${TOKEN%789}"';
  const ends: readonly [script: string, more: { timeoutMs?: number }][] = [
    [partial, {}],
    [`${partial}; sleep 60`, { timeoutMs: 500 }],
    [`${partial}; sleep 60 & exit`, {}],
  ];
  for (const [script, more] of ends) {
    const { shown, options } = listen();
    const { stdout } = await runner.sh(
      script,
      { env: { ...env, ...runner.mark }, ...more },
      options,
    );
    strictEqual(stdout, "done: npm_0123456");
    strictEqual(shown.stdout, stdout);
  }
});

Deno.test("what follows the end of a run does not complete a value that it has shown in part", async () => {
  await using runner = createTestRunner();
  const { shown, options } = listen();
  const script = 'printf %s "${TOKEN%789}"; (trap "" TERM; sleep 0.7; printf 789; sleep 0.3) &';
  const { stdout } = await runner.sh(script, { env }, options);
  deepStrictEqual([stdout, shown.stdout], ["npm_0123456", "npm_0123456"]);
  await new Promise((resolve) => setTimeout(resolve, 900));
  ok(!shown.stdout.includes(VALUE), shown.stdout);
});

Deno.test("a run that is stopped reports what it held back", async () => {
  await using runner = createTestRunner();
  const controller = new AbortController();
  const { shown, options } = listen();
  const run = runner.sh("printf npm_01; sleep 0.3; echo ready >&2; sleep 60", {
    env: { ...env, ...runner.mark },
  }, {
    mask,
    signal: controller.signal,
    onOutput: (event) => {
      options.onOutput(event);
      if (event.text.includes("ready")) controller.abort(new Error("stopped"));
    },
  });
  await rejects(run, /stopped/);
  strictEqual(shown.stdout, "npm_01");
});
