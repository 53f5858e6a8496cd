import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { realTool } from "../mcp_server/testing/run_tool.ts";
import { requires } from "../test_support/services.ts";
import { createTempFolder } from "../test_support/temp_folder.ts";
import register from "./python-script.ts";

const { output } = realTool(register, "python-script");

Deno.test({
  ...requires("python", "python-script runs a script with its input, output and exit code"),
  fn: async () => {
    const script = "import sys\nprint(sys.stdin.read().upper())\nsys.exit(4)";
    deepStrictEqual(await output({ script, stdin: "straße" }), {
      stdout: "STRASSE\n",
      stderr: "",
      exitCode: 4,
      timedOut: false,
    });
  },
});

Deno.test({
  ...requires("python", "python-script reports where a script failed"),
  fn: async () => {
    const { stderr, exitCode } = await output({ script: "x = 1\nraise ValueError('no')" });
    strictEqual(exitCode, 1);
    match(String(stderr), /script\.py", line 2[\s\S]*ValueError: no/);
  },
});

Deno.test({
  ...requires(
    "python",
    "python-script loads modules of PYTHONPATH, but none of the working folder",
  ),
  fn: async () => {
    await using folder = await createTempFolder();
    await Deno.mkdir(`${folder.path}/own`);
    await Deno.writeTextFile(`${folder.path}/own/chosen.py`, "name = 'chosen'");
    await Deno.writeTextFile(`${folder.path}/json.py`, "print('PLANTED')");
    const env = { ...Deno.env.toObject(), PYTHONPATH: `:${folder.path}/own:` };
    const script = "import chosen, json\nprint(chosen.name, json.dumps([1]))";
    const { stdout, stderr } = await output({ script, cwd: folder.path }, { env });
    deepStrictEqual([stdout, stderr], ["chosen [1]\n", ""]);
  },
});
