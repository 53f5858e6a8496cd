import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { realTool } from "../mcp_server/testing/run_tool.ts";
import { requires } from "../test_support/services.ts";
import { createTempFolder } from "../test_support/temp_folder.ts";
import register from "./php-script.ts";

const { output } = realTool(register, "php-script");

Deno.test({
  ...requires("php", "php-script runs a script with its input, output and exit code"),
  fn: async () => {
    const script = "<?php echo strrev(stream_get_contents(STDIN)), PHP_EOL; exit(5);";
    deepStrictEqual(await output({ script, stdin: "abc" }), {
      stdout: "cba\n",
      stderr: "",
      exitCode: 5,
      timedOut: false,
    });
  },
});

Deno.test({
  ...requires("php", "php-script reads no settings in the working or the temporary folder"),
  fn: async () => {
    await using folder = await createTempFolder();
    await Deno.writeTextFile(`${folder.path}/planted.php`, "PLANTED");
    for (const name of ["php.ini", "php-cli.ini", ".user.ini"]) {
      const text = `auto_prepend_file = "${folder.path}/planted.php"`;
      await Deno.writeTextFile(`${folder.path}/${name}`, text);
    }
    const env = { ...Deno.env.toObject(), TMPDIR: folder.path };
    const { stdout } = await output({ script: "<?php echo 1;", cwd: folder.path }, { env });
    strictEqual(stdout, "1");
  },
});
