import { rejects, strictEqual, throws } from "node:assert/strict";
import type { CommandSpec } from "../tool/command.ts";
import { ToolError } from "../shared/error.ts";
import { createTestLog, PATH } from "../testing/test_runner.ts";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { createLaunch, ensureRunnable, ProgramFinder } from "./launch.ts";
import { createGroupTable } from "./process_table.ts";

const UNRUNNABLE: { spec: CommandSpec; state: string }[] = [
  { spec: { program: "" }, state: 'Cannot run "": the name of the program is empty' },
  {
    spec: { program: "tr\0ue" },
    state: 'Cannot run "tr\\u0000ue": the name of the program has a NUL character',
  },
  {
    spec: { program: "true", args: ["a", "b\0"] },
    state: 'Cannot run "true": argument 2 has a NUL character',
  },
  {
    spec: { program: "true", cwd: "/\0" },
    state: 'Cannot run "true": the working folder has a NUL character',
  },
  {
    spec: { program: "true", env: { A: "\0" } },
    state: 'Cannot run "true": the variable "A" has a NUL character',
  },
  {
    spec: { program: "true", env: { "A\0": "" } },
    state: 'Cannot run "true": the variable "A\\u0000" has a NUL character',
  },
  {
    spec: { program: "true", env: { "A=B": "" } },
    state: 'Cannot run "true": "A=B" is not a valid variable name',
  },
  {
    spec: { program: "true", env: { "": "" } },
    state: 'Cannot run "true": "" is not a valid variable name',
  },
  ...[
    [{ program: "tr\ud800ue" }, "the name of the program", 2],
    [{ program: "true", args: ["a", "\u{1f600}\udc00"] }, "argument 2", 2],
    [{ program: "true", cwd: "/\ud83d" }, "the working folder", 1],
    [{ program: "true", env: { A: "a\udfffb" } }, 'the variable "A"', 1],
    [{ program: "true", stdin: "\ude00\ud83d" }, "the input", 0],
  ].map(([spec, what, index]) => ({
    spec: spec as CommandSpec,
    state: `Cannot run ${JSON.stringify((spec as CommandSpec).program)}: ${what} ` +
      `has half of a surrogate pair at index ${index}, which UTF-8 can't carry`,
  })),
];

for (const { spec, state } of UNRUNNABLE) {
  Deno.test(`ensureRunnable() says ${state}`, () => {
    throws(() => ensureRunnable(spec), isToolError("INVALID_ARGUMENT", state));
  });
}

const FAILURES: { what: string; spec: CommandSpec; code: string; state: string }[] = [
  {
    what: "a program that is not on the PATH",
    spec: { program: "no-such-program" },
    code: "PROGRAM_NOT_FOUND",
    state: `Cannot run "no-such-program": no such program on the PATH "${PATH}"`,
  },
  {
    what: "a program that is not on the PATH of the call",
    spec: { program: "true", env: { PATH: "/nowhere" } },
    code: "PROGRAM_NOT_FOUND",
    state: 'Cannot run "true": no such program on the PATH "/nowhere"',
  },
  {
    what: "a path that does not exist",
    spec: { program: "/no/such/program" },
    code: "PROGRAM_NOT_FOUND",
    state:
      'Cannot run "/no/such/program": there is no such file, or its first line names a missing one',
  },
  {
    what: "a file that is not executable",
    spec: { program: "/etc/passwd" },
    code: "PROGRAM_NOT_EXECUTABLE",
    state: 'Cannot run "/etc/passwd": the system denies it, check its mode and its folder',
  },
  {
    what: "a folder that does not exist",
    spec: { program: "true", cwd: "/no/such/folder" },
    code: "CWD_NOT_FOUND",
    state: 'Cannot run "true": its working folder "/no/such/folder" does not exist',
  },
  {
    what: "a folder that is a file",
    spec: { program: "true", cwd: "/etc/passwd" },
    code: "CWD_NOT_A_FOLDER",
    state: 'Cannot run "true": its working folder "/etc/passwd" is not a folder',
  },
  {
    what: "a folder in a file",
    spec: { program: "true", cwd: "/etc/passwd/x" },
    code: "CWD_NOT_A_FOLDER",
    state: 'Cannot run "true": its working folder "/etc/passwd/x" is not a folder',
  },
  {
    what: "arguments that are too long",
    spec: { program: "true", args: ["x".repeat(200_000)] },
    code: "NOT_STARTED",
    state:
      "Cannot run \"true\": Failed to spawn '/usr/bin/true': Argument list too long (os error 7)",
  },
];

for (const { what, spec, code, state } of FAILURES) {
  Deno.test(`createLaunch() names ${what}`, async () => {
    const options = { id: "id", cookie: "id", stdin: false, user: undefined };
    const programs = new ProgramFinder();
    const parts = { env: { PATH }, table: createGroupTable(), log: createTestLog(), programs };
    const { signal } = new AbortController();
    await rejects(createLaunch(spec, options, parts).start(signal), isToolError(code, state));
  });
}

function isToolError(code: string, message: string): (error: unknown) => boolean {
  return (error) => error instanceof ToolError && error.code === code && error.message === message;
}

Deno.test("ProgramFinder looks up again what depends on the folder, and what was not there", async () => {
  await using folder = await createTempFolder();
  const { path } = folder;
  const [absolute, relative] = [{ path }, { path: ".", cwd: path }];
  const programs = new ProgramFinder();
  await rejects(programs.find("tool", absolute), Deno.errors.NotFound);
  await Deno.writeTextFile(`${path}/tool`, "", { mode: 0o755 });
  for (const search of [absolute, relative]) {
    strictEqual(await programs.find("tool", search), `${path}/tool`);
  }
  await Deno.remove(`${path}/tool`);
  strictEqual(await programs.find("tool", absolute), `${path}/tool`);
  await rejects(programs.find("tool", relative), Deno.errors.NotFound);
});
