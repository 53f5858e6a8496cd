import { match, strictEqual } from "node:assert/strict";

const BIN = new URL("../bin.ts", import.meta.url).pathname;

async function run(...args: string[]) {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "-A", BIN, ...args],
    env: { NO_COLOR: "1" },
  });
  const { code, stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

const CASES: readonly {
  readonly args: readonly string[];
  readonly code: number;
  readonly stdout: RegExp;
  readonly stderr: RegExp;
}[] = [
  { args: ["--help"], code: 0, stdout: / serve --help {2}serves a mock/, stderr: /^$/ },
  { args: ["check", "--help"], code: 0, stdout: / --schema <file> /, stderr: /^$/ },
  {
    args: ["check", "nowhere.ts", "--schema", "nowhere.graphql"],
    code: 2,
    stdout: /^$/,
    stderr: /nowhere/,
  },
  {
    args: ["sevre", "a.graphql"],
    code: 1,
    stdout: /^$/,
    stderr: /^Cannot run "sevre": there is no such command\n\nThe commands/,
  },
  { args: [], code: 1, stdout: /^$/, stderr: /^Cannot run "": a command is missing\n/ },
  { args: ["serve", "--help"], code: 0, stdout: /^Serves a GraphQL mock/, stderr: /^$/ },
  {
    args: ["serve", "nowhere.graphql"],
    code: 1,
    stdout: /^$/,
    stderr: /^nowhere.graphql: Cannot read the file: No such file\n$/,
  },
];

for (const { args, ...expected } of CASES) {
  Deno.test(`the program of the npm package with "${args.join(" ")}" exits with ${expected.code}`, async () => {
    const { code, stdout, stderr } = await run(...args);
    strictEqual(code, expected.code);
    match(stdout, expected.stdout);
    match(stderr, expected.stderr);
  });
}
