import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { BOT, isThere, startApprovalSite } from "./testing/approvals.ts";
import { CALL_WAYS } from "./testing/call_ways.ts";
import { bearerOf, EVERYTHING } from "./testing/callers_file.ts";
import { callApi } from "./testing/http_caller.ts";

const JSON_BODY = { "content-type": "application/json" };

Deno.test("a call that needs approval waits on every way of calling, and runs once it is approved", async () => {
  await using site = await startApprovalSite({ env: { MCP_TASK_AFTER_MS: "600000" } });
  const { server: { url }, folder } = site;
  for (const [way, send] of Object.entries(CALL_WAYS)) {
    // No file tool offers tasks to clients of 2025-11-25; scripts are tried below.
    if (way.startsWith("a task")) continue;
    for (const decision of ["decline", "approve"]) {
      const path = `${folder}/${way.replaceAll(/\W/g, "-")}-${decision}`;
      const answer = send(
        url,
        { tool: "write-file", args: { path, content: "x" } },
        bearerOf("bot"),
      );
      const [waiting] = await site.until(1);
      deepStrictEqual(
        [waiting?.tool, waiting?.caller, waiting?.inClient, await isThere(path)],
        ["write-file", "bot", false, false],
        way,
      );
      deepStrictEqual(JSON.parse(waiting?.arguments.text ?? ""), { path, content: "x" });
      strictEqual((await site.decide(waiting?.id, decision)).status, 200);
      const { text } = await answer;
      const isJob = way.startsWith("job-start");
      const end = isJob
        ? JSON.stringify((await site.send("bot", `/api/jobs/${waiting?.job}`)).body)
        : text;
      const expected = decision === "approve"
        ? /bytesWritten/
        : /the admin \\*"ops\\*" declined it/;
      match(end, expected, way);
      strictEqual(await isThere(path), decision === "approve", way);
      deepStrictEqual(await site.list(), []);
    }
  }
});

Deno.test("a task of 2025-11-25 waits too, and fails if it is declined", async () => {
  await using site = await startApprovalSite({ callers: { bot: { ...BOT, ask: ["*-script"] } } });
  const { server: { url }, folder } = site;
  const call = { tool: "bash-script", args: { script: `touch ${folder}/ran` } };
  const answer = CALL_WAYS["a task of MCP 2025-11-25"]?.(url, call, bearerOf("bot"));
  const [waiting] = await site.until(1);
  strictEqual((await site.decide(waiting?.id, "decline")).status, 200);
  match((await answer)?.text ?? "", /it needs approval, and the admin \\"ops\\" declined it/);
  strictEqual(await isThere(`${folder}/ran`), false);
});

Deno.test("MCP_ASK asks for the calls of every caller, and a pattern for those that it matches", async () => {
  await using site = await startApprovalSite({
    callers: { bot: EVERYTHING },
    env: { MCP_ASK: "read-*, write-file" },
  });
  const { server: { url }, folder } = site;
  strictEqual(
    (await callApi(url, "list-files", { path: folder }, { headers: bearerOf("bot") })).status,
    200,
  );
  for (const caller of ["bot", "root"]) {
    const args = { path: `${folder}/callers.json` };
    const answer = callApi(url, "read-file", args, { headers: bearerOf(caller) });
    const [waiting] = await site.until(1);
    strictEqual(waiting?.caller, caller);
    await site.decide(waiting?.id, "approve");
    strictEqual((await answer).status, 200);
  }
});

Deno.test("a job that needs approval is queued and says so; a running call says so, too", async () => {
  await using site = await startApprovalSite();
  const { server: { url }, folder } = site;
  const args = { path: `${folder}/f`, content: "x" };
  const { status, body: { id, waiting: first } } = await site.send("bot", "/api", {
    method: "POST",
    headers: { ...JSON_BODY, prefer: "respond-async" },
    body: JSON.stringify({ tool: "write-file", args }),
  });
  deepStrictEqual([status, first], [202, "approval"]);
  const [waiting] = await site.until(1);
  strictEqual(waiting?.job, id);
  const wait = await callApi(url, "job-wait", { id, seconds: 0 }, { headers: bearerOf("bot") });
  deepStrictEqual(wait.body.job, { id, state: "queued", waiting: "approval" });
  const job = async () => (await site.send("bot", `/api/jobs/${id}`)).body;
  deepStrictEqual([(await job()).state, (await job()).waiting], ["queued", "approval"]);
  const { body: { jobs } } = await site.send("bot", "/api/jobs");
  strictEqual(Object(jobs)[0].waiting, "approval");
  await site.decide(waiting?.id, "approve");
  const { body: { state, waiting: left } } = await site.send("bot", `/api/jobs/${id}?wait=30`);
  deepStrictEqual([state, left, waiting?.stdin], ["completed", undefined, undefined]);

  const withInput = { tool: "write-file", args, stdin: true };
  const fed = await site.send("bot", "/api", {
    method: "POST",
    headers: { ...JSON_BODY, prefer: "respond-async" },
    body: JSON.stringify(withInput),
  });
  const [open] = await site.until(1);
  deepStrictEqual([open?.job, open?.stdin], [fed.body.id, true]);
  const early = await site.send("bot", `/api/jobs/${fed.body.id}/stdin`, {
    method: "POST",
    body: "x",
  });
  strictEqual(early.body.code, "JOB_NOT_RUNNING");
  await site.decide(open?.id, "decline");
  await site.until(0);

  const call = callApi(url, "write-file", args, { headers: bearerOf("bot") });
  const [next] = await site.until(1);
  const { body: { calls } } = await site.send("bot", "/api/calls");
  deepStrictEqual([Object(calls)[0].id, Object(calls)[0].waiting], [next?.call, "approval"]);
  await site.send("bot", `/api/calls/${next?.call}`, { method: "DELETE" });
  strictEqual((await call).body.code, "CANCELLED");
  deepStrictEqual(await site.list(), []);
});

