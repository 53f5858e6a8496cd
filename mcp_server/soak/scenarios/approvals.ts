import { expect } from "../checks.ts";
import { LONGEST_MS } from "../clients/api_client.ts";
import type { CallSite } from "../tally.ts";
import { waitFor } from "../waiting.ts";
import { startJob } from "./api_job.ts";
import type { Scenario, ScenarioParts, ScenarioRun } from "./scenario.ts";

const SITE: CallSite = { transport: "calls that need approval", server: "http" };
const ADMIN = "default";
const JSON_BODY = { "content-type": "application/json" };

/** Calls and jobs that wait until an admin has decided about them, or are cancelled before. */
export function approvalScenarios(parts: ScenarioParts): Scenario[] {
  return [
    { name: "approval, decided", weight: 3, run: (one) => decided(parts, one) },
    { name: "approval, cancelled", run: (one) => cancelled(parts, one) },
  ];
}

/** The file is there if, and only if, the call was approved; a second decision finds nothing. */
async function decided(parts: ScenarioParts, { id, random }: ScenarioRun): Promise<void> {
  const { tally, api } = parts;
  const { path, job, waiting } = await startEdit(parts, id);
  const isApproved = random.below(2) === 0;
  const decision = isApproved ? "approve" : "decline";
  const request = { method: "POST", headers: JSON_BODY, body: JSON.stringify({ decision }) };
  const foreign = await api.ask(`/api/approvals/${waiting}`, { ...request, caller: "other" });
  expect(foreign.status === 403, "no decision of who is no admin", foreign);
  tally.rejected(String(foreign.body.code));
  const { status } = await api.ask(`/api/approvals/${waiting}`, { ...request, caller: ADMIN });
  expect(status === 200, "a decision", status);
  const late = await api.ask(`/api/approvals/${waiting}`, { ...request, caller: ADMIN });
  expect(late.body.code === "APPROVAL_NOT_FOUND", "one decision", late);
  tally.rejected("APPROVAL_NOT_FOUND");
  const { state } = await job.leaves(["queued", "running"]);
  expect(state === (isApproved ? "completed" : "failed"), `a job after ${decision}`, state);
  await hasText(path, isApproved ? "after" : "before");
  if (isApproved) tally.answered(SITE);
  else tally.refused(SITE, "DECLINED", true);
}

async function cancelled(parts: ScenarioParts, { id }: ScenarioRun): Promise<void> {
  const { tally } = parts;
  const { path, job } = await startEdit(parts, id);
  expect((await job.ask("/cancel", { method: "POST" })).status === 202, "a cancellation", id);
  const { state } = await job.leaves(["queued", "running"]);
  expect(state === "cancelled", "a cancelled job", state);
  await hasText(path, "before");
  tally.cancelled(SITE);
}

/** Starts an edit of a file of its own, and waits until it waits. */
async function startEdit({ api, services }: ScenarioParts, id: number) {
  const path = `${services.folder}/approval-${id}`;
  await Deno.writeTextFile(path, "before");
  const args = { path, edits: [{ old: "before", new: "after" }] };
  const job = await startJob(api, { tool: "edit-file", args }, { caller: "asker" });
  let waiting: string | undefined;
  const isWaiting = await waitFor(async () => {
    const { body: { approvals } } = await api.ask("/api/approvals", { caller: ADMIN });
    const all: { id: string; job?: string }[] = Array.isArray(approvals) ? approvals : [];
    waiting = all.find((one) => one.job === job.id)?.id;
    return waiting !== undefined;
  }, LONGEST_MS);
  expect(isWaiting, "a job that waits for approval", job.id);
  return { path, job, waiting };
}

async function hasText(path: string, text: string): Promise<void> {
  const found = await Deno.readTextFile(path);
  await Deno.remove(path);
  expect(found === text, `the text "${text}"`, found);
}
