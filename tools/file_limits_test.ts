import { deepStrictEqual } from "node:assert/strict";
import { callRegisteredTool, refusalOf, registerTool } from "../mcp_server/testing/call_tool.ts";
import { createHangingMount } from "../mcp_server/testing/hanging_mount.ts";
import { needsRoot } from "../mcp_server/testing/needs_root.ts";
import { requires } from "../test_support/services.ts";
import readFile from "./read-file.ts";
import writeFile from "./write-file.ts";

const [name, { ignore }] = needsRoot("read-file and write-file take as long as their caller may");
const required = requires("sshfs", name);

Deno.test({
  ...required,
  ignore: ignore || required.ignore,
  async fn() {
    await using mount = await createHangingMount();
    const limits = { timeoutMs: 200 };
    const path = `${mount.path}/file`;
    const read = await registerTool(readFile, "read-file");
    const write = await registerTool(writeFile, "write-file");
    mount.hang();
    const outcomes = await Promise.all([
      callRegisteredTool(read, { path }, { limits }),
      callRegisteredTool(write, { path, content: "" }, { limits }),
    ]);
    mount.resume();
    deepStrictEqual(
      outcomes.map(refusalOf).map(({ code, message }) => [code, message.includes(" 200 ms")]),
      [["FILE_TIMED_OUT", true], ["FILE_TIMED_OUT", true]],
    );
  },
});
