import { deepStrictEqual, match, rejects, strictEqual } from "node:assert/strict";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { PATH } from "../testing/test_runner.ts";
import { spawnSession } from "./spawn_session.ts";

const ignore = Deno.build.os !== "linux";

/** Starts a program, checks that it leads its session and gets what it was started with. */
async function checkSession(path: string): Promise<void> {
  const args = ["-c", 'read -r word; echo "$word $0 $1"; env', "-x", "a b"];
  const child = await spawnSession({ program: "/bin/sh", args, env: { PATH, A: "1" } }, { path });
  const stat = await Deno.readTextFile(`/proc/${child.pid}/stat`);
  const [, , , group, session] = stat.slice(stat.lastIndexOf(")") + 1).split(" ").map(Number);
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode("word\n"));
  await writer.close();
  const { code, stdout } = await child.output();
  deepStrictEqual([group, session, code], [child.pid, child.pid, 0]);
  match(new TextDecoder().decode(stdout), /^word -x a b\n(?=[^]*^A=1$)/m);
}

Deno.test({
  name: "spawnSession() resolves once the program leads its session, however slow setsid is",
  ignore,
  fn: async () => {
    await using folder = await createTempFolder();
    const script = '#!/bin/sh\nsleep 0.2\nexec /usr/bin/setsid "$@"\n';
    await Deno.writeTextFile(`${folder.path}/setsid`, script, { mode: 0o755 });
    await checkSession(folder.path);
  },
});

Deno.test({
  name: "spawnSession() starts a detached process where there is no setsid",
  ignore,
  fn: () => checkSession("/nonexistent"),
});

Deno.test({
  name: "spawnSession() resolves with a program that ends at once",
  ignore,
  fn: async () => {
    const missing = { program: "/nonexistent/program", args: [], env: { PATH } };
    const child = await spawnSession(missing);
    await child.stdin.close();
    strictEqual((await child.output()).code, 127);
    await rejects(spawnSession(missing, { path: "/nonexistent" }), Deno.errors.NotFound);
  },
});
