import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { createSshTool, done, type SshTool } from "../mcp_server/testing/ssh_tool.ts";
import { createUser, requiresSshd, startSshd } from "../mcp_server/testing/sshd.ts";
import { requires, type ServiceName } from "../test_support/services.ts";
import { isWholeRun } from "../test_support/tier.ts";
import register from "./ssh-exec.ts";

function toolFor(home: string, env: Record<string, string> = {}): Promise<SshTool> {
  return createSshTool(register, { HOME: home, USER: "root", ...env });
}

const SHELLS: readonly [shell: string, service: ServiceName][] = [
  ["/bin/sh", "dash"],
  ["/bin/bash", "sshd"],
  ["/bin/dash", "dash"],
  ["/usr/bin/zsh", "zsh"],
  ["/usr/bin/fish", "fish"],
];

for (const [shell, service] of isWholeRun ? SHELLS : SHELLS.slice(0, 2)) {
  const { name, ignore } = requires(service, `ssh-exec works with ${shell} as the login shell`);
  Deno.test({
    name,
    ignore: ignore || requiresSshd(name).ignore,
    fn: async () => {
      await using sshd = await startSshd();
      await Deno.mkdir(`${sshd.folder}/user`);
      await Deno.chmod(`${sshd.folder}/user`, 0o777);
      await using user = await createUser(shell, `${sshd.folder}/user`);
      await using tool = await toolFor(sshd.home);
      const commands = ["echo a; exit 4", "echo (", "sleep 600", "echo b"];
      const connections = [{ host: sshd.host, username: user.name, commands }];
      const [{ results = [], error } = {}] = await tool.run({ connections, timeoutMs: 3_000 });
      strictEqual(error, undefined);
      deepStrictEqual(results[0], done("a\n", 4));
      ok((results[1]?.exitCode ?? 0) > 0 && results[1]?.stderr !== "");
      deepStrictEqual(results[2], {
        ...done("", 143),
        timedOut: true,
        signal: "SIGTERM",
        stopped: true,
        hint: "Stopped after timeoutMs (3000, at most 600000); job-start runs longer work",
      });
      deepStrictEqual(results[3], done("b\n"));
    },
  });
}

Deno.test({
  ...requiresSshd("ssh-exec drops what a login shell prints before the command"),
  fn: async () => {
    await using sshd = await startSshd();
    const home = `${sshd.folder}/user`;
    await Deno.mkdir(home);
    await Deno.writeTextFile(`${home}/.bashrc`, "echo Welcome; printf 'no end of line'\n");
    await using user = await createUser("/bin/bash", home);
    await using tool = await toolFor(sshd.home);
    const connections = [{ host: sshd.host, username: user.name, commands: ["echo a"] }];
    const [{ results = [] } = {}] = await tool.run({ connections });
    deepStrictEqual(results, [done("a\n")]);
  },
});

Deno.test({
  ...requiresSshd("ssh-exec reports a login shell that runs nothing"),
  fn: async () => {
    await using sshd = await startSshd();
    await using tool = await toolFor(sshd.home);
    for (
      const [shell, said] of [["/usr/sbin/nologin", /not available/], [
        "/bin/false",
        /nothing/,
      ]] as const
    ) {
      await using user = await createUser(shell, "/");
      const connections = [{ host: sshd.host, username: user.name, commands: ["id", "id"] }];
      const [{ results = [], error } = {}] = await tool.run({ connections });
      strictEqual(error?.phase, "exec");
      match(error?.message ?? "", /^Cannot run commands on ".+": the login shell ended with 1 /);
      match(error?.message ?? "", said);
      deepStrictEqual(results, [done("", 255), done("", 255)]);
    }
  },
});
