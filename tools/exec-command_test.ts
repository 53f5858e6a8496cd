import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { BusyError } from "../mcp_server/toolkit.ts";
import { realTool } from "../mcp_server/testing/run_tool.ts";
import register from "./exec-command.ts";

const { output, refusal } = realTool(register, "exec-command");

const done = (stdout: string, exitCode = 0, stderr = "") => ({
  stdout,
  stderr,
  exitCode,
  timedOut: false,
});

Deno.test("exec-command runs commands in order, each in its own shell", async () => {
  const commands = [{ command: "X=1; cd /; pwd" }, {
    command: 'echo "[$X]"; [[ a == a ]] && echo bash',
  }];
  deepStrictEqual(await output({ commands }), { results: [done("/\n"), done("[]\nbash\n")] });
});

Deno.test("exec-command runs one command without a list, with its folder, variables and input", async () => {
  const call = { command: 'pwd; echo "$A"; cat', cwd: "/usr", env: { A: "1" }, stdin: "in" };
  deepStrictEqual(await output(call), { results: [done("/usr\n1\nin")] });
  const commands = [{ command: "pwd; cat", stdin: "own" }, {
    command: 'pwd; echo "$A$B"',
    cwd: "/",
    env: { B: "2" },
  }];
  deepStrictEqual(await output({ commands, cwd: "/usr", env: { A: "1" } }), {
    results: [done("/usr\nown"), done("/\n12\n")],
  });
});

Deno.test("exec-command refuses no command, both forms, and input for nobody", async (t) => {
  const commands = [{ command: "true" }];
  for (const args of [{}, { command: "true", commands }, { commands, stdin: "in" }]) {
    await t.step(JSON.stringify(args), async () => {
      const { code, message } = await refusal(args);
      strictEqual(code, "INVALID_ARGUMENTS");
      match(message, /^Cannot run commands: (use "command", or|put "stdin" to) /);
    });
  }
});

Deno.test("exec-command and what it starts never wait for a person, unless the call says so", async () => {
  const command = "git config --get core.pager; echo $PAGER $GIT_TERMINAL_PROMPT $DEBIAN_FRONTEND";
  deepStrictEqual(await output({ command }), { results: [done("cat 0 noninteractive\n")] });
  const env = { PAGER: "less", GIT_TERMINAL_PROMPT: "1" };
  deepStrictEqual(await output({ command, env }), { results: [done("less 1 noninteractive\n")] });
});

Deno.test("exec-command continues after commands that fail, are missing or are killed", async () => {
  const { results } = await output({
    commands: [
      { command: "exit 3" },
      { command: "no-such-program-here" },
      { command: "kill -9 $$" },
      { command: "echo last" },
    ],
  });
  const list = results as ReturnType<typeof done>[];
  deepStrictEqual(list.map(({ exitCode }) => exitCode), [3, 127, 137, 0]);
  match(list[1]!.stderr, /no-such-program-here/);
  strictEqual(list[3]!.stdout, "last\n");
});

Deno.test("exec-command runs each command with its folder and variables", async () => {
  const commands = [
    { command: "pwd", cwd: "/usr" },
    { command: "echo $GREETING", env: { GREETING: "hello there" } },
    { command: "echo [$GREETING]" },
  ];
  deepStrictEqual(await output({ commands }), {
    results: [done("/usr\n"), done("hello there\n"), done("[]\n")],
  });
});

Deno.test("exec-command treats a command that looks like an option as a command", async () => {
  const { results } = await output({ commands: [{ command: "-c 'echo no'" }] });
  strictEqual((results as ReturnType<typeof done>[])[0]!.exitCode, 127);
});

Deno.test("exec-command stops each command after the time-out, not the call", async () => {
  const { results } = await output({
    commands: [{ command: "echo a; sleep 60" }, { command: "echo b" }],
    timeoutMs: 3_000,
  });
  deepStrictEqual(results, [
    {
      stdout: "a\n",
      stderr: "",
      exitCode: 143,
      timedOut: true,
      signal: "SIGTERM",
      hint: "Stopped after timeoutMs (3000, at most 600000); job-start runs longer work",
    },
    done("b\n"),
  ]);
});

