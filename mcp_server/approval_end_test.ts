import { setTimeout as delay } from "node:timers/promises";
import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import type { Caller } from "./access/caller.ts";
import { type App, createApp } from "./app.ts";
import { parseConfig } from "./settings/parse_config.ts";
import { createTempFolder } from "../test_support/temp_folder.ts";
import { type ApprovalSite, BOT, isThere, startApprovalSite } from "./testing/approvals.ts";
import { bearerOf, writeCallers } from "./testing/callers_file.ts";
import { type Answer, callApi } from "./testing/http_caller.ts";
import { PATH } from "./testing/test_runner.ts";
import type { Reply } from "./tool/tool.ts";

/** Begins a call of `bot` that needs approval; a file shows whether it has run. */
function begin(
  site: ApprovalSite,
  init: RequestInit = {},
): { path: string; answer: Promise<Answer> } {
  const path = `${site.folder}/written`;
  const headers = bearerOf("bot");
  const args = { path, content: "x" };
  return { path, answer: callApi(site.server.url, "write-file", args, { ...init, headers }) };
}

/** Begins a job of `bot` that needs approval. */
function beginJob(site: ApprovalSite): Promise<Answer> {
  const args = { path: `${site.folder}/written`, content: "x" };
  return site.send("bot", "/api", {
    method: "POST",
    headers: { "content-type": "application/json", prefer: "respond-async" },
    body: JSON.stringify({ tool: "write-file", args }),
  });
}

async function jobOf(site: ApprovalSite, id: unknown): Promise<Record<string, unknown>> {
  return (await site.send("bot", `/api/jobs/${id}?wait=30`)).body;
}

Deno.test("a call that nobody decides about is refused in time, and so is a job", async () => {
  await using site = await startApprovalSite({ env: { MCP_APPROVAL_MS: "500" } });
  const { path, answer } = begin(site);
  const { status, body: { code, detail } } = await answer;
  deepStrictEqual([status, code], [403, "NEEDS_APPROVAL"]);
  match(String(detail), /nobody decided within 0\.5 s \(MCP_APPROVAL_MS\); nothing of it was/);
  const { state, error, startedAt } = await jobOf(site, (await beginJob(site)).body.id);
  deepStrictEqual([state, Object(error).code, startedAt], ["failed", "NEEDS_APPROVAL", undefined]);
  deepStrictEqual([await site.list(), await isThere(path)], [[], false]);
  const outcomes = async () =>
    (await site.audit()).filter(({ audit }) => audit === "end").map(({ outcome }) => outcome);
  // The audit is written in the background.
  for (let tries = 0; (await outcomes()).length < 2 && tries < 100; tries++) await delay(50);
  deepStrictEqual(await outcomes(), ["NEEDS_APPROVAL", "NEEDS_APPROVAL"]);
});

Deno.test("a client that disconnects takes its call back, and a cancelled job is not run", async () => {
  await using site = await startApprovalSite();
  const gone = new AbortController();
  const { path, answer } = begin(site, { signal: gone.signal });
  const [waiting] = await site.until(1);
  gone.abort();
  await answer.catch(() => {});
  await site.until(0);
  strictEqual((await site.decide(waiting?.id, "approve")).body.code, "APPROVAL_NOT_FOUND");

  const { body: { id } } = await beginJob(site);
  const [next] = await site.until(1);
  await site.send("bot", `/api/jobs/${id}/cancel`, { method: "POST" });
  strictEqual((await jobOf(site, id)).state, "cancelled");
  strictEqual((await site.decide(next?.id, "approve")).body.code, "APPROVAL_NOT_FOUND");
  strictEqual(await isThere(path), false);
});

