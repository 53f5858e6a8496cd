import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { refusalOf } from "../mcp_server/testing/call_tool.ts";
import { boundedCaller } from "../mcp_server/testing/bounded_caller.ts";
import { createSshTool } from "../mcp_server/testing/ssh_tool.ts";
import { requiresSshd, startSshd } from "../mcp_server/testing/sshd.ts";
import register from "./ssh-exec.ts";

Deno.test({
  ...requiresSshd("ssh-exec runs nothing if one host of the call is not allowed to the caller"),
  fn: async () => {
    await using sshd = await startSshd();
    await Deno.writeTextFile(
      `${sshd.home}/.ssh/config`,
      `Host far\n  HostName 127.0.0.2\n  Port ${sshd.port}\n  ProxyJump 127.0.0.3:${sshd.port}\n` +
        `Host near\n  HostName 127.0.0.1\n  Port ${sshd.port}\n` +
        `Host program\n  HostName 127.0.0.1\n  ProxyCommand touch ${sshd.folder}/program\n`,
    );
    await using tool = await createSshTool(register, { HOME: sshd.home, USER: "root" });
    const made = `${sshd.folder}/made`;
    const on = (...hosts: string[]) => ({
      connections: hosts.map((host) => ({ host, commands: [`touch ${made}`] })),
    });
    const refused: [hosts: string[], call: string[], names: RegExp][] = [
      [["near"], ["near", "127.0.0.2"], /port 22 of "127.0.0.2"/],
      [["near"], ["127.0.0.2", "near"], /port 22 of "127.0.0.2"/],
      [["127.0.0.1", "far"], ["near", "far"], /port \d+ of "127.0.0.3"/],
      [["127.0.0.1", "127.0.0.3"], ["near", "far"], /port \d+ of "far"/],
      [["near", "program"], ["near", "program"], /"program": its ProxyCommand takes "\*"/],
      [[], ["near"], /\(none\)$/],
    ];
    for (const [hosts, call, names] of refused) {
      const outcome = await tool.call(on(...call), { caller: boundedCaller({ hosts }) });
      const { code, message } = refusalOf(outcome);
      deepStrictEqual([code, names.test(message)], ["NOT_ALLOWED", true], `${call} ${message}`);
    }
    deepStrictEqual(await sshd.connections(), []);
    const caller = boundedCaller({
      hosts: ["near", `far:${sshd.port}`, "127.0.0.3"],
    });
    const results = await tool.run(on("near", "far"), { caller });
    deepStrictEqual(results.map(({ error }) => error), [undefined, undefined]);
    strictEqual((await Deno.stat(made)).isFile, true);
  },
});
