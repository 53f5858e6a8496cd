import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { boundedCaller } from "../mcp_server/testing/bounded_caller.ts";
import { realTool } from "../mcp_server/testing/run_tool.ts";
import { createTempFolder } from "../test_support/temp_folder.ts";
import bashScript from "./bash-script.ts";
import register from "./exec-command.ts";
import pythonScript from "./python-script.ts";

const tool = realTool(register, "exec-command");

async function createPlace() {
  const folder = await createTempFolder();
  const at = folder.path;
  await Deno.mkdir(`${at}/srv/sub`, { recursive: true });
  await Deno.mkdir(`${at}/etc`);
  await Deno.symlink("../etc", `${at}/srv/out`);
  await Deno.symlink("../srv", `${at}/etc/in`);
  const caller = boundedCaller({ paths: [`${at}/srv/**`] });
  return { at, caller, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

/** Commands that say where they are, and leave a file there. */
function inFolders(...folders: readonly (string | undefined)[]) {
  return { commands: folders.map((cwd) => ({ command: "pwd && pwd -P && touch ran", cwd })) };
}

Deno.test("exec-command starts in the folders of a caller, and without cwd in the server's", async () => {
  await using place = await createPlace();
  const { at, caller } = place;
  const folders = [`${at}/srv`, `${at}/etc/in/sub`, `${at}/srv/sub/..`];
  const { results } = await tool.output(inFolders(...folders), { caller });
  const real = [`${at}/srv`, `${at}/srv/sub`, `${at}/srv`];
  deepStrictEqual(
    results,
    real.map((path) => ({
      stdout: `${path}\n${path}\n`,
      stderr: "",
      exitCode: 0,
      timedOut: false,
    })),
  );
  const here = { commands: [{ command: "pwd -P" }] };
  const unnamed = await tool.output(here, { caller: boundedCaller({ paths: [] }) });
  strictEqual(stdoutsOf(unnamed)[0], `${Deno.cwd()}\n`);
});

Deno.test("exec-command runs nothing if one folder of the call is not allowed", async () => {
  await using place = await createPlace();
  const { at, caller } = place;
  const inside = `${at}/srv`;
  const outside = [
    `${at}/etc`,
    `${at}/srv/out`,
    `${at}/nope`,
    `${at}/srv/../etc`,
    at,
    "/",
    ".",
    "~",
  ];
  for (const folder of outside) {
    for (const folders of [[folder], [inside, folder], [folder, inside], [undefined, folder]]) {
      const { code, message } = await tool.refusal(inFolders(...folders), { caller, home: at });
      strictEqual(code, "NOT_ALLOWED", `${folders}`);
      match(message, /^Cannot enter ".+": it is not among the paths of the caller "ci" \(.+\)$/);
    }
  }
  deepStrictEqual([...Deno.readDirSync(inside)].map(({ name }) => name).sort(), ["out", "sub"]);
  deepStrictEqual([...Deno.readDirSync(`${at}/etc`)].map(({ name }) => name), ["in"]);
});

Deno.test("exec-command checks each folder again when its command starts", async () => {
  await using place = await createPlace();
  const { at, caller } = place;
  const commands = [
    { command: "mkdir made && ln -s ../etc link", cwd: `${at}/srv` },
    { command: "pwd", cwd: `${at}/srv/made` },
    { command: "touch ran", cwd: `${at}/srv/link` },
    { command: "true", cwd: `${at}/srv/missing` },
  ];
  const output = await tool.output({ commands }, { caller });
  deepStrictEqual(stdoutsOf(output), ["", `${at}/srv/made\n`, "", ""]);
  const [, , refused, missing] = resultsOf(output);
  deepStrictEqual([refused?.exitCode, missing?.exitCode], [126, 126]);
  match(refused?.stderr ?? "", /not among the paths of the caller "ci"/);
  match(missing?.stderr ?? "", /missing": it does not exist$/);
  deepStrictEqual([...Deno.readDirSync(`${at}/etc`)].map(({ name }) => name), ["in"]);
});

for (
  const [name, module, script] of [
    ["bash-script", bashScript, "pwd -P; touch ran"],
    ["python-script", pythonScript, "import os; print(os.getcwd()); open('ran', 'w')"],
  ] as const
) {
  Deno.test(`${name} starts in the folders of a caller only`, async () => {
    await using place = await createPlace();
    const { at, caller } = place;
    const scripts = realTool(module, name);
    for (const cwd of [`${at}/etc`, `${at}/srv/out`, `${at}/nope`]) {
      strictEqual((await scripts.refusal({ script, cwd }, { caller })).code, "NOT_ALLOWED", cwd);
    }
    deepStrictEqual([...Deno.readDirSync(`${at}/etc`)].map(({ name }) => name), ["in"]);
    const { stdout } = await scripts.output({ script, cwd: `${at}/etc/in` }, { caller });
    strictEqual(stdout, `${at}/srv\n`);
    strictEqual(
      (await scripts.refusal({ script, cwd: `${at}/srv/no` }, { caller })).code,
      "CWD_NOT_FOUND",
    );
  });
}

interface Result {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

function resultsOf(output: object): Result[] {
  return Reflect.get(output, "results");
}

function stdoutsOf(output: object): string[] {
  return resultsOf(output).map(({ stdout }) => stdout);
}
