import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { whyUncontained } from "./testing/contained.ts";
import { callApi } from "./testing/http_caller.ts";
import { processesWith, uniqueSleep } from "./testing/processes.ts";
import { startServer } from "./testing/server_process.ts";
import { createTestUser, needsUsers } from "./testing/test_user.ts";

Deno.test(...needsUsers("a stopped command of another user leaves no process"), async (t) => {
  await using user = await createTestUser();
  await using server = await startServer({ env: { MCP_RUN_AS: user.name } });
  const stop = async (script: string) => {
    const { body } = await callApi(server.url, "bash-script", { script, timeoutMs: 500 });
    return body.timedOut;
  };

  await t.step("that kept the variable of the run", async () => {
    const sleep = uniqueSleep();
    const script = `setsid sleep ${sleep} & setsid -f sleep ${sleep}; sleep ${sleep}`;
    deepStrictEqual([await stop(script), await processesWith(sleep)], [true, []]);
  });

  await t.step({
    name: "that left everything by which it could be found but its control group",
    ignore: await whyUncontained() !== undefined,
    fn: async () => {
      const sleep = uniqueSleep();
      const script = `env -i setsid sh -c '
        sleep ${sleep} & env -i setsid -f sleep ${sleep}; exec -a other sleep ${sleep}' &
        env -i setsid -f bash -c 'trap "" TERM; sleep ${sleep}; sleep ${sleep}'
        sleep ${sleep}`;
      deepStrictEqual([await stop(script), await processesWith(sleep)], [true, []]);
    },
  });

  await t.step("and it may join no other control group", async () => {
    const script = "find /sys/fs/cgroup -name cgroup.procs -writable; " +
      "for file in /sys/fs/cgroup/cgroup.procs /sys/fs/cgroup/unified/cgroup.procs; do " +
      "echo 0 >$file; done";
    const { body } = await callApi(server.url, "bash-script", { script });
    strictEqual(body.stdout, "");
    match(String(body.stderr), /^(.*(Permission denied|No such file or directory)\n){2}$/);
  });
});
