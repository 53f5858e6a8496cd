import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { createJobTools } from "../mcp_server/testing/job_tools.ts";
import { PASSWORD, startPostgres } from "../mcp_server/testing/postgres.ts";
import { createTestUser, needsUsers } from "../mcp_server/testing/test_user.ts";
import { uniqueSleep, untilProcesses } from "../mcp_server/testing/processes.ts";
import { createTempFolder } from "../test_support/temp_folder.ts";
import { requires } from "../test_support/services.ts";

const terminal = await hasScript();
const postgres = requires("postgresql", "PostgreSQL");
const tty = true;

async function hasScript(): Promise<boolean> {
  try {
    return (await new Deno.Command("script", { args: ["--version"] }).output()).success;
  } catch {
    return false;
  }
}

function onTerminal(name: string, fn: () => Promise<void>): Deno.TestDefinition {
  return terminal
    ? { name, fn }
    : { name: `${name} (needs script of util-linux)`, ignore: true, fn };
}

Deno.test(
  onTerminal(
    "job-start with tty runs python3 as on a terminal, and passes its exit code on",
    async () => {
      await using tools = await createJobTools();
      const id = await tools.start("python3 -q", { tty });
      const begun = await tools.wait(id, { until: ">>> " });
      strictEqual(begun.matched, true);
      const type = (text: string, until: string) => tools.input(id, text, { until });
      strictEqual((await type("6 * 7\n", "42\r\n")).stdout.startsWith("6 * 7\r\n42\r\n"), true);
      strictEqual(
        (await type("import os; os.isatty(0), os.isatty(2)\n", "(True, True)")).matched,
        true,
      );
      match((await type("1 / 0\n", "ZeroDivisionError: ")).stdout, /division by zero/);
      const { job } = await tools.input(id, "exit(7)\n", { seconds: 25 });
      match(JSON.stringify(job.result), /"exitCode":7/);
    },
  ),
);

Deno.test(
  onTerminal(
    "job-start with tty has a size, keeps quotes and SHELL, and ends input with Ctrl-D",
    async () => {
      await using tools = await createJobTools({ SHELL: "/no/such/shell" });
      const command = `stty size; echo "$TERM $SHELL" 'it''s' "é\n$0"; tty >/dev/null && cat`;
      for (const [size, text] of [[true, "24 80"], [{ rows: 40, cols: 132 }, "40 132"]] as const) {
        const id = await tools.start(command, { tty: size });
        const { job, stdout, stderr } = await tools.input(id, "last\n", {
          end: true,
          seconds: 25,
          from: { stdout: 0, stderr: 0 },
        });
        deepStrictEqual([job.state, stderr], ["completed", ""]);
        const lines = stdout.split("\r\n").toSorted();
        deepStrictEqual(
          lines,
          ["", text, "dumb /no/such/shell its é", "last", "last", "bash"].toSorted(),
        );
      }
    },
  ),
);

Deno.test(
  onTerminal(
    "job-start with tty asks for a password without an echo, and takes Ctrl-C",
    async () => {
      await using tools = await createJobTools();
      const asks = await tools.start(
        "python3 -c 'import getpass; print(len(getpass.getpass()))'; exec sleep 300",
        { tty },
      );
      await tools.wait(asks, { until: "Password: " });
      match((await tools.input(asks, "secret\n", { until: "6\r\n" })).stdout, /^\r\n6\r\n/);
      const { job } = await tools.input(asks, "\x03", { seconds: 25 });
      match(JSON.stringify(job.result), /"exitCode":130/);
    },
  ),
);

Deno.test({
  ...onTerminal("job-start with tty runs psql, which asks for a password", async () => {
    await using database = await startPostgres();
    await using tools = await createJobTools();
    const id = await tools.start(`psql -XAt -h 127.0.0.1 -p ${database.port} -U tester postgres`, {
      tty,
    });
    await tools.wait(id, { until: "Password for user tester: " });
    await tools.input(id, `${PASSWORD}\n`, { until: "postgres=" });
    strictEqual((await tools.input(id, "SELECT 6 * 7;\n", { until: "42\r\n" })).matched, true);
    const { job, stdout } = await tools.input(id, "\\q\n", { seconds: 25 });
    deepStrictEqual([job.state, stdout.includes(PASSWORD)], ["completed", false]);
  }),
  ...(postgres.ignore ? { ignore: true } : {}),
});

