import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import type { RunAsUser } from "../access/run_as.ts";
import { createTestUser, needsUsers } from "../testing/test_user.ts";
import { toUserEnv, toUserExec, toUserStart, whyNotEntered } from "./user_launch.ts";

const ADA: RunAsUser = {
  name: "ada",
  uid: 1000,
  gid: 1001,
  groups: [1001],
  home: "/home/ada",
  shell: "/bin/zsh",
  setpriv: "/usr/bin/setpriv",
  processEnv: {},
};

const SETPRIV = ["--reuid=1000", "--regid=1001", "--init-groups", "--no-new-privs", "--"];

Deno.test("toUserEnv() passes on the locale, and nothing else of root's", () => {
  const env = {
    PATH: "/root/bin:/usr/bin:/rootless/bin:/root",
    HOME: "/root",
    LC_ALL: "C",
    LD_LIBRARY_PATH: "/x",
    SSH_AUTH_SOCK: "/run/agent",
    AWS_SECRET_ACCESS_KEY: "s",
    MCP_RUN_ID: "outer",
  };
  deepStrictEqual(toUserEnv(env, ADA), {
    PATH: "/usr/bin:/rootless/bin",
    LC_ALL: "C",
    MCP_RUN_ID: "outer",
    HOME: "/home/ada",
    USER: "ada",
    LOGNAME: "ada",
    SHELL: "/bin/zsh",
  });
});

Deno.test("toUserEnv() keeps the whole PATH if the server's home is the root folder", () => {
  strictEqual(toUserEnv({ PATH: "/usr/bin", HOME: "/" }, ADA).PATH, "/usr/bin");
});

Deno.test("toUserExec() starts a command without a second shell if it has nothing to do", () => {
  const spec = { program: "bash", args: ["-c", "true"] };
  const { program, args, env } = toUserExec(spec, ADA, { env: { A: "1" }, stdin: false });
  const [flag, script = "", name, ...rest] = args;
  deepStrictEqual([program, flag, name], ["sh", "-c", "sh"]);
  deepStrictEqual(rest, ["/usr/bin/setpriv", ...SETPRIV, "bash", "-c", "true"]);
  deepStrictEqual(env, { A: "1" });
  deepStrictEqual(script.match(/fd\/\d(?= )/g), ["fd/1", "fd/2", "fd/1"]);
});

Deno.test("toUserExec() gives root's part no variable of the call by its name", () => {
  const spec = { program: "x", env: { LD_PRELOAD: "evil", PATH: "evil", MCP_RUN_ID: "forged" } };
  const { env } = toUserExec(spec, ADA, { env: { PATH: "/bin", MCP_RUN_ID: "id" }, stdin: true });
  deepStrictEqual(env, {
    PATH: "/bin",
    MCP_RUN_ID: "id",
    MCP_CALL_VARIABLE_0: "LD_PRELOAD=evil",
    MCP_CALL_VARIABLE_1: "PATH=evil",
  });
});

Deno.test("toUserExec() never takes a folder for a flag", () => {
  for (const [cwd, folder] of [["-", "./-"], ["a b", "./a b"], ["/srv", "/srv"], ["", "./"]]) {
    const { args } = toUserExec({ program: "x", cwd: cwd ?? "" }, ADA, { env: {}, stdin: false });
    strictEqual(args.at(-2), folder);
  }
});

Deno.test("toUserStart() throws what its shells could not report", async () => {
  await using folder = await createTempFolder();
  const { path: cwd } = folder;
  await Deno.mkdir(`${cwd}/bin`);
  for (const [name, mode] of [["tool", 0o755], ["text", 0o644]] as const) {
    await Deno.writeTextFile(`${cwd}/bin/${name}`, "", { mode });
  }
  const start = (program: string, env: Record<string, string> = {}) =>
    toUserStart({ program, cwd, env }, ADA, { env: { PATH: "/usr/bin:bin" }, stdin: false });
  strictEqual((await start("tool")).program, "sh");
  await rejects(start("tool", { PATH: "/nowhere" }), Deno.errors.NotFound);
  await rejects(start("text"), Deno.errors.PermissionDenied);
  await rejects(start("tool", { "A-B": "" }), {
    code: "INVALID_ARGUMENT",
    message: 'Cannot run "tool" as the user "ada": the name of the variable "A-B" has other ' +
      'characters than letters, digits and "_"',
  });
});

Deno.test("whyNotEntered() reads only the message of its own run", () => {
  const check = (exitCode: number, stderr: string) => {
    const refusal = whyNotEntered(
      { program: "x", cwd: "/srv" },
      ADA,
      { exitCode, stderr },
      "run-1",
    );
    return [refusal?.code, refusal?.message];
  };
  deepStrictEqual(check(126, "outer run-1 CWD_DENIED\n"), [
    "CWD_DENIED",
    'Cannot run "x" as the user "ada": its working folder "/srv" may not be entered by that user',
  ]);
  const nothing = [undefined, undefined];
  deepStrictEqual(check(126, "run-2 CWD_DENIED\n"), nothing);
  deepStrictEqual(check(126, "run-1 OTHER\n"), nothing);
  deepStrictEqual(check(1, "run-1 CWD_DENIED\n"), nothing);
});

Deno.test(
  ...needsUsers("toUserExec() runs nothing in a folder that became a link after its check"),
  async () => {
    await using user = await createTestUser();
    const at = user.home;
    const { name, uid, gid, home } = user;
    const ada: RunAsUser = { ...ADA, name, uid, gid, home, groups: [gid] };
    for (const folder of ["real", "real\n"]) await Deno.mkdir(`${at}/${folder}`);
    await Deno.symlink("real", `${at}/link`);
    for (
      const [folder, cwd] of [["real", true], ["real\n", true], ["link", false], [
        "",
        true,
      ]] as const
    ) {
      const env = { PATH: "/usr/bin:/bin", MCP_RUN_ID: "run-1" };
      const path = folder === "" ? at : `${at}/${folder}`;
      const spec = {
        program: "/bin/sh",
        args: ["-c", "echo ran"],
        cwd: "/",
        env: { PATH: "/nowhere" },
      };
      const { program, ...launch } = toUserExec(spec, ada, { env, stdin: false, folder: path });
      const options = { args: [...launch.args], env: launch.env, clearEnv: true };
      const { code, stdout, stderr } = await new Deno.Command(program, options).output();
      const [out, errors] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
      const changed = [126, "", "run-1 CWD_CHANGED\n"];
      deepStrictEqual([code, out, errors], cwd ? [0, "ran\n", ""] : changed, path);
    }
  },
);
