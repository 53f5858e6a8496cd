import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { testWithEveryClient } from "../testing/mcp_clients.ts";
import type { McpPeer } from "../testing/mcp_peer.ts";
import type { WaitAnswer } from "../testing/job_tools.ts";

const folder = await Deno.makeTempDir();
globalThis.addEventListener("unload", () => Deno.removeSync(folder, { recursive: true }));
const server = { env: { MCP_DATA_DIR: folder } };

/** Starts a command as a job; returns its id. */
async function start(peer: McpPeer, command: string): Promise<string> {
  const args = { commands: [{ command }] };
  const started = await peer.callTool("job-start", { tool: "exec-command", args, stdin: true });
  return JSON.parse(JSON.stringify(started.structuredContent)).job.id;
}

async function wait(peer: McpPeer, id: string, args: object = {}): Promise<WaitAnswer> {
  const { structuredContent } = await peer.callTool("job-wait", { id, ...args });
  return JSON.parse(JSON.stringify(structuredContent));
}

testWithEveryClient({
  name: "jobs",
  server,
  cases: [
    {
      name: "a client drives a REPL, reads a build in slices, searches it and cancels",
      fn: async (peer) => {
        const repl = await start(peer, "python3 -iq");
        const print = { id: repl, text: "print('sum', 6 * 7)\n", until: "sum 42\n" };
        const sum = await peer.callTool("job-input", print);
        const { matched, stdout } = JSON.parse(JSON.stringify(sum.structuredContent));
        deepStrictEqual([matched, stdout], [true, "sum 42\n"]);
        const { structuredContent } = await peer.callTool("job-cancel", { id: repl });
        match(JSON.stringify(structuredContent), /"state":"cancelled"/);

        const build = await start(
          peer,
          "for i in {1..30}; do echo step $i; sleep 0.02; done; read",
        );
        let [output, from] = ["", { stdout: 0, stderr: 0 }];
        for (let at = 10; at <= 30; at += 10) {
          const slice = await wait(peer, build, { from, until: `step ${at}\n` });
          strictEqual(slice.matched, true);
          output += slice.stdout;
          from = slice.next;
        }
        await peer.callTool("job-input", { id: build, text: "", end: true });
        const last = await wait(peer, build, { from });
        strictEqual(last.job.state, "completed");
        const steps = Array.from({ length: 30 }, (_, at) => `step ${at + 1}\n`).join("");
        strictEqual(output + last.stdout, steps);
        const found = await peer.callTool("job-output", { id: build, search: "step 1?7$" });
        const first = '{"matches":[{"offset":42,"line":"step 7"},{"offset":119,"line":"step 17"}],';
        ok(JSON.stringify(found.structuredContent).startsWith(first));
        const refused = await peer.callTool("job-wait", { id: "nope" });
        deepStrictEqual(refused.content, [
          {
            type: "text",
            text:
              'Cannot find the job "nope": it is unknown, has expired, or is another caller\'s; ' +
              "list the jobs to see their ids",
          },
        ]);
        ok(refused.isError);
      },
    },
  ],
});
