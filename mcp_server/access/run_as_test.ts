import { deepStrictEqual, match, rejects, strictEqual } from "node:assert/strict";
import { createTestLog } from "../testing/test_runner.ts";
import { needsUsers } from "../testing/test_user.ts";
import { parseEntry, RunAsUsers, toAccount } from "./run_as.ts";

const PASSWD = `root:x:0:0:root:/root:/bin/bash
# a comment
ada:x:1000:1001:Ada,,,:/home/ada:/bin/zsh
1002:x:7:7::/:
bare:x:1002:1002:::
broken:x:one:1::/:/bin/sh
short:x:1:1::/
`;

const ADA = { name: "ada", uid: 1000, gid: 1001, home: "/home/ada", shell: "/bin/zsh" };
const BARE = { name: "bare", uid: 1002, gid: 1002, home: "/", shell: "/bin/sh" };

const find = (name: string) => toAccount(parseEntry(PASSWD, name));

Deno.test("parseEntry() and toAccount() find a user by name or number", () => {
  deepStrictEqual(find("ada"), ADA);
  deepStrictEqual(find("1000"), ADA);
  deepStrictEqual(find("bare"), BARE);
  strictEqual(find("1002")?.uid, 7, "a name counts before a number");
  for (const name of ["broken", "ad", "", "x", "short", "# a comment"]) {
    strictEqual(find(name), undefined, name);
  }
});

Deno.test("RunAsUsers refuses names that no user has", async () => {
  const users = new RunAsUsers({ PATH: "/usr/bin:/bin" }, createTestLog());
  for (const name of ["", "a:b", "a b", "-x", "../x", "no-such-user"]) {
    await rejects(users.find(name), {
      name: "ToolError",
      code: "RUN_AS_UNAVAILABLE",
      message: /^Cannot run commands as the user ".*": /,
    });
  }
});

/** What looking up a user comes to in a process that setpriv(1) starts with less than root has. */
async function lookUpWith(flag: string, name: string): Promise<string> {
  const { href } = new URL("./run_as.ts", import.meta.url);
  const log = "{ warn: (message, fields) => console.error(message, fields) }";
  const code = `import { RunAsUsers } from "${href}";
    await new RunAsUsers({ PATH: "/usr/bin:/bin" }, ${log}).find("${name}");`;
  const args = [flag, "--", Deno.execPath(), "eval", code];
  const { stderr } = await new Deno.Command("setpriv", { args }).output();
  return new TextDecoder().decode(stderr);
}

Deno.test(...needsUsers("RunAsUsers refuses every user if the server is not root"), async () => {
  const stderr = await lookUpWith("--ruid=65534", "root");
  match(stderr, /as the user "root": only a server that runs as root can do that/);
});

Deno.test(
  ...needsUsers("RunAsUsers warns if processes of others can't be looked into"),
  async () => {
    const warning =
      /^without control groups, processes of another user .* "give the server the capability SYS_PTRACE"/;
    match(await lookUpWith("--bounding-set=-sys_ptrace", "nobody"), warning);
    strictEqual(await lookUpWith("--bounding-set=-sys_nice", "nobody"), "");
    strictEqual(await lookUpWith("--bounding-set=-sys_ptrace", "root"), "");
  },
);