Deno.test("what waits is refused at once when its caller is changed or removed, and stays else", async () => {
  for (const bot of [{ ...BOT, maxCalls: 9 }, undefined]) {
    await using site = await startApprovalSite();
    const { path, answer } = begin(site);
    const { body: { id } } = await beginJob(site);
    await site.until(2);
    await site.write({ bot: BOT, newcomer: BOT });
    while ((await site.send("newcomer", "/api/me")).status !== 200) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    strictEqual((await site.list()).length, 2);
    await site.write(bot === undefined ? {} : { bot });
    const { body: { code, detail } } = await answer;
    strictEqual(code, "NEEDS_APPROVAL");
    match(String(detail), /the rights of its caller changed while it waited/);
    deepStrictEqual(await site.list(), []);
    const job = (await site.send("root", `/api/jobs/${id}`)).body;
    strictEqual(Object(job.error).code, "NEEDS_APPROVAL");
    strictEqual(await isThere(path), false);
  }
});

Deno.test("an approved job whose caller changes before its turn has to be approved again", async () => {
  const asker = { ...BOT, ask: ["exec-command"] };
  await using site = await startApprovalSite({
    callers: { bot: asker },
    env: { MCP_MAX_RUNS: "1" },
  });
  const start = async (command: string) => {
    const { body } = await site.send("bot", "/api", {
      method: "POST",
      headers: { "content-type": "application/json", prefer: "respond-async" },
      body: JSON.stringify({ tool: "exec-command", args: { command }, stdin: true }),
    });
    const [waiting] = await site.until(1);
    strictEqual((await site.decide(waiting?.id, "approve")).status, 200);
    return String(body.id);
  };
  const first = await start("cat");
  const second = await start(`touch ${site.folder}/ran`);
  await site.write({ bot: { ...asker, maxCalls: 9 }, newcomer: BOT });
  while ((await site.send("newcomer", "/api/me")).status !== 200) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await site.send("bot", `/api/jobs/${first}/cancel`, { method: "POST" });
  const [again] = await site.until(1);
  strictEqual(again?.job, second);
  strictEqual(await isThere(`${site.folder}/ran`), false);
  await site.decide(again?.id, "decline");
  let job = await jobOf(site, second);
  while (job.endedAt === undefined) job = await jobOf(site, second);
  strictEqual(Object(job.error).code, "NEEDS_APPROVAL");
  strictEqual(await isThere(`${site.folder}/ran`), false);
});

for (const signal of ["SIGTERM", "SIGKILL"] as const) {
  Deno.test(`a server that gets ${signal} runs nothing of what waits, nor does the next one`, async () => {
    await using folder = await createTempFolder();
    const env = { MCP_DATA_DIR: `${folder.path}/jobs` };
    let id: unknown;
    {
      await using site = await startApprovalSite({ env });
      const { path, answer } = begin(site);
      const ended = answer.then(({ body }) => body.code, () => "disconnected");
      await site.until(1);
      id = (await beginJob(site)).body.id;
      await site.until(2);
      await site.server.stop(signal);
      strictEqual(await ended, signal === "SIGTERM" ? "SHUTTING_DOWN" : "disconnected");
      strictEqual(await isThere(path), false);
    }
    await using next = await startApprovalSite({ env });
    const { body: { state, startedAt } } = await next.send("bot", `/api/jobs/${id}`);
    deepStrictEqual([state, startedAt], [signal === "SIGTERM" ? "failed" : "lost", undefined]);
    deepStrictEqual(await next.list(), []);
  });
}

Deno.test("so many calls of a caller wait and no more, and others still can", async () => {
  await using site = await startApprovalSite({ callers: { bot: BOT, other: BOT } });
  const calls = Array.from({ length: 16 }, () => begin(site).answer);
  await site.until(16);
  const { status, body: { code, detail } } = await begin(site).answer;
  deepStrictEqual([status, code], [429, "BUSY"]);
  match(String(detail), /16 calls wait for approval, 16 of them of the caller "bot"/);
  strictEqual((await beginJob(site)).status, 429);
  const args = { path: `${site.folder}/other`, content: "x" };
  const other = callApi(site.server.url, "write-file", args, { headers: bearerOf("other") });
  const waiting = await site.until(17);
  await Promise.all(waiting.map(({ id }) => site.decide(id, "decline")));
  const answers = await Promise.all([...calls, other]);
  deepStrictEqual(new Set(answers.map(({ body }) => body.code)), new Set(["NEEDS_APPROVAL"]));
});

