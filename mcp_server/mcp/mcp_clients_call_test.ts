import { deepStrictEqual, match, rejects, strictEqual } from "node:assert/strict";
import { requires } from "../../test_support/services.ts";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { testWithEveryClient } from "../testing/mcp_clients.ts";
import type { McpPeer } from "../testing/mcp_peer.ts";

const INVALID_PARAMS = -32_602;

/** Calls a tool whose answer is data; a client that has the list checks it against the schema. */
async function checkCall(peer: McpPeer, name: string, args: object, output: object): Promise<void> {
  const { content, structuredContent, isError = false } = await peer.callTool(name, args);
  strictEqual(isError, false);
  deepStrictEqual(structuredContent, output);
  const own = content.filter(({ type }) => type !== "resource_link");
  deepStrictEqual(own, [{ type: "text", text: JSON.stringify(output) }]);
}

const ran = (stdout: string, exitCode = 0) => ({ stdout, stderr: "", exitCode, timedOut: false });

const SCRIPTS = [
  ["bash-script", 'printf "%s " "${BASH##*/}"; exit 3', ran("bash ", 3)],
  ["java-script", 'import os from "node:os"; console.log(os.EOL === "\\n", "ä")', ran("true ä\n")],
  ["php-script", '<?php echo strrev("php"), "\\n"; exit(2);', ran("php\n", 2)],
  ["python-script", "import sys\nprint(sys.version_info.major)", ran("3\n")],
] as const;

/** Skips the tests of an interpreter that is not on this machine. */
function whereItRuns(tool: (typeof SCRIPTS)[number][0], name: string) {
  if (tool === "php-script") return requires("php", name);
  return tool === "python-script" ? requires("python", name) : { name };
}

testWithEveryClient({
  name: "tools/call",
  server: { args: ["--tools", new URL("../testdata/job_tools", import.meta.url).pathname] },
  cases: [
    ...SCRIPTS.map(([tool, script, output]) => ({
      ...whereItRuns(tool, `tools/call answers ${tool}`),
      fn: async (peer: McpPeer) => {
        await peer.listTools();
        await checkCall(peer, tool, { script }, output);
      },
    })),
    {
      name: "tools/call answers exec-command",
      fn: async (peer) => {
        await peer.listTools();
        await using folder = await createTempFolder();
        await checkCall(peer, "exec-command", {
          commands: [
            { command: "pwd; exit 7", cwd: folder.path },
            { command: 'printf %s "$GREETING" >&2', env: { GREETING: "hello" } },
          ],
        }, {
          results: [
            ran(`${folder.path}\n`, 7),
            { stdout: "", stderr: "hello", exitCode: 0, timedOut: false },
          ],
        });
      },
    },
    {
      name: "tools/call answers write-file and read-file",
      fn: async (peer) => {
        await peer.listTools();
        await using folder = await createTempFolder();
        const path = `${folder.path}/file.txt`;
        await checkCall(peer, "write-file", { path, content: "ä\n" }, { path, bytesWritten: 3 });
        strictEqual(await Deno.readTextFile(path), "ä\n");
        await checkCall(peer, "read-file", { path }, { content: "ä\n", size: 3 });
      },
    },
    {
      name: "tools/call answers each of many calls at once",
      fn: async (peer) => {
        const numbers = Array.from({ length: 40 }, (_, at) => at);
        await Promise.all(numbers.map((number) => {
          const args = { commands: [{ command: `echo ${number}` }] };
          return checkCall(peer, "exec-command", args, { results: [ran(`${number}\n`)] });
        }));
      },
    },
    {
      name: "tools/call names the arguments that are wrong",
      fn: async (peer) => {
        const wrong: [object, RegExp][] = [
          [{}, /script/],
          [{ script: 1 }, /script/],
          [{ script: "true", scirpt: "" }, /scirpt/],
          [{ script: "true", timeoutMs: 0 }, /timeoutMs/],
          [{ script: "true", cwd: "a\0b" }, /cwd/],
        ];
        for (const [args, naming] of wrong) {
          const { isError, content, structuredContent } = await peer.callTool("bash-script", args);
          strictEqual(isError, true);
          strictEqual(structuredContent, undefined);
          match(JSON.stringify(content), naming);
        }
      },
    },
    {
      name: "tools/call answers for a tool whose result is not JSON",
      fn: async (peer) => {
        const { isError, content } = await peer.callTool("no-json", {});
        strictEqual(isError, true);
        match(JSON.stringify(content), /The tool .*no-json.* crashed; the server's log says why/);
      },
    },
    {
      name: "tools/call rejects an unknown tool",
      fn: async (peer) => {
        for (const name of ["no-such-tool", "toString", "__proto__"]) {
          await rejects(peer.callTool(name, {}), { code: INVALID_PARAMS });
        }
      },
    },
  ],
});
