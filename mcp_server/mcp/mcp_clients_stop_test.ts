import { rejects } from "node:assert/strict";
import { testWithEveryClient } from "../testing/mcp_clients.ts";
import { uniqueSleep, untilProcesses } from "../testing/processes.ts";

/** The server's guarantee, and slack for a machine that is busy with other tests. */
const STOP_MS = 4_000 + 4_000;
const START_MS = 30_000;

testWithEveryClient({
  name: "the end of a call",
  cases: [
    {
      name: "a call that its client cancels ends with its processes",
      fn: async (peer) => {
        const sleep = uniqueSleep();
        const controller = new AbortController();
        const call = peer.callTool("bash-script", { script: `sleep ${sleep} & sleep ${sleep}` }, {
          signal: controller.signal,
        });
        const refused = rejects(call);
        await untilProcesses(sleep, 2, START_MS);
        controller.abort(new Error("enough"));
        await refused;
        await untilProcesses(sleep, 0, STOP_MS);
      },
    },
    {
      name: "a cancelled call leaves the others alone",
      fn: async (peer) => {
        const [cancelled, kept] = [uniqueSleep(), uniqueSleep()];
        const controllers = [new AbortController(), new AbortController()];
        const calls = [cancelled, kept].map((sleep, at) =>
          rejects(peer.callTool("exec-command", { commands: [{ command: `sleep ${sleep}` }] }, {
            signal: controllers[at]?.signal,
          }))
        );
        await untilProcesses(cancelled, 1, START_MS);
        await untilProcesses(kept, 1, START_MS);
        controllers[0]?.abort();
        await untilProcesses(cancelled, 0, STOP_MS);
        await untilProcesses(kept, 1, 0);
        controllers[1]?.abort();
        await untilProcesses(kept, 0, STOP_MS);
        await Promise.all(calls);
      },
    },
    {
      name: "a call whose client closes the connection ends with its processes",
      fn: async (peer) => {
        const sleep = uniqueSleep();
        const refused = rejects(peer.callTool("bash-script", { script: `sleep ${sleep}` }));
        await untilProcesses(sleep, 1, START_MS);
        await Promise.all([peer.close(), untilProcesses(sleep, 0, STOP_MS)]);
        await refused;
      },
    },
  ],
});
