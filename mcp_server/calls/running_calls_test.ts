import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { type Caller, DEFAULT_CALLER } from "../access/caller.ts";
import { CallerSecrets } from "../access/caller_secrets.ts";
import type { CallOptions } from "../tool/service.ts";
import { AuditLog } from "./audit.ts";
import { CANCELLED, SHUTTING_DOWN } from "./refusals.ts";
import { CallExtra, RunningCall, RunningCalls } from "./running_calls.ts";
import type { RunOptions } from "../tool/command.ts";
import { defaultLimits } from "../shared/limits.ts";
import { NO_JOBS } from "../testing/no_jobs.ts";

const CI: Caller = {
  name: "ci",
  rights: { tools: ["*"], hosts: [], databases: {}, paths: [], admin: false },
};
const OTHER: Caller = { ...CI, name: "other" };

const NOBODY = { signal: new AbortController().signal };

function begunBy(client: CallOptions["client"]) {
  const started = new AuditLog(() => {}).start({ transport: "http", tool: "t", caller: "ci" });
  return { tool: "t", started, options: { client, caller: CI, transport: "http" } } as const;
}

Deno.test("RunningCall says why it was stopped; the first reason counts", () => {
  using call = new RunningCall(begunBy(NOBODY));
  strictEqual(call.refusal, undefined);
  strictEqual(call.stop(SHUTTING_DOWN), true);
  strictEqual(call.stop(CANCELLED), false);
  deepStrictEqual(call.refusal, SHUTTING_DOWN);
});

Deno.test("RunningCall stops with its client, even one that has already disconnected", () => {
  const client = new AbortController();
  using call = new RunningCall(begunBy(client));
  strictEqual(call.signal.aborted, false);
  client.abort("gone");
  strictEqual(call.signal.reason, "gone");
  using late = new RunningCall(begunBy(client));
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
  using call = new RunningCall(begunBy(client));
  strictEqual(call.refusal, undefined);
  strictEqual(asked, false);
  strictEqual(call.signal.aborted, false);
  strictEqual(asked, true);
});

Deno.test("RunningCall forgets its client when it has ended", async () => {
  const client = new AbortController();
  const call = new RunningCall(begunBy(client));
  const { signal } = call;
  const { ended } = call;
  call[Symbol.dispose]();
  await ended;
  client.abort();
  strictEqual(signal.aborted, false);
});

/** Running calls that are waited for as long as an answer may take, and a way to begin one. */
function setUp(stopMs?: number) {
  const lines: Record<string, unknown>[] = [];
  const audit = new AuditLog((line) => lines.push(JSON.parse(line)));
  const running = new RunningCalls(audit, stopMs === undefined ? {} : { stopMs });
  const begin = (caller: Caller, jobId?: () => string | undefined) => {
    const client = new AbortController();
    const options = { client, caller, transport: "http", address: "192.0.2.1" } as const;
    const started = audit.start({ transport: "http", tool: "t", caller: caller.name });
    const call = running.begin({ tool: "t", started, options, jobId });
    const end = () => call[Symbol.dispose]();
    return { id: started.id, call, client, end };
  };
  const stops = () => lines.filter(({ audit }) => audit === "stop");
  return { running, begin, stops };
}

Deno.test("RunningCalls shows a call to its caller and to an admin, until it ends", () => {
  const { running, begin } = setUp();
  const { id, end } = begin(CI);
  const { calls: [call] } = running.list(CI);
  const { startedAt, elapsedMs, ...rest } = call ?? { startedAt: "", elapsedMs: -1 };
  strictEqual(new Date(startedAt).toISOString(), startedAt);
  strictEqual(elapsedMs >= 0, true);
  const shown = { tool: "t", caller: "ci", transport: "http", address: "192.0.2.1" };
  deepStrictEqual(rest, { id, ...shown, stopping: false });
  for (const caller of [CI, DEFAULT_CALLER]) strictEqual(running.find(id, caller)?.id, id);
  strictEqual(running.find(id, OTHER), undefined);
  deepStrictEqual(running.list(OTHER), { calls: [], more: 0 });
  end();
  deepStrictEqual(running.list(CI), { calls: [], more: 0 });
  strictEqual(running.find(id, CI), undefined);
});