/** An app in this process, with the caller `bot`. */
async function openApp(folder: string): Promise<{ app: App; bot: Caller }> {
  const callersFile = await writeCallers(folder, { bot: BOT });
  const env = { PATH, MCP_CALLERS_FILE: callersFile, MCP_AUDIT_FILE: `${folder}/audit` };
  const app = await createApp(parseConfig([], { ...env, MCP_LOG_LEVEL: "error" }, 2));
  const bot = app.callers?.findByName("bot")?.caller;
  if (bot === undefined) throw new Error("Cannot find the caller");
  return { app, bot };
}

/** The id of the call that waits, once one does. */
async function waitingOf(app: App): Promise<string> {
  for (;;) {
    const [waiting] = app.approvals.list();
    if (waiting !== undefined) return waiting.id;
    await new Promise((resolve) => setTimeout(resolve));
  }
}

Deno.test("a client and an admin who decide at once: one of them does, and the audit names it", async () => {
  await using folder = await createTempFolder();
  const { app, bot } = await openApp(folder.path);
  const client = new AbortController();
  for (let round = 0; round < 20; round++) {
    const path = `${folder.path}/f${round}`;
    const reply = Promise.withResolvers<Reply<unknown>>();
    const call = app.service.call("write-file", { path, content: "x" }, {
      transport: "embedded",
      client,
      caller: bot,
      ask: () => reply.promise,
      canAsk: true,
    });
    const id = await waitingOf(app);
    const asClient = () => reply.resolve({ action: "accept", content: { decision: "approve" } });
    if (round % 2) asClient();
    for (let tick = 0; tick < round % 4; tick++) await Promise.resolve();
    const deciding = app.approvals.decide(id, "decline", { caller: { name: "default" } });
    asClient();
    const { ok: isDeclined } = await deciding;
    strictEqual((await call).ok, !isDeclined);
    strictEqual(await isThere(path), !isDeclined);
  }
  await app.close();
  const lines = (await Deno.readTextFile(`${folder.path}/audit`)).split("\n").slice(0, -1)
    .map((line) => JSON.parse(line));
  const decisions = lines.filter(({ audit }) => audit === "approve" || audit === "decline");
  strictEqual(new Set(decisions.map(({ call }) => call)).size, decisions.length);
  const outcomes = lines.filter(({ audit }) => audit === "end").map(({ outcome }) => outcome);
  deepStrictEqual(
    decisions.map(({ audit }) => audit === "approve" ? "ok" : "NEEDS_APPROVAL"),
    outcomes,
  );
  deepStrictEqual(new Set(decisions.map(({ caller }) => caller)), new Set(["bot", "default"]));
});

Deno.test("arguments that an embedding program changes while their call waits are refused", async () => {
  await using folder = await createTempFolder();
  const { app, bot } = await openApp(folder.path);
  const args = { path: `${folder.path}/f`, content: "x" };
  const client = new AbortController();
  const call = app.service.call("write-file", args, { transport: "embedded", client, caller: bot });
  const id = await waitingOf(app);
  args.path = `${folder.path}/other`;
  const verdict = await app.approvals.decide(id, "approve", { caller: { name: "default" } });
  strictEqual(verdict.ok, true);
  const outcome = await call;
  match(outcome.ok ? "" : outcome.refusal.message, /its arguments changed while it waited/);
  deepStrictEqual([await isThere(args.path), await isThere(`${folder.path}/f`)], [false, false]);
  await app.close();
});
