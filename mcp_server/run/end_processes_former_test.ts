import { notStrictEqual, strictEqual } from "node:assert/strict";
import { openCgroupFiles } from "./command_groups.ts";
import { mayLive, nameServer } from "./end_processes.ts";

Deno.test("a server lives as long as its process, and may live in another namespace", async () => {
  await using files = openCgroupFiles("/usr/bin:/bin");
  const child = new Deno.Command("sleep", { args: ["300"] }).spawn();
  const name = await nameServer(files, child.pid) ?? "";
  const again = await nameServer(files, child.pid);
  notStrictEqual(name, again, "a process may embed several servers");
  strictEqual(await mayLive(files, name), true);
  child.kill("SIGKILL");
  await child.status;
  strictEqual(await mayLive(files, name), false);
  strictEqual(await nameServer(files, child.pid), undefined);
  const [pid, started, , part] = name.split("-");
  strictEqual(await mayLive(files, [Deno.pid, started, "", part].join("-")), true);
  const [, , namespace] = name.split("-");
  const reused = [Deno.pid, Number(started) + 1, namespace, part].join("-");
  strictEqual(await mayLive(files, reused), false, `${pid} is used by a later process`);
});