Deno.test("RunningCalls names the job of a call once it is one", () => {
  const { running, begin } = setUp();
  const jobs: string[] = [];
  const { id } = begin(CI, () => jobs[0]);
  strictEqual(Object.hasOwn(running.find(id, CI) ?? {}, "job"), false);
  jobs.push("j");
  strictEqual(running.find(id, CI)?.job, "j");
});

Deno.test("RunningCalls lists at most 1,000 calls, the first ones, and counts the others", () => {
  const { running, begin } = setUp();
  const ids = Array.from({ length: 1_002 }, () => begin(CI).id);
  const { calls, more } = running.list(CI);
  deepStrictEqual(calls.map(({ id }) => id), ids.slice(0, 1_000));
  strictEqual(more, 2);
});

Deno.test("RunningCalls stops a call, and resolves when that has ended", async () => {
  const { running, begin, stops } = setUp();
  const { id, call, end } = begin(CI);
  const by = { caller: DEFAULT_CALLER, address: "192.0.2.2" };
  const stopped = running.stop(id, by);
  const again = running.stop(id, by);
  deepStrictEqual(call.refusal, {
    kind: "CANCELLED",
    code: "CANCELLED",
    message: "The call was stopped by an operator of the server",
  });
  strictEqual(call.signal.aborted, true);
  strictEqual(running.find(id, CI)?.stopping, true);
  end();
  strictEqual((await stopped)?.stopping, false);
  strictEqual((await again)?.stopping, false);
  const about = { call: id, transport: "http", tool: "t", caller: "default" };
  deepStrictEqual(stops().map(({ time: _time, ...line }) => line), [
    { audit: "stop", ...about, address: "192.0.2.2" },
  ]);
  strictEqual(await running.stop(id, by), undefined);
});

Deno.test("RunningCalls says that a call has not ended in time, and stops no call of another caller", async () => {
  const { running, begin, stops } = setUp(0);
  const { id, call } = begin(CI);
  strictEqual(await running.stop(id, { caller: OTHER }), undefined);
  strictEqual(running.find(id, CI)?.stopping, false);
  strictEqual((await running.stop(id, { caller: CI }))?.stopping, true);
  strictEqual(call.refusal?.message, 'The call was stopped by the caller "ci"');
  strictEqual(stops().length, 1);
});

Deno.test("RunningCalls leaves the reason of a client that was faster", async () => {
  const { running, begin, stops } = setUp(0);
  const { id, call, client } = begin(CI);
  client.abort();
  strictEqual((await running.stop(id, { caller: CI }))?.stopping, true);
  strictEqual(call.refusal?.message, "The call was cancelled");
  deepStrictEqual(stops(), []);
});

Deno.test("CallExtra runs commands as the call's user and masked, but helpers as the server's", async () => {
  const runs: [user: string | undefined, isMasked: boolean][] = [];
  const run = (_: unknown, { user, mask }: RunOptions) => {
    runs.push([user?.name, mask === secrets.mask]);
    return Promise.resolve({ stdout: "", stderr: "", exitCode: 0, timedOut: false });
  };
  const secrets = new CallerSecrets(new Map([["TOKEN", "0123456789"]]));
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
      secrets,
    },
  );
  const [uid, gid, home, shell] = [1_000, 1_000, "/home/ann", "/bin/sh"];
  const ids = { uid, gid, groups: [gid] };
  extra.runAs({ name: "ann", ...ids, home, shell, setpriv: "setpriv", processEnv: {} });
  await extra.commands.run({ program: "true" }, NOBODY);
  await extra.commands.run({ program: "true" }, { ...NOBODY, helper: true });
  deepStrictEqual(runs, [["ann", true], [undefined, false]]);
});
