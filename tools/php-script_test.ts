import { deepStrictEqual } from "node:assert/strict";
import { requires } from "../test_support/services/requires.ts";
import { realTool } from "../mcp_server/testing/run_tool.ts";
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
