import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { refusalOf } from "../mcp_server/testing/call_tool.ts";
import { createSshTool, done } from "../mcp_server/testing/ssh_tool.ts";
import { createUser, requiresSshd, startSshd } from "../mcp_server/testing/sshd.ts";
import register from "./ssh-exec.ts";

/** A host with a user, whose shell reads nothing at its start. */
async function startHost() {
  await using stack = new AsyncDisposableStack();
  const sshd = stack.use(await startSshd());
  const folder = `${sshd.folder}/user`;
  await Deno.mkdir(folder);
  await Deno.chmod(folder, 0o777);
  const { name: username } = stack.use(await createUser("/bin/sh", folder));
  const tool = stack.use(await createSshTool(register, { HOME: sshd.home, USER: "root" }));
  const owned = stack.move();
  const { host } = sshd;
  return { tool, host, username, folder, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

Deno.test({
  ...requiresSshd("ssh-exec runs commands in a folder, with variables and an input"),
  fn: async () => {
    await using server = await startHost();
    const { tool, host, username, folder } = server;
    const cwd = `${folder}/-it's\n"here"`;
    await Deno.mkdir(cwd);
    const env = { ONE: "a 'b'\n$(id) \\", _2: "" };
    const stdin = "first\nlast, without an end \u00e9";
    const commands = ["pwd", 'printf "%s|%s" "$ONE" "${_2-unset}"', "cat", "wc -c; cd /"];
    const connection = { host, username, commands, cwd, env, stdin };
    const [{ results, error } = {}] = await tool.run({ connections: [connection] });
    strictEqual(error, undefined);
    deepStrictEqual(results, [
      done(`${cwd}\n`),
      done(`${env.ONE}|`),
      done(stdin),
      done(`${new TextEncoder().encode(stdin).length}\n`),
    ]);
  },
});

Deno.test({
  ...requiresSshd("ssh-exec passes a large input on, and does not wait for who does not read it"),
  fn: async () => {
    await using server = await startHost();
    const { tool, host, username } = server;
    const stdin = "0123456789abcdef".repeat(65_536);
    const commands = ["true", "wc -c", "head -c 3", "exec <&-; echo closed"];
    const [{ results } = {}] = await tool.run({
      connections: [{ host, username, commands, stdin }],
    });
    deepStrictEqual(results, [done(""), done("1048576\n"), done("012"), done("closed\n")]);
    const larger = { host, username, commands, stdin: `${stdin}x` };
    const { code, message } = refusalOf(await tool.call({ connections: [larger] }));
    strictEqual(code, "INVALID_ARGUMENTS");
    match(message, /at most 1048576 characters; use ssh-copy/);
  },
});

Deno.test({
  ...requiresSshd("ssh-exec runs nothing on a host where the working folder can't be entered"),
  fn: async () => {
    await using server = await startHost();
    const { tool, host, username, folder } = server;
    const commands = [`touch ${folder}/ran`, "true"];
    const cwds = [`${folder}/missing`, "-", "/etc/passwd"];
    const connections = [...cwds, "/"].map((cwd) => ({ host, username, commands, cwd }));
    const results = await tool.run({ connections });
    for (const [at, cwd] of cwds.entries()) {
      const { error, results: runs } = results[at]!;
      deepStrictEqual([error?.phase, runs], ["exec", [done("", 255), done("", 255)]], cwd);
      match(error?.message ?? "", /^Cannot run commands on ".+" as ".+": the working folder "/);
      match(
        error?.message ?? "",
        /can't be entered; it printed: [^]*can't cd to/,
      );
    }
    deepStrictEqual(results[3]?.results, [done(""), done("")]);
  },
});

Deno.test({
  ...requiresSshd("ssh-exec leaves out the commands after one that fails, and says how many"),
  fn: async () => {
    await using server = await startHost();
    const { tool, host, username, folder } = server;
    const made = `${folder}/made`;
    const commands = ["echo a", "exit 3", `touch ${made}`, "true"];
    const [stopped, whole, fine] = await tool.run({
      connections: [
        { host, username, commands, stopOnError: true },
        { host, username, commands: ["exit 3", "echo b"] },
        { host, username, commands: ["true", "true"], stopOnError: true },
      ],
    });
    const hanging = { host, username, commands: ["sleep 600", `touch ${made}`], stopOnError: true };
    const [late] = await tool.run({ timeoutMs: 1_000, connections: [hanging] });
    deepStrictEqual(stopped, {
      host,
      username,
      results: [done("a\n"), done("", 3)],
      leftOut: 2,
    });
    deepStrictEqual(whole?.results, [done("", 3), done("b\n")]);
    deepStrictEqual([late?.results.length, late?.leftOut, late?.error], [1, 1, undefined]);
    deepStrictEqual([fine?.results.length, fine?.leftOut], [2, undefined]);
    strictEqual([...Deno.readDirSync(folder)].some(({ name }) => name === "made"), false);
  },
});

Deno.test("ssh-exec rejects names that are no variables, and empty folders", async () => {
  await using tool = await createSshTool(register, { HOME: "/nonexistent", USER: "root" });
  const good = { host: "h", commands: ["true"] };
  const bad: object[] = [
    ...["", "1A", "A=B", "A-B", "A B", "A;id", "$(id)", "A\n"].map((name) => ({
      env: { [name]: "x" },
    })),
    { env: { A: "x\0" } },
    { env: { A: "\ud800" } },
    { cwd: "" },
    { cwd: "a\0b" },
    { stdin: "\ud800" },
  ];
  for (const more of bad) {
    const { code } = refusalOf(await tool.call({ connections: [{ ...good, ...more }] }));
    strictEqual(code, "INVALID_ARGUMENTS", JSON.stringify(more));
  }
});
