import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { createTempFolder } from "../test_support/temp_folder.ts";
import { hasProgram } from "../test_support/services.ts";
import { callApi } from "./testing/http_caller.ts";
import { processesWith, uniqueSleep } from "./testing/processes.ts";
import { serverCommand, type ServerProcess, startServer } from "./testing/server_process.ts";
import { createTestUser, FURTHER_GROUP, needsUsers, type TestUser } from "./testing/test_user.ts";

/** Runs a shell command on a server, and returns its result. */
async function sh({ url }: ServerProcess, command: string, more: object = {}) {
  const { body } = await callApi(url, "exec-command", { commands: [{ command, ...more }] });
  const [result] = Array.isArray(body.results) ? body.results : [body];
  return result;
}

async function startAs(user: TestUser, env: Record<string, string> = {}): Promise<ServerProcess> {
  return await startServer({ env: { MCP_RUN_AS: user.name, MCP_TOOL_SECRET: "s3cret", ...env } });
}

Deno.test(...needsUsers("MCP_RUN_AS runs commands as that user in every respect"), async (t) => {
  await using user = await createTestUser();
  await using server = await startAs(user, {
    SSH_AUTH_SOCK: "/run/agent",
    XDG_RUNTIME_DIR: "/run/user/0",
    MAIL: "/var/mail/root",
    LANG: "C.UTF-8",
    PATH: `/root/bin:${Deno.env.get("PATH")}`,
    HOME: "/root",
    MCP_JS_RUNTIME: "node",
  });

  await t.step("ids, groups and capabilities", async () => {
    const { stdout } = await sh(server, "id -un; id -gn; id -Gn; cat /proc/self/status");
    const [name, group, groups] = stdout.split("\n");
    deepStrictEqual([name, group], [user.name, user.name]);
    deepStrictEqual(groups.split(" ").sort(), [FURTHER_GROUP, user.name].sort());
    const { uid, gid } = user;
    match(stdout, new RegExp(`^Uid:\\s+${uid}\\s+${uid}\\s+${uid}\\s+${uid}$`, "m"));
    match(stdout, new RegExp(`^Gid:\\s+${gid}\\s+${gid}\\s+${gid}\\s+${gid}$`, "m"));
    for (const set of ["Inh", "Prm", "Eff", "Amb"]) {
      match(stdout, new RegExp(`Cap${set}:\\s+0+\\n`));
    }
    match(stdout, /^NoNewPrivs:\s+1$/m);
  });

  await t.step("environment, without anything of root", async () => {
    const { stdout } = await sh(server, "env -0", { env: { OWN: "1" } });
    const variables = new Map<string, string>(
      stdout.split("\0").map((line: string) => line.split(/=(.*)/s)),
    );
    strictEqual(variables.get("HOME"), user.home);
    strictEqual(variables.get("USER"), user.name);
    strictEqual(variables.get("LOGNAME"), user.name);
    strictEqual(variables.get("SHELL"), "/bin/bash");
    strictEqual(variables.get("LANG"), "C.UTF-8");
    strictEqual(variables.get("OWN"), "1");
    const names = ["SSH_AUTH_SOCK", "XDG_RUNTIME_DIR", "MAIL", "XDG_STATE_HOME", "MCP_RUN_AS"];
    for (const name of names) strictEqual(variables.has(name), false, name);
    const path = variables.get("PATH") ?? "";
    ok(!/\/root/.test(path), path);
  });

  await t.step("umask of the server, and standard streams that can be opened", async () => {
    const { stdout, stderr } = await sh(
      server,
      "umask; echo out >/dev/stdout; echo err >/dev/stderr",
    );
    deepStrictEqual([Number.parseInt(stdout, 8), stderr], [Deno.umask(), "err\n"]);
    match(stdout, /out\n$/);
    const script = "cat /dev/stdin";
    const { body } = await callApi(server.url, "bash-script", { script, stdin: "input" });
    strictEqual(body.stdout, "input");
    strictEqual((await Deno.stat("/dev/null")).uid, 0, "no device is given away");
  });

  await t.step("working folders that the user may enter", async () => {
    strictEqual((await sh(server, "pwd", { cwd: user.home })).stdout, `${user.home}\n`);
    for (
      const [cwd, state] of [
        ["/root", "may not be entered by that user"],
        ["/nowhere", "does not exist"],
        ["/etc/passwd", "is not a folder"],
      ]
    ) {
      const { body } = await callApi(server.url, "exec-command", {
        commands: [{ command: "pwd", cwd }],
      });
      const start = `Cannot run "bash" as the user "${user.name}": its working folder`;
      strictEqual(body.detail, `${start} "${cwd}" ${state}`);
    }
  });

  await t.step("scripts, whose files are that user's alone", async () => {
    const script = 'stat -c "%U %a" "$0" "$(dirname "$0")"; echo "$0"; id -un';
    const { body } = await callApi(server.url, "bash-script", { script });
    const [file, folder, path = "", name] = String(body.stdout).split("\n");
    deepStrictEqual([file, folder, name], [`${user.name} 600`, `${user.name} 700`, user.name]);
    await rejects(Deno.stat(path), Deno.errors.NotFound);
  });

  await t.step("modules of a script are not looked up in shared folders", async () => {
    if (!hasProgram("node", "/usr/local/bin:/usr/bin:/bin")) return;
    const script = "console.log(__filename, process.getuid())";
    const { body } = await callApi(server.url, "java-script", { script });
    match(String(body.stdout), new RegExp(`^/var/cache/trestle/.*/script.js ${user.uid}\n$`));
  });

  await t.step("and stops what has left the process group", async () => {
    const sleep = uniqueSleep();
    const { body } = await callApi(server.url, "bash-script", {
      script: `setsid sleep ${sleep} & sleep ${sleep}`,
      timeoutMs: 300,
    });
    strictEqual(body.timedOut, true);
    deepStrictEqual(await processesWith(sleep), []);
  });
});

