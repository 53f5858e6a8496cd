import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import {
  END_FIRST_THREAD,
  processesWith,
  uniqueSleep,
  untilProcesses,
} from "../mcp_server/testing/processes.ts";
import { refusalOf } from "../mcp_server/testing/call_tool.ts";
import { createSshTool } from "../mcp_server/testing/ssh_tool.ts";
import { createUser, requiresSshd, startSshd } from "../mcp_server/testing/sshd.ts";
import register from "./ssh-exec.ts";

Deno.test({
  ...requiresSshd("ssh-exec stops a command after the time-out, as root and as another user"),
  fn: async () => {
    await using sshd = await startSshd();
    await using user = await createUser("/bin/bash", sshd.folder);
    await using tool = await createSshTool(register, { HOME: sshd.home });
    const sleep = uniqueSleep();
    const commands = [`echo a; sleep ${sleep} & sleep ${sleep} | cat; echo b`, "echo next"];
    const usernames = ["root", user.name];
    const connections = usernames.map((username) => ({ host: sshd.host, username, commands }));
    const hosts = await tool.run({ connections, timeoutMs: 3_000 });
    deepStrictEqual(await processesWith(sleep), []);
    deepStrictEqual(hosts.map(({ username }) => username), usernames);
    for (const { results } of hosts) {
      deepStrictEqual(results, [
        {
          stdout: "a\n",
          stderr: "",
          exitCode: 143,
          timedOut: true,
          signal: "SIGTERM",
          stopped: true,
          hint: "Stopped after timeoutMs (3000, at most 600000); job-start runs longer work",
        },
        { stdout: "next\n", stderr: "", exitCode: 0, timedOut: false },
      ]);
    }
  },
});

Deno.test({
  ...requiresSshd("ssh-exec ends processes that ignore SIGTERM with SIGKILL after 2 s"),
  fn: async () => {
    await using sshd = await startSshd();
    await using tool = await createSshTool(register, { HOME: sshd.home });
    const sleep = uniqueSleep();
    const commands = [`trap '' TERM; sleep ${sleep}; sleep ${sleep}`];
    const startedAt = performance.now();
    const connections = [{ host: sshd.host, username: "root", commands }];
    const [{ results = [] } = {}] = await tool.run({ connections, timeoutMs: 2_500 });
    const took = performance.now() - startedAt;
    deepStrictEqual([results[0]?.stopped, results[0]?.signal], [true, "SIGKILL"]);
    deepStrictEqual(await processesWith(sleep), []);
    ok(took > 2_500 + 2_000, `took ${took} ms`);
  },
});

Deno.test({
  ...requiresSshd(
    "ssh-exec ends a program whose first thread has ended, and which ignores SIGTERM",
  ),
  fn: async () => {
    await using sshd = await startSshd();
    await using tool = await createSshTool(register, { HOME: sshd.home });
    const program = `${Deno.execPath()} eval --ext=js '${END_FIRST_THREAD}'`;
    const commands = [`echo $$; trap '' TERM; exec ${program}`];
    const connections = [{ host: sshd.host, username: "root", commands }];
    const [{ results = [] } = {}] = await tool.run({ connections, timeoutMs: 5_000 });
    const [pid = 0, ready] = results[0]?.stdout.split("\n") ?? [];
    deepStrictEqual([ready, results[0]?.stopped, results[0]?.signal], ["ready", true, "SIGKILL"]);
    await rejects(Deno.stat(`/proc/${pid}`), Deno.errors.NotFound);
  },
});

Deno.test({
  ...requiresSshd("ssh-exec ends processes that have left the process group but not the session"),
  fn: async () => {
    await using sshd = await startSshd();
    await using tool = await createSshTool(register, { HOME: sshd.home });
    const sleep = uniqueSleep();
    const commands = [`bash -c 'set -m; sleep ${sleep} & wait'`];
    const connections = [{ host: sshd.host, username: "root", commands }];
    const [{ results = [] } = {}] = await tool.run({ connections, timeoutMs: 2_500 });
    strictEqual(results[0]?.stopped, true);
    deepStrictEqual(await processesWith(sleep), []);
  },
});

Deno.test({
  ...requiresSshd("ssh-exec reports that a process of another user was not stopped"),
  fn: async () => {
    await using sshd = await startSshd();
    await using user = await createUser("/bin/bash", sshd.folder);
    // A setuid program that becomes root, as sudo does: the test's own copy of an interpreter.
    const program = `${sshd.folder}/become-root`;
    await Deno.copyFile("/usr/bin/python3", program);
    await Deno.chmod(program, 0o4755);
    await using tool = await createSshTool(register, { HOME: sshd.home });
    const mark = uniqueSleep();
    const script = `import os, time; os.setresuid(0, 0, 0); time.sleep(${mark})`;
    const commands = [`${program} -c "${script}"`];
    const connections = [{ host: sshd.host, username: user.name, commands }];
    const [{ results = [] } = {}] = await tool.run({ connections, timeoutMs: 3_000 });
    strictEqual(results[0]?.stopped, false);
    await killAll(mark);
  },
});

