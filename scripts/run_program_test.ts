import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { createTempFolder } from "../test_support/temp_folder.ts";
import { runProgram } from "./run_program.ts";

Deno.test("runProgram() returns the exit code", async () => {
  const { signal } = new AbortController();
  strictEqual(await runProgram("bash", ["-c", "exit 3"], { signal }), 3);
});

Deno.test("runProgram() closes the input and sets folder and environment", async () => {
  const { signal } = new AbortController();
  const script = '! read -r && test "$PWD" = / && test "$WORD" = a';
  strictEqual(
    await runProgram("bash", ["-c", script], { signal, cwd: "/", env: { WORD: "a" } }),
    0,
  );
});

Deno.test("runProgram() holds the output until the program has ended", async () => {
  await using folder = await createTempFolder();
  const first = "echo one; echo two >&2; : >written; until [ -e printed ]; do sleep 0.02; done";
  const second = "until [ -e written ]; do sleep 0.02; done; echo between";
  const program = `
    import { runProgram } from ${JSON.stringify(new URL("./run_program.ts", import.meta.url))};
    const signal = AbortSignal.timeout(60_000);
    const held = runProgram("bash", ["-c", "${first}; exit 4"], { signal, output: "held" });
    await runProgram("bash", ["-c", "${second}"], { signal });
    await Deno.writeTextFile("printed", "");
    console.log(await held);
  `;
  const args = ["eval", "--no-check", program];
  const command = new Deno.Command(Deno.execPath(), { args, cwd: folder.path });
  const { stdout } = await command.output();
  deepStrictEqual(new TextDecoder().decode(stdout).split(/\n+/), [
    "between",
    "one",
    "two",
    "4",
    "",
  ]);
});

Deno.test("runProgram() starts nothing once its signal has aborted", async () => {
  const reason = new Error("too late");
  await rejects(runProgram("bash", [], { signal: AbortSignal.abort(reason) }), reason);
});

Deno.test("runProgram() ends the whole group when its signal aborts", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await new Deno.Command("mkfifo", { args: [`${folder}/alive`] }).output();
    const controller = new AbortController();
    const script = 'sleep 300 3>"$0/alive" & wait';
    const run = runProgram("bash", ["-c", script, folder], { signal: controller.signal });
    using pipe = await Deno.open(`${folder}/alive`);
    const reason = new Error("stop");
    controller.abort(reason);
    await rejects(run, reason);
    strictEqual(await pipe.read(new Uint8Array(1)), null, "no process holds the pipe any more");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
