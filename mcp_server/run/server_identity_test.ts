import { notStrictEqual, strictEqual } from "node:assert/strict";
import { openCgroupFiles } from "./open_cgroup_files.ts";
import { mayLive, nameServer, parseStartTime } from "./server_identity.ts";

const AFTER = "1 1 1 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0";

Deno.test("parseStartTime() reads when a process started, whatever its name, until it has ended", () => {
  strictEqual(parseStartTime(`7 (a) S ${AFTER} 4711 9 9`), "4711");
  strictEqual(parseStartTime(`7 () Z 1 (b) R ${AFTER} 4711 9 9`), "4711");
  strictEqual(parseStartTime(`7 (a) Z ${AFTER} 4711 9 9`), undefined);
  strictEqual(parseStartTime(""), undefined);
});

Deno.test("a server lives as long as its process, and may live in another namespace", async () => {
  await using files = openCgroupFiles("/usr/bin:/bin");
  const child = new Deno.Command("sleep", { args: ["300"] }).spawn();
  const [name, again] = [await nameServer(files, child.pid), await nameServer(files, child.pid)];
  notStrictEqual(name, again, "a process may embed several servers");
  strictEqual(await mayLive(files, name), true);
  child.kill("SIGKILL");
  await child.status;
  strictEqual(await mayLive(files, name), false);
  const [pid, started, , part] = name.split("-");
  strictEqual(await mayLive(files, [Deno.pid, started, "", part].join("-")), true);
  const [, , namespace] = name.split("-");
  const reused = [Deno.pid, Number(started) + 1, namespace, part].join("-");
  strictEqual(await mayLive(files, reused), false, `${pid} is used by a later process`);
});
