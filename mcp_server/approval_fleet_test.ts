import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { type ApprovalSite, isThere, startApprovalSite } from "./testing/approvals.ts";
import { startPostgres } from "./testing/postgres.ts";

/** The calls that wait on all servers, once there are so many and all have answered. */
async function untilOfAll({ send }: ApprovalSite, count: number): Promise<unknown[]> {
  for (;;) {
    const { body } = await send("ops", "/api/approvals?server=*");
    const { approvals, unreachable } = body;
    if (!Array.isArray(approvals)) throw new Error(JSON.stringify(body));
    if (String(unreachable) === "" && approvals.length === count) return approvals;
  }
}

Deno.test("a job of a fleet waits on the server that has taken it, and any server shows it and takes the decision", async () => {
  await using postgres = await startPostgres();
  const join = (name: string) =>
    startApprovalSite({ env: { MCP_JOBS_URL: postgres.url(), MCP_NAME: name } });
  await using first = await join("web-1");
  await using second = await join("web-2");
  for (const [decision, state] of [["decline", "failed"], ["approve", "completed"]] as const) {
    const path = `${second.folder}/f`;
    const { status, body: { id } } = await first.send("bot", "/api", {
      method: "POST",
      headers: { "content-type": "application/json", prefer: "respond-async" },
      body: JSON.stringify({
        tool: "write-file",
        args: { path, content: "x" },
        on: "name:web-2",
      }),
    });
    strictEqual(status, 202);
    const [waiting] = await second.until(1);
    deepStrictEqual([waiting?.job, waiting?.caller, await first.list()], [id, "bot", []]);
    deepStrictEqual(await untilOfAll(first, 1), [{ server: "web-2", ...waiting }]);
    for (const { send } of [first, second]) {
      strictEqual((await send("bot", `/api/jobs/${id}`)).body.waiting, "approval");
    }
    strictEqual((await first.decide(waiting?.id, decision, "bot")).status, 403);
    const decided = await first.decide(waiting?.id, decision);
    deepStrictEqual([decided.status, decided.body.decision, decided.body.job], [200, decision, id]);
    deepStrictEqual(await untilOfAll(first, 0), []);
    strictEqual((await first.decide(waiting?.id, decision)).status, 404);
    let job = (await first.send("bot", `/api/jobs/${id}?wait=30`)).body;
    while (job.endedAt === undefined) job = (await first.send("bot", `/api/jobs/${id}`)).body;
    deepStrictEqual([job.state, job.waiting], [state, undefined]);
    strictEqual(await isThere(path), decision === "approve");
  }
});