Deno.test("exec-command rejects a missing folder, unless other commands have results", async () => {
  const missing = { command: "true", cwd: "/nowhere/at/all" };
  const { code, message } = await refusal({ commands: [missing] });
  strictEqual(code, "CWD_NOT_FOUND");
  match(message, /"\/nowhere\/at\/all"/);
  const { results } = await output({
    commands: [{ command: "echo a" }, missing, { command: "echo b" }],
  });
  deepStrictEqual(results, [done("a\n"), done("", 126, message), done("b\n")]);
});

Deno.test("exec-command keeps the first and the last part of a long output", async () => {
  const { results } = await output({
    commands: [{ command: "seq 100000" }],
    maxOutputBytes: 4_096,
  });
  const [{ stdout = "", truncated = false } = {}] = results as {
    stdout: string;
    truncated?: boolean;
  }[];
  strictEqual(truncated, true);
  match(stdout, /^1\n2\n/);
  match(stdout, /\n99999\n100000\n$/);
  strictEqual(stdout.length < 4_096 + 200, true);
});

Deno.test("exec-command returns 100 floods of NUL within the limit, each with its share", async () => {
  const maxResultBytes = 2_000_000;
  const { results } = await output({
    commands: Array(100).fill({ command: "printf begin; head -c 500000 /dev/zero; printf end" }),
    maxOutputBytes: 16_777_216,
  }, { limits: { maxResultBytes } });
  const list = results as { stdout: string; truncated?: boolean }[];
  strictEqual(JSON.stringify({ results }).length <= maxResultBytes, true);
  for (const { stdout, truncated } of list) {
    strictEqual(truncated, true);
    match(stdout, /^begin\0+\n\[\.\.\. \d+ bytes left out \.\.\.\]\n\0+end$/);
  }
  strictEqual(list.length, 100);
});

Deno.test("exec-command rejects commands that can't be passed to a shell, and runs none", async () => {
  const bad: [object, string][] = [
    [{ commands: [] }, "commands"],
    [{ commands: [{ command: "" }] }, "commands.0.command"],
    [{ commands: [{ command: "a\0b" }] }, "commands.0.command"],
    [{ commands: [{ command: "a", cwd: "\0" }] }, "commands.0.cwd"],
    [{ commands: [{ command: "a", env: { "A=B": "" } }] }, "commands.0.env"],
    [{ commands: [{ command: "a", env: { A: "\0" } }] }, "commands.0.env.A"],
    [{ commands: [{ command: "true" }, { command: "a\ud800" }] }, "commands.1.command"],
    [{ commands: [{ command: "a", cwd: "/\udc00" }] }, "commands.0.cwd"],
    [{ commands: [{ command: "a", env: { A: "\ud800" } }] }, "commands.0.env.A"],
    [{ commands: [{ command: "a", env: { "A\ud800": "" } }] }, "commands.0.env"],
    [{ commands: [{ command: "a", shell: "zsh" }] }, "shell"],
    [{ commands: [{ command: "a" }], timeoutMs: 1.5 }, "timeoutMs"],
    [{ commands: "ls" }, "commands"],
  ];
  for (const [args, named] of bad) {
    const { kind, message } = await refusal(args);
    strictEqual(kind, "INVALID_ARGUMENTS", named);
    strictEqual(message.includes(named), true, message);
  }
});

Deno.test("exec-command accepts __proto__ as the name of a variable", async () => {
  const args = JSON.parse(
    '{"commands":[{"command":"env | grep -c __proto__=x","env":{"__proto__":"x"}}]}',
  );
  const { results } = await output(args);
  const [{ stdout }] = results as [{ stdout: string }];
  match(stdout, /^[01]\n$/);
});

Deno.test("exec-command reports the whole call as busy if no permit is free, for any number of commands", async () => {
  const commands = { run: () => Promise.reject(new BusyError("Cannot start: no permit", 1)) };
  for (const count of [1, 2]) {
    const args = { commands: Array(count).fill({ command: "true" }) };
    strictEqual((await refusal(args, { commands })).code, "BUSY");
  }
});
