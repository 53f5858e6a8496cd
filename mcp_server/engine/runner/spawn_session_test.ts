import { deepStrictEqual, match, rejects, strictEqual } from "node:assert/strict";
import { PATH } from "../../testing/test_runner.ts";
import { spawnSession } from "./spawn_session.ts";

const isLinux = Deno.build.os === "linux";

for (const [name, options] of [["by setsid", {}], ["by Deno", { path: "/nonexistent" }]] as const) {
  Deno.test({
    name: `spawnSession() resolves once the program leads its session, started ${name}`,
    ignore: !isLinux,
    fn: async () => {
      const script = 'read -r word; echo "$word $0 $1"; env';
      const args = ["-c", script, "-x", "a b"];
      const child = await spawnSession(
        { program: "/bin/sh", args, env: { PATH, A: "1" } },
        options,
      );
      const stat = await Deno.readTextFile(`/proc/${child.pid}/stat`);
      const [, , , group, session] = stat.slice(stat.lastIndexOf(")") + 1).split(" ").map(Number);
      deepStrictEqual([group, session], [child.pid, child.pid]);
      const writer = child.stdin.getWriter();
      await writer.write(new TextEncoder().encode("word\n"));
      await writer.close();
      const { code, stdout } = await child.output();
      strictEqual(code, 0);
      match(new TextDecoder().decode(stdout), /^word -x a b\n(?=[^]*^A=1$)/m);
    },
  });
}

Deno.test({
  name: "spawnSession() resolves with a program that ends at once",
  ignore: !isLinux,
  fn: async () => {
    const missing = { program: "/nonexistent/program", args: [], env: { PATH } };
    const child = await spawnSession(missing);
    await child.stdin.close();
    strictEqual((await child.output()).code, 127);
    await rejects(spawnSession(missing, { path: "/nonexistent" }), Deno.errors.NotFound);
  },
});