/** A user who may do everything by sudo, with a password. */
async function createSudoer(password: string) {
  await using stack = new AsyncDisposableStack();
  const user = stack.use(await createTestUser());
  const rule = `/etc/sudoers.d/${user.name}`;
  stack.defer(() => Deno.remove(rule));
  await Deno.writeTextFile(rule, `${user.name} ALL=(ALL:ALL) ALL\n`, { mode: 0o440 });
  const child = new Deno.Command("chpasswd", { stdin: "piped" }).spawn();
  await new Blob([`${user.name}:${password}\n`]).stream().pipeTo(child.stdin);
  strictEqual((await child.status).code, 0);
  const owned = stack.move();
  return { ...user, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

const [sudoName, users] = needsUsers("job-start with tty runs sudo, which asks for a password");
const sudo = requires("sudo", sudoName);

Deno.test({
  ...onTerminal(sudo.name, async () => {
    const password = crypto.randomUUID();
    await using user = await createSudoer(password);
    await using tools = await createJobTools();
    const asUser = `setpriv --reuid=${user.uid} --regid=${user.gid} --init-groups`;
    const id = await tools.start(`cd / && ${asUser} sudo -k id -u`, { tty });
    const asked = await tools.wait(id, { until: `password for ${user.name}: ` });
    strictEqual(asked.matched, true);
    const { job, stdout } = await tools.input(id, `${password}\n`, { seconds: 25 });
    deepStrictEqual([job.state, stdout.replaceAll(/\s+/g, "")], ["completed", "0"]);
  }),
  ...(sudo.ignore || users.ignore || !terminal ? { ignore: true } : {}),
});

Deno.test(onTerminal("a job on a terminal that is stopped leaves no process", async () => {
  await using tools = await createJobTools();
  const time = uniqueSleep();
  const stubborn =
    `trap '' TERM HUP; sleep ${time} & setsid sleep ${time} & setsid -f sleep ${time}; ` +
    "echo on; while :; do sleep 0.2; done";
  const id = await tools.start(stubborn, { tty });
  await tools.wait(id, { until: "on\r\n" });
  await untilProcesses(`sleep\0${time}`, 3, 10_000);
  await tools.output("job-cancel", { id });
  await untilProcesses(time, 0, 10_000);
  strictEqual((await tools.wait(id)).job.state, "cancelled");
  const timed = await tools.start(`sleep ${time}`, { tty });
  await untilProcesses(time, 2, 10_000);
  await tools.app.close();
  await untilProcesses(time, 0, 10_000);
  strictEqual(typeof timed, "string");
}));

Deno.test(
  onTerminal(
    "job-start with tty runs a script, and its first command alone is on the terminal",
    async () => {
      await using tools = await createJobTools();
      const start = async (tool: string, args: object) => {
        const { job } = await tools.output("job-start", { tool, args, tty });
        return String(JSON.parse(JSON.stringify(job)).id);
      };
      const script = await start("python-script", { script: "print(f\"hi {input('name? ')}\")" });
      await tools.wait(script, { until: "name? " });
      match((await tools.input(script, "Ada\n", { seconds: 25 })).stdout, /hi Ada\r\n$/);
      const commands = [{ command: "test -t 0", stdin: "" }, { command: "test -t 1" }, {
        command: "test -t 1",
      }];
      const several = await start("exec-command", { commands });
      const { job } = await tools.wait(several);
      deepStrictEqual(JSON.stringify(job.result).match(/"exitCode":\d/g), [
        '"exitCode":1',
        '"exitCode":0',
        '"exitCode":1',
      ]);
    },
  ),
);

Deno.test("job-start with tty says that script is missing, or the size is wrong", async () => {
  await using folder = await createTempFolder();
  for (const name of ["bash", "sh"]) await Deno.symlink(`/bin/${name}`, `${folder.path}/${name}`);
  await using tools = await createJobTools({ PATH: folder.path });
  const { job } = await tools.wait(await tools.start("echo on", { tty }));
  const text = JSON.stringify(job.error);
  match(
    text,
    /"NO_TERMINAL".*Cannot run \\"bash\\" on a terminal: no script\(1\) on the server's PATH/,
  );
  const args = { command: "true" };
  const [code, message] = await tools.refusal("job-start", {
    tool: "exec-command",
    args,
    tty: { rows: 24, cols: 5_000 },
  });
  deepStrictEqual([code, message], [
    "INVALID_ARGUMENTS",
    "Cannot start the job on a terminal of 24 rows and 5000 columns: there may be 1 to 1000",
  ]);
});