Deno.test(
  ...needsUsers("MCP_RUN_AS is refused at the start if commands can't run as that user"),
  async () => {
    const refusal = async (env: Record<string, string>) => {
      const { command, ...options } = serverCommand({ args: ["--check"], env });
      const { code, stderr } = await new Deno.Command(command, options).output();
      return [code, new TextDecoder().decode(stderr).trim()];
    };
    await using bin = await createTempFolder();
    // All that the npm program needs of the search path.
    const shell = { args: ["-c", 'ln -s "$(command -v node)" "$0"', bin.path] };
    await new Deno.Command("sh", shell).output();
    const cannot = (name: string, state: string) =>
      `Cannot use MCP_RUN_AS "${name}": Cannot run commands as the user "${name}": ${state}`;
    deepStrictEqual(await refusal({ MCP_RUN_AS: "no-such-user" }), [
      2,
      cannot("no-such-user", 'there is no such user; use a name that "getent passwd" lists'),
    ]);
    deepStrictEqual(await refusal({ MCP_RUN_AS: "0" }), [
      2,
      cannot("0", 'it is root; write "root" if you mean it'),
    ]);
    deepStrictEqual(await refusal({ MCP_RUN_AS: "nobody", PATH: bin.path }), [
      2,
      cannot("nobody", "setpriv is missing; install the package util-linux"),
    ]);
  },
);

Deno.test(
  ...needsUsers('MCP_RUN_AS "root" leaves commands to the server\'s own user'),
  async () => {
    await using server = await startServer({ env: { MCP_RUN_AS: "root" } });
    strictEqual((await sh(server, "id -un; echo $HOME")).stdout, `root\n${Deno.env.get("HOME")}\n`);
  },
);

Deno.test(...needsUsers("runAs of a caller counts before MCP_RUN_AS"), async (t) => {
  await using ada = await createTestUser();
  await using bob = await createTestUser();
  await using folder = await createTempFolder();
  const path = `${folder.path}/callers.json`;
  const callers = { ada: { runAs: ada.name }, plain: {}, root: { runAs: "root" } };
  const writeFile = async (more: object = {}) => {
    const entries = await Promise.all(Object.entries({ ...callers, ...more }).map(toEntry));
    await Deno.writeTextFile(path, JSON.stringify({ callers: Object.fromEntries(entries) }), {
      mode: 0o600,
    });
  };
  await writeFile();
  await using server = await startAs(bob, { MCP_CALLERS_FILE: path });
  const as = (caller: string) => ({ headers: { authorization: `Bearer ${tokenOf(caller)}` } });

  await t.step("for commands and for files", async () => {
    for (const [caller, owner] of [["ada", ada.name], ["plain", bob.name], ["root", "root"]]) {
      const init = as(caller ?? "");
      const { body } = await callApi(server.url, "bash-script", { script: "id -un" }, init);
      strictEqual(body.stdout, `${owner}\n`);
      const made = `/tmp/${crypto.randomUUID()}`;
      await callApi(server.url, "write-file", { path: made, content: "" }, init);
      const { stdout } = await new Deno.Command("stat", { args: ["-c", "%U", made] }).output();
      await Deno.remove(made);
      strictEqual(new TextDecoder().decode(stdout), `${owner}\n`);
    }
  });

  await t.step("and the callers file stays closed to them", async () => {
    const { body } = await callApi(server.url, "read-file", { path }, as("ada"));
    strictEqual(body.code, "ACCESS_DENIED");
    const script = { script: `cat ${path}` };
    const { body: { stdout, stderr } } = await callApi(
      server.url,
      "bash-script",
      script,
      as("ada"),
    );
    strictEqual(stdout, "");
    match(String(stderr), /Permission denied/);
  });

  await t.step(
    "a caller whose user does not exist is refused, and the last file counts",
    async () => {
      await writeFile({ eve: { runAs: "no-such-user" } });
      await server.logged(
        /the caller \\"eve\\": Cannot run commands as the user \\"no-such-user\\": /,
      );
      strictEqual(
        (await callApi(server.url, "bash-script", { script: "true" }, as("ada"))).status,
        200,
      );
      strictEqual(
        (await callApi(server.url, "bash-script", { script: "true" }, as("eve"))).status,
        401,
      );
    },
  );
});

function tokenOf(caller: string): string {
  return `${caller}-${"t".repeat(40)}`;
}

async function toEntry([name, rights]: [string, object]): Promise<[string, object]> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(tokenOf(name)));
  const tokenSha256 = new Uint8Array(digest).toHex();
  return [name, { tokenSha256, tools: ["*"], paths: ["/**"], ...rights }];
}
