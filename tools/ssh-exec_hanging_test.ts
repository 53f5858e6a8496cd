import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { within } from "../mcp_server/shared/concurrency.ts";
import { refusalOf } from "../mcp_server/testing/call_tool.ts";
import { createHangingMount } from "../mcp_server/testing/hanging_mount.ts";
import { createSshTool, done } from "../mcp_server/testing/ssh_tool.ts";
import { requiresSshd, startSshd } from "../mcp_server/testing/sshd.ts";
import { requires } from "../test_support/services.ts";
import register from "./ssh-exec.ts";

const sshd = requiresSshd("ssh-exec waits for no file of OpenSSH whose file system hangs");
const required = requires("sshfs", sshd.name);
const GOOD = { phase: undefined, message: undefined, results: [done("here\n")] };

Deno.test({
  ...required,
  ignore: sshd.ignore || required.ignore,
  async fn(t) {
    await using sshd = await startSshd();
    await using mount = await createHangingMount();
    const { home, port } = sshd;
    await Deno.mkdir(`${mount.source}/.ssh`);
    for (const name of ["known_hosts", "id_ed25519"]) {
      await Deno.copyFile(`${home}/.ssh/${name}`, `${mount.source}/.ssh/${name}`);
    }
    const far = `${mount.path}/.ssh`;
    const files = [
      ["known", "UserKnownHostsFile", `${far}/known_hosts`, "host-key"],
      ["revoked", "RevokedHostKeys", `${far}/id_ed25519`, "host-key"],
      ["key", "IdentityFile", `${far}/id_ed25519`, "auth"],
      ["certificate", "CertificateFile", `${far}/id_ed25519-cert.pub`, "auth"],
    ] as const;
    const writeConfig = async (folder: string, timeout: number) => {
      const lines = files.map(([host, keyword, file]) =>
        `Host ${host}\n  ConnectTimeout ${timeout}\n  ${keyword} ${file}\n`
      );
      const all = `Host *\n  HostName 127.0.0.1\n  Port ${port}\n  ConnectTimeout 60\n`;
      await Deno.writeTextFile(`${folder}/.ssh/config`, [...lines, all].join(""));
    };
    await using near = await createSshTool(register, { HOME: home });

    await t.step("each host of such a file fails in time, the others work", async () => {
      await writeConfig(home, 4);
      mount.hang();
      const hosts = ["near", ...files.map(([host]) => host)];
      const connections = hosts.map((host) => ({ host, commands: ["echo here"] }));
      const run = near.run({ connections });
      ok(await within(run, 30_000), "the call waits");
      mount.resume();
      const found = (await run).map(({ error, results }) => ({ ...error, results }));
      const [first, ...others] = found;
      deepStrictEqual({ ...GOOD, ...first }, GOOD);
      for (const [at, [host, , file, phase]] of files.entries()) {
        const { phase: failed = "", message = "" } = others[at] ?? {};
        strictEqual(failed, phase, host);
        const state = `"${file}" can't be read: its file system does not answer`;
        ok(message.endsWith(state), `${host}: ${message}`);
      }
    });

    await t.step("a call that waits for one is cancelled at once", async () => {
      await writeConfig(mount.source, 60);
      await using hanging = await createSshTool(register, { HOME: mount.path });
      mount.hang();
      const cancel = new AbortController();
      const { signal } = cancel;
      const connections = [{ host: "near", commands: ["echo here"] }];
      const calls = [1, 2, 3, 4].map(() => hanging.call({ connections }, { signal }));
      // Another call is not disturbed meanwhile.
      const [{ results } = {}] = await near.run({ connections });
      deepStrictEqual(results, GOOD.results);
      cancel.abort(new Error("cancelled"));
      ok(await within(Promise.all(calls), 5_000), "calls go on after their cancellation");
      for (const call of calls) strictEqual(refusalOf(await call).kind, "CANCELLED");
      mount.resume();
      const [{ results: late } = {}] = await hanging.run({ connections });
      deepStrictEqual(late, GOOD.results);
    });
  },
});
