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

Deno.test("runProgram() hands on the text of both streams while the program runs", async () => {
  await using folder = await createTempFolder();
  const script = "echo one; echo two >&2; until [ -e read ]; do sleep 0.02; done; printf ä; exit 4";
  let text = "";
  const { signal } = new AbortController();
  const code = await runProgram("bash", ["-c", script], {
    signal,
    cwd: folder.path,
    output: (part) => {
      text += part;
      if (text.includes("one") && text.includes("two")) {
        Deno.writeTextFileSync(`${folder.path}/read`, "");
      }
    },
  });
  deepStrictEqual([code, text.split("\n").sort()], [4, ["one", "two", "ä"]]);
});

Deno.test("runProgram() does not wait for a process that keeps the output open", async () => {
  const { signal } = new AbortController();
  let text = "";
  const output = (part: string) => text += part;
  strictEqual(await runProgram("bash", ["-c", "setsid sleep 60 & echo $!"], { signal, output }), 0);
  Deno.kill(Number(text), "SIGKILL");
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