Deno.test({
  ...requiresSshd("ssh-exec stops the commands of all hosts when the call is cancelled"),
  fn: async () => {
    await using sshd = await startSshd();
    await using tool = await createSshTool(register, { HOME: sshd.home });
    const sleep = uniqueSleep();
    const controller = new AbortController();
    const connections = [1, 2, 3].map((at) => ({
      host: `127.0.0.${at}:${sshd.port}`,
      username: "root",
      commands: [`sleep ${sleep}; true`, "echo never"],
    }));
    const call = tool.call({ connections }, { signal: controller.signal });
    await untilProcesses(sleep, 6, 20_000);
    const startedAt = performance.now();
    controller.abort(new DOMException("gone", "AbortError"));
    strictEqual(refusalOf(await call).kind, "CANCELLED");
    ok(performance.now() - startedAt < 60_000);
    deepStrictEqual(await processesWith(sleep), []);
  },
});

Deno.test({
  ...requiresSshd("ssh-exec stops connecting when the call is cancelled"),
  fn: async () => {
    await using sshd = await startSshd();
    await using tool = await createSshTool(register, { HOME: sshd.home });
    await Deno.writeTextFile(`${sshd.home}/.ssh/config`, "ConnectTimeout 300\n");
    using silent = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const host = `127.0.0.1:${silent.addr.port}`;
    const controller = new AbortController();
    const connections = [{ host, username: "root", commands: ["true"] }];
    const call = tool.call({ connections }, { signal: controller.signal });
    using _client = await silent.accept();
    const startedAt = performance.now();
    controller.abort(new DOMException("gone", "AbortError"));
    strictEqual(refusalOf(await call).kind, "CANCELLED");
    ok(performance.now() - startedAt < 60_000);
  },
});

Deno.test({
  ...requiresSshd(
    "ssh-exec returns when the command has ended, and ends processes that hold its output",
  ),
  fn: async () => {
    await using sshd = await startSshd();
    await using tool = await createSshTool(register, { HOME: sshd.home });
    const [held, spared] = [uniqueSleep(), uniqueSleep()];
    const commands = [
      `sleep ${spared} >/dev/null 2>&1 </dev/null & sleep ${held} & echo done`,
    ];
    const startedAt = performance.now();
    const connections = [{ host: sshd.host, username: "root", commands }];
    const [{ results = [] } = {}] = await tool.run({ connections });
    const took = performance.now() - startedAt;
    deepStrictEqual(results, [
      { stdout: "done\n", stderr: "", exitCode: 0, timedOut: false, backgroundEnded: 1 },
    ]);
    ok(took < 60_000, `took ${took} ms`);
    await untilProcesses(held, 0, 10_000);
    await untilProcesses(spared, 1, 10_000);
    await killAll(spared);
  },
});

/** Kills the processes whose command line contains a mark, unless they end by themselves. */
async function killAll(mark: string): Promise<void> {
  for (const pid of await processesWith(mark)) {
    try {
      Deno.kill(pid, "SIGKILL");
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
}

/** A login shell that starts a command once the file `release` is there. */
const BUSY_SHELL = `#!/bin/sh
: >$0-asked.$$
while [ ! -e $0-release ]; do sleep 0.05; done
exec /bin/bash "$@"
`;

Deno.test({
  ...requiresSshd("ssh-exec stops a command also if its host starts it after the answer"),
  fn: async () => {
    await using sshd = await startSshd();
    const folder = `${sshd.folder}/shell`;
    await Deno.mkdir(folder);
    await Deno.chmod(folder, 0o777);
    await Deno.writeTextFile(`${folder}/busy`, BUSY_SHELL, { mode: 0o755 });
    await using user = await createUser(`${folder}/busy`, sshd.folder);
    await using tool = await createSshTool(register, { HOME: sshd.home });
    const marks = [uniqueSleep(), uniqueSleep()];
    const [timedOut = {}, cancelled = {}] = marks.map((mark) => ({
      connections: [{
        host: sshd.host,
        username: user.name,
        commands: [`sleep ${mark}`],
      }],
    }));
    const gone = new AbortController();
    const cancelling = tool.call(cancelled, { signal: gone.signal });
    const [{ results = [] } = {}] = await tool.run({ ...timedOut, timeoutMs: 300 });
    deepStrictEqual([results[0]?.timedOut, results[0]?.stopped], [true, "unknown"]);
    await untilAsked(folder, 2);
    gone.abort(new DOMException("gone", "AbortError"));
    strictEqual(refusalOf(await cancelling).kind, "CANCELLED");
    await Deno.writeTextFile(`${folder}/busy-release`, "");
    for (const mark of marks) await untilProcesses(mark, 0, 10_000);
  },
});

/** Waits until the busy shell has been started so many times. */
async function untilAsked(folder: string, count: number): Promise<void> {
  const asked = () => [...Deno.readDirSync(folder)].filter(({ name }) => name.includes("-asked."));
  const deadline = performance.now() + 20_000;
  while (asked().length < count && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  strictEqual(asked().length, count);
}
