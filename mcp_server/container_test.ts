import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { needsRoot } from "./testing/needs_root.ts";
import { serverCommand, type ServerProcess, startServer } from "./testing/server_process.ts";

/** Starts a server in a PID namespace, as process 1 or under a shell as process 1. */
async function startInNamespace(script: string): Promise<ServerProcess> {
  const { command, args } = serverCommand();
  return await startServer({
    program: "unshare",
    args: ["--pid", "--fork", "--kill-child", "--mount-proc", "sh", "-c", script, "sh"]
      .concat(command, args),
  });
}

const FIRST: Record<string, [script: string, warns: boolean]> = {
  "warns as process 1": ['exec "$@"', true],
  "does not warn under an init": ['"$@"; :', false],
};

for (const [what, [script, warns]] of Object.entries(FIRST)) {
  Deno.test(...needsRoot(`a server in a container ${what}, and stops commands`), async () => {
    const server = await startInNamespace(script);
    try {
      await server.logged(/"message":"serving"/);
      const response = await fetch(`${server.url}/api`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          tool: "bash-script",
          args: { script: "setsid sleep 300 & sleep 300 & sleep 300", timeoutMs: 300 },
        }),
      });
      const { timedOut } = await response.json();
      deepStrictEqual([response.status, timedOut], [200, true]);
      strictEqual(server.stderr().includes("running as process 1"), warns);
      if (warns) match(server.stderr(), /"fix":"[^"]*docker run --init"/);
    } finally {
      // unshare ignores SIGTERM; killing it ends everything in the namespace.
      await server.stop("SIGKILL");
    }
  });
}
