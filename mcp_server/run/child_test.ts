import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { type Exec, toJoining, toOrder, toWaiting, whyNotJoined } from "./child.ts";
import { toBaseEnv, toChildEnv } from "../shared/environment.ts";

const UNATTENDED = {
  GIT_TERMINAL_PROMPT: "0",
  GIT_EDITOR: "true",
  GIT_PAGER: "cat",
  PAGER: "cat",
  DEBIAN_FRONTEND: "noninteractive",
};

Deno.test("toBaseEnv() removes the server's settings and secrets, and nothing else", () => {
  const kept = { PATH: "/bin", HOME: "/root", MCPX: "1", MY_PG: "2", DATABASE: "3" };
  const secrets = {
    MCP_TOKEN: "a",
    MCP_PORT: "1",
    PGPASSWORD: "b",
    PGHOST: "c",
    DATABASE_URL: "d",
    KEY_PASSPHRASE: "e",
    SSH_PASSPHRASE_FILE: "f",
    ssh_passphrase: "g",
  };
  deepStrictEqual(toBaseEnv({ ...kept, ...secrets, PAGER: "less" }), { ...kept, ...UNATTENDED });
});

Deno.test("toChildEnv() lets the call's variables override the base, and the cookie override both", () => {
  deepStrictEqual(toChildEnv({ A: "1", B: "1" }, "id", { B: "2", PGHOST: "h", MCP_RUN_ID: "x" }), {
    A: "1",
    B: "2",
    PGHOST: "h",
    MCP_RUN_ID: "id",
  });
});

Deno.test("toChildEnv() keeps the cookie of an outer server", () => {
  const base = toBaseEnv({ MCP_RUN_ID: "outer" });
  deepStrictEqual(toChildEnv(base, "inner", UNATTENDED), {
    ...UNATTENDED,
    MCP_RUN_ID: "outer inner",
  });
});

const BASE = { PATH: "/bin:/usr/bin", HOME: "/root" };
const TEXTS = ["it's", "a\nb\n", '$HOME `id` \\ "', "", "--", "*"];

/** Runs a launch as it is, with a file instead of a group. */
async function output(launch: ReturnType<typeof toJoining>, line = ""): Promise<string> {
  const child = new Deno.Command(launch.program, {
    args: [...launch.args],
    env: { ...launch.env },
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(line));
  await writer.close();
  return new TextDecoder().decode((await child.output()).stdout);
}

const PRINT = ["-c", 'printf "%s|" "$@"; env -u _ | sort', "sh"];
/** A program that shells and the linker would treat in another way before it runs. */
const ENVS: Record<string, Record<string, string>> = {
  "plain variables": { ...BASE, A: "it's $HOME", B: "two\nlines" },
  "folders that are not its own": { ...BASE, PWD: "/else", OLDPWD: "/before" },
  "variables that shells change": { ...BASE, IFS: "x", PS4: "$(echo no)", ENV: "/no" },
  "variables that bash lets nobody set": { ...BASE, UID: "7", EUID: "8", PPID: "9" },
  "names that shells don't have": { ...BASE, "A.B": "1", "BASH_FUNC_echo%%": "() { :; }" },
};

for (const [what, env] of Object.entries(ENVS)) {
  Deno.test(`toJoining() and toOrder() pass on ${what} unchanged`, async () => {
    const joining = { procs: "/dev/null", mark: "mark" };
    const launch = { program: "/usr/bin/env", args: ["-0"], env };
    const expected = Object.entries(env).map(([name, value]) => `${name}=${value}`).sort();
    const seen = (text: string) => text.split("\0").slice(0, -1).sort();
    deepStrictEqual(seen(await output(toJoining(launch, joining))), expected);
    const line = toOrder(launch, { stdin: true }, BASE);
    deepStrictEqual(seen(await output(toWaiting(BASE, joining), line)), expected);
  });
}

Deno.test("toOrder() passes on any short text of ASCII, and the rest of the input", async () => {
  const joining = { procs: "/dev/null", mark: "mark" };
  const launch = { program: "sh", args: [...PRINT, ...TEXTS], env: BASE, cwd: "/" };
  const line = toOrder(launch, { stdin: false }, BASE);
  match(
    await output(toWaiting(BASE, joining), line),
    /^it's\|a\nb\n\|\$HOME `id` \\ "\|\|--\|\*\|/,
  );
  const cat = toOrder({ ...launch, program: "cat", args: [] }, { stdin: true }, BASE);
  strictEqual(await output(toWaiting(BASE, joining), `${cat}the rest\n`), "the rest\n");
});

Deno.test("toOrder() enters the folder that the system finds, whatever shells make of a path", async () => {
  await using folder = await createTempFolder();
  const { path } = folder;
  for (const made of ["here/inside", "there/inside"]) {
    await Deno.mkdir(`${path}/${made}`, { recursive: true });
  }
  await Deno.symlink(`${path}/there/inside`, `${path}/here/link`);
  const base = { ...BASE, CDPATH: `${path}/here`, PWD: path };
  const enter = async (cwd: string) => {
    const launch = { program: "/bin/pwd", args: ["-P"], env: base, cwd };
    return await output(
      toWaiting(base, { procs: "/dev/null", mark: "mark" }),
      toOrder(launch, { stdin: true }, base),
    );
  };
  strictEqual(await enter(`${path}/here/link/..`), `${await Deno.realPath(`${path}/there`)}\n`);
  strictEqual(await enter("inside"), "", "it is not in the folder of this process");
});

Deno.test("toOrder() leaves to a new shell what it can't say in a short line", () => {
  const launch = { program: "true", args: [], env: BASE };
  const order = (more: Partial<Exec>) => toOrder({ ...launch, ...more }, { stdin: false }, BASE);
  strictEqual(typeof order({}), "string");
  strictEqual(order({ args: ["ü"] }), undefined);
  strictEqual(order({ args: ["a".repeat(5_000)] }), undefined);
  strictEqual(order({ env: { PATH: "/bin" } }), undefined, "HOME is to go");
});

Deno.test("a launch that fails says so with its mark, and a program can't", async () => {
  const { program, args, env } = toJoining({ program: "/missing", args: [], env: BASE }, {
    procs: "/dev/null",
    mark: "mark",
  });
  const { code: exitCode, stderr } = await new Deno.Command(program, {
    args: [...args],
    env: { ...env },
    clearEnv: true,
  }).output();
  const result = { exitCode, stderr: new TextDecoder().decode(stderr) };
  strictEqual(exitCode, 127);
  match(String(whyNotJoined(result, "mark")), /^NotFound: .*\/missing/);
  match(String(whyNotJoined({ ...result, exitCode: 126 }, "mark")), /^Error: .*\/missing/);
  strictEqual(whyNotJoined({ ...result, exitCode: 0 }, "mark"), undefined);
  strictEqual(whyNotJoined(result, "another"), undefined);
});
