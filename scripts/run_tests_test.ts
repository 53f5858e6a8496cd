import { match, strictEqual } from "node:assert/strict";
import { ROOT } from "../test_support/root.ts";
import { createTempFolder } from "../test_support/temp_folder.ts";
import { processesWith, uniqueSleep } from "../mcp_server/testing/processes.ts";

const RUNNER = `${ROOT}/scripts/run_tests.ts`;

Deno.test("a run of tests that is interrupted ends all that it started, and says so", async () => {
  await using folder = await createTempFolder();
  const [file, sleep] = [`${folder.path}/a_test.ts`, uniqueSleep()];
  const program = `trap "" TERM; setsid sleep ${sleep} & echo > ${folder.path}/started; wait`;
  await Deno.writeTextFile(
    file,
    `Deno.test("a", async () => {
      await new Deno.Command("bash", { args: ["-c", ${JSON.stringify(program)}] }).output();
    });`,
  );
  const runner = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", RUNNER, "--no-check", file],
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const ended = runner.output();
  for await (const { paths } of Deno.watchFs(folder.path)) {
    if (paths.some((path) => path.endsWith("/started"))) break;
  }
  runner.kill("SIGINT");
  const { code, stdout, stderr } = await ended;
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  strictEqual(code, 1);
  match(text(stderr), /\nCannot continue: SIGINT was received\n/);
  match(text(stdout), /\n0 passed, 1 failed\n$/);
  strictEqual((await processesWith(sleep)).length, 0);
});

Deno.test("a run of one file prints as deno test does, and counts", async () => {
  await using folder = await createTempFolder();
  await Deno.writeTextFile(`${folder.path}/a_test.ts`, 'Deno.test("one", () => {});');
  const runner = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", RUNNER, "--no-check", `${folder.path}/a_test.ts`, "--filter", "one"],
    env: { NO_COLOR: "1" },
  });
  const { code, stdout } = await runner.output();
  const text = new TextDecoder().decode(stdout);
  strictEqual(code, 0, text);
  match(text, /one \.\.\. ok[^]*\n1 passed, 0 failed\n$/);
});