Deno.test("nobody but another caller who is an admin sees and decides what waits", async () => {
  await using site = await startApprovalSite({
    callers: { bot: { ...BOT, admin: true }, plain: EVERYTHING },
  });
  const { server: { url }, folder } = site;
  const path = `${folder}/f`;
  const call = callApi(url, "write-file", { path, content: "x" }, { headers: bearerOf("bot") });
  const [waiting] = await site.until(1);
  const codeOf = async (caller: string) => {
    const { status, body } = await site.decide(waiting?.id, "approve", caller);
    return [status, body.code, body.detail];
  };
  deepStrictEqual(await codeOf("bot"), [
    403,
    "NOT_ALLOWED",
    `Cannot approve "${waiting?.id}": the call is of "bot" itself; another admin decides`,
  ]);
  deepStrictEqual((await codeOf("plain")).slice(0, 2), [403, "NOT_ALLOWED"]);
  strictEqual((await site.send("plain", "/api/approvals")).status, 403);
  strictEqual((await fetch(`${url}/api/approvals`)).status, 401);
  for (const decision of ["", "APPROVE", "maybe"]) {
    strictEqual((await site.decide(waiting?.id, decision)).body.code, "BAD_REQUEST");
  }
  strictEqual((await site.decide("unknown", "approve")).body.code, "APPROVAL_NOT_FOUND");
  strictEqual(await isThere(path), false);
  deepStrictEqual((await site.list()).map(({ id }) => id), [waiting?.id]);
  await site.decide(waiting?.id, "decline");
  const { status, body: { code } } = await call;
  deepStrictEqual([status, code], [403, "NEEDS_APPROVAL"]);
});

Deno.test("of many decisions about one call exactly one counts, and the audit says whose", async () => {
  await using site = await startApprovalSite();
  const { server: { url }, folder } = site;
  for (let round = 0; round < 5; round++) {
    const path = `${folder}/f${round}`;
    const call = callApi(url, "write-file", { path, content: "x" }, { headers: bearerOf("bot") });
    const [waiting] = await site.until(1);
    const answers = await Promise.all(
      Array.from(
        { length: 8 },
        (_, at) =>
          site.decide(waiting?.id, at % 2 ? "approve" : "decline", at % 3 ? "ops" : "root"),
      ),
    );
    const [won, ...others] = answers.filter(({ status }) => status === 200);
    deepStrictEqual(others, []);
    strictEqual(answers.filter(({ body }) => body.code === "APPROVAL_NOT_FOUND").length, 7);
    const isApproved = won?.body.decision === "approve";
    strictEqual((await call).status, isApproved ? 200 : 403);
    strictEqual(await isThere(path), isApproved);
    const lines = (await site.audit()).filter((line) => line.call === waiting?.call);
    deepStrictEqual(
      lines.map(({ audit, tool, owner, transport }) => [audit, tool, owner, transport]),
      [[won?.body.decision, "write-file", "bot", "http"]],
    );
    match(String(lines[0]?.caller), /^(ops|root)$/);
  }
});

Deno.test("arguments are shown bounded, as visible text, and without secrets", async () => {
  await using site = await startApprovalSite({
    env: { MCP_DATABASE_MAIN: "postgres://a:hunter22@127.0.0.1:1/x" },
  });
  const { server: { url }, folder } = site;
  const content = `<img src=x onerror=alert(1)>\u202e\u0007 hunter22 ${"y".repeat(100_000)}`;
  const args = { path: `${folder}/f`, content };
  const call = callApi(url, "write-file", args, { headers: bearerOf("bot") });
  const [waiting] = await site.until(1);
  const { text = "", truncated, length = 0 } = waiting?.arguments ?? {};
  strictEqual(truncated, true);
  strictEqual(length > 100_000, true);
  strictEqual(text.length <= 16_384, true);
  match(
    text,
    /<img src=x onerror=alert\(1\)>\\u202e\\u0007 \[redacted\] y+\[\.\.\. 98\d+ characters/,
  );
  await site.decide(waiting?.id, "decline");
  await call;
});
