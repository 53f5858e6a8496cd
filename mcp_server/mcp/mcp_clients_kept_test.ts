import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { testWithEveryClient } from "../testing/mcp_clients.ts";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import type { McpPeer } from "../testing/mcp_peer.ts";
import { processesWith, uniqueSleep } from "../testing/processes.ts";

const folder = await Deno.makeTempDir();
globalThis.addEventListener("unload", () => Deno.removeSync(folder, { recursive: true }));
const server = { env: { MCP_DATA_DIR: folder } };

/** Calls a tool; its text is its data, once. */
async function call(peer: McpPeer, tool: string, args: object) {
  const { structuredContent, content, isError } = await peer.callTool(tool, { ...args });
  strictEqual(isError, undefined);
  const text = JSON.stringify(structuredContent);
  deepStrictEqual(content, [{ type: "text", text }]);
  return JSON.parse(text);
}

testWithEveryClient({
  name: "a call that is kept as a job",
  server,
  cases: [
    {
      name: "a call goes on as a job, whose output job-wait continues, and which job-cancel stops",
      fn: async (peer) => {
        const sleep = uniqueSleep();
        const args = { timeoutMs: 1_000, onTimeout: "job" };
        await using gates = await createTempFolder();
        const gate = (name: string) => `until [ -e ${gates.path}/${name} ]; do sleep 0.05; done`;
        const open = (name: string) => Deno.writeTextFile(`${gates.path}/${name}`, "");
        const command = `echo step 1; ${gate("two")}; echo step 2; sleep ${sleep}`;
        const build = { command, ...args };
        const { results, job } = await call(peer, "exec-command", build);
        deepStrictEqual(results, [{
          stdout: "step 1\n",
          stderr: "",
          timedOut: false,
          running: true,
        }]);
        const { id, next: from } = job;
        await open("two");
        const waited = await call(peer, "job-wait", { id, from, until: "step 2\n" });
        deepStrictEqual([waited.matched, waited.stdout], [true, "step 2\n"]);
        match(
          JSON.stringify(await call(peer, "job-list", {})),
          /"title":"exec-command: echo step 1; /,
        );
        match(JSON.stringify(await call(peer, "job-cancel", { id })), /"state":"cancelled"/);
        deepStrictEqual(await processesWith(sleep), []);

        const script = { script: `echo on; ${gate("off")}; echo off; exit 4`, ...args };
        const { job: { id: second }, ...running } = await call(peer, "bash-script", script);
        deepStrictEqual(running, { stdout: "on\n", stderr: "", timedOut: false, running: true });
        await open("off");
        const ended = await call(peer, "job-wait", { id: second, from: { stdout: 3, stderr: 0 } });
        deepStrictEqual([ended.stdout, ended.job.exitCode], ["off\n", 4]);
      },
    },
    {
      name: "an answer leaves out what is more than 32 KiB, and names the job that has it",
      fn: async (peer) => {
        const script = await call(peer, "bash-script", { script: "seq 1 50000" });
        const { results: [command] } = await call(peer, "exec-command", { command: "seq 1 50000" });
        for (const { stdout, truncated, job: id } of [script, command]) {
          ok(truncated && stdout.length <= 32_900, `${stdout.length}`);
          const { matches } = await call(peer, "job-output", { id, search: "^25000$" });
          deepStrictEqual(matches, [{ offset: 138_888, line: "25000" }]);
          const { text } = await call(peer, "job-output", { id, tail: 12 });
          strictEqual(text, "49999\n50000\n");
        }
      },
    },
  ],
});
