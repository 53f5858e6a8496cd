import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { CANCELLED, SHUTTING_DOWN } from "./refusals.ts";
import { DEFAULT_CALLER } from "../access/caller.ts";
import type { RunOptions } from "../tool/command.ts";
import { defaultLimits } from "../shared/limits.ts";
import { NO_JOBS } from "../testing/no_jobs.ts";
import { CallExtra, RunningCall } from "./running_call.ts";

const NOBODY = { signal: new AbortController().signal };

Deno.test("RunningCall says why it was stopped; the first reason counts", () => {
  using call = new RunningCall(NOBODY, "1");
  strictEqual(call.refusal, undefined);
  strictEqual(call.stop(SHUTTING_DOWN), true);
  strictEqual(call.stop(CANCELLED), false);
  deepStrictEqual(call.refusal, SHUTTING_DOWN);
});

Deno.test("RunningCall stops with its client, even one that has already disconnected", () => {
  const client = new AbortController();
  using call = new RunningCall(client, "1");
  strictEqual(call.signal.aborted, false);
  client.abort("gone");
  strictEqual(call.signal.reason, "gone");
  using late = new RunningCall(client, "1");
  strictEqual(late.signal.reason, "gone");
  strictEqual(late.stop(SHUTTING_DOWN), false);
  strictEqual(late.refusal?.kind, "CANCELLED");
});

Deno.test("RunningCall reads its client's signal only when its own is read", () => {
  let asked = false;
  const client = {
    get signal() {
      asked = true;
      return NOBODY.signal;
    },
  };
  using call = new RunningCall(client, "1");
  strictEqual(call.refusal, undefined);
  strictEqual(asked, false);
  strictEqual(call.signal.aborted, false);
  strictEqual(asked, true);
});

Deno.test("RunningCall forgets its client when it has ended", async () => {
  const client = new AbortController();
  const call = new RunningCall(client, "1");
  const { signal } = call;
  const { ended } = call;
  call[Symbol.dispose]();
  await ended;
  client.abort();
  strictEqual(signal.aborted, false);
});

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
