import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { DEFAULT_CALLER } from "../access/caller.ts";
import type { RunOptions } from "../tool/command.ts";
import { defaultLimits } from "../shared/limits.ts";
import { NO_JOBS } from "../testing/no_jobs.ts";
import { CallExtra } from "./call_extra.ts";

const NOBODY = { signal: new AbortController().signal };

Deno.test("CallExtra runs commands as the call's user, but helpers as the server's", async () => {
  const users: (string | undefined)[] = [];
  const run = (_: unknown, { user }: RunOptions) => {
    users.push(user?.name);
    return Promise.resolve({ stdout: "", stderr: "", exitCode: 0, timedOut: false });
  };
  using extra = new CallExtra(
    { ...NOBODY, id: "7" },
    { transport: "http", client: NOBODY, caller: DEFAULT_CALLER },
    {
      createRunner: (callId) => {
        strictEqual(callId, "7");
        return { run, [Symbol.dispose]: () => {} };
      },
      limits: defaultLimits(1),
      jobsOf: () => NO_JOBS,
    },
  );
  const [uid, gid, home, shell] = [1_000, 1_000, "/home/ann", "/bin/sh"];
  const ids = { uid, gid, groups: [gid] };
  extra.runAs({ name: "ann", ...ids, home, shell, setpriv: "setpriv", processEnv: {} });
  await extra.commands.run({ program: "true" }, NOBODY);
  await extra.commands.run({ program: "true" }, { ...NOBODY, helper: true });
  deepStrictEqual(users, ["ann", undefined]);
});
