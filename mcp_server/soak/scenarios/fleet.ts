import { expect } from "../checks.ts";
import { type ApiClient, LONGEST_MS } from "../clients/api_client.ts";
import { type FleetServers, LABEL } from "../server/fleet_servers.ts";
import type { CallSite } from "../tally.ts";
import { waitFor } from "../waiting.ts";
import { type ApiJob, follow, jobAt, shell, startJob } from "./api_job.ts";
import type { Scenario, ScenarioParts, ScenarioRun } from "./scenario.ts";

const SITE: CallSite = { transport: "jobs of a fleet of two", server: "fleet" };
const LIVE = ["queued", "running"] as const;
/** The jobs that run while a server restarts. */
const RESTARTED_JOBS = 4;
const ADMIN = "default";

type Use = (fleet: FleetServers, parts: ScenarioParts, run: ScenarioRun) => Promise<void>;

/** Jobs of two servers, one of which restarts; none without PostgreSQL. */
export function fleetScenarios(parts: ScenarioParts): Scenario[] {
  const { fleet } = parts;
  if (fleet === undefined) return [];
  const shared: Record<string, Use> = { onLabel, withInput, stopped, twice, approved };
  return [
    ...Object.entries(shared).map(([name, use]) => ({
      name: `fleet, ${name}`,
      weight: 3,
      run: (one: ScenarioRun) => fleet.share(() => use(fleet, parts, one)),
    })),
    {
      name: "fleet, a restart",
      run: (one) => fleet.alone(() => restarted(fleet, parts, one)),
    },
  ];
}

/** One server to ask, and the other one. */
function bothOf({ first, second }: FleetServers, { random }: ScenarioRun): [ApiClient, ApiClient] {
  return random.below(2) === 0 ? [first, second] : [second, first];
}

/** The same job, asked for at another server. */
function at(api: ApiClient, { id }: ApiJob, caller = "worker"): ApiJob {
  return jobAt(api, id, caller);
}

/** A job for a label writes the same output to whichever server is asked, without its secret. */
async function onLabel(fleet: FleetServers, { tally }: ScenarioParts, one: ScenarioRun) {
  const [asked, other] = bothOf(fleet, one);
  const last = 1 + one.random.below(9_000);
  const command = `echo $SOAK_TOKEN; seq ${last}; sleep 0.${one.random.below(5)}; echo over`;
  const call = { ...shell(command, { secrets: ["SOAK_TOKEN"] }), on: LABEL };
  const job = await startJob(asked, call);
  const { stdout } = await follow(other, job, one);
  const lines = Array.from({ length: last }, (_, index) => `${index + 1}\n`).join("");
  expect(stdout === `[SOAK_TOKEN]\n${lines}over\n`, "the whole output", stdout.length);
  const { body } = await at(other, job).ask();
  expect(body.server === "web-2" && body.attempt === 1, "the server with the label", body);
  tally.answered(SITE);
}

/** Input through one server reaches the terminal of a job on another one. */
async function withInput(fleet: FleetServers, { tally }: ScenarioParts, one: ScenarioRun) {
  const [asked, other] = bothOf(fleet, one);
  const name = one.random.pick(["web-1", "web-2"]);
  const tty = { rows: 24, cols: 80 + one.random.below(80) };
  const { tool, args } = shell(`stty size; read name; echo "hello $name"`);
  const job = at(other, await startJob(asked, { tool, args, tty, on: `name:${name}` }));
  await job.leaves(["queued"]);
  const { status } = await job.ask("/stdin", { method: "POST", body: "Ada\n" });
  expect(status === 204, "accepted input", status);
  const { state, server, result } = await at(asked, job).leaves(LIVE);
  const text = JSON.stringify(result);
  const isRight = state === "completed" && server === name && text.includes("hello Ada") &&
    text.includes(`24 ${tty.cols}`);
  expect(isRight, `a terminal on ${name}`, { state, server, text });
  tally.answered(SITE);
}

/** The server that does not run a job stops it; another caller can't. */
async function stopped(fleet: FleetServers, { tally, services }: ScenarioParts, one: ScenarioRun) {
  const [runs, other] = bothOf(fleet, one);
  const on = runs === fleet.first ? "name:web-1" : LABEL;
  const { endless } = services;
  const command = `echo begun; ${endless}${one.id} & ${endless}${one.id}`;
  const job = at(other, await startJob(other, { ...shell(command), on }));
  await job.leaves(["queued"]);
  const foreign = await job.ask("/cancel", { method: "POST", caller: "other" });
  expect(foreign.status === 404, "no job of another caller", foreign);
  tally.rejected("JOB_NOT_FOUND");
  expect((await job.ask("/cancel", { method: "POST" })).status === 202, "a cancellation", on);
  const { state } = await at(runs, job).leaves(LIVE);
  expect(state === "cancelled", "a cancelled job", state);
  tally.cancelled(SITE);
  expect((await job.ask("", { method: "DELETE" })).status === 204, "a deleted job", job.id);
  expect((await at(runs, job).ask()).status === 404, "no job on the other server", job.id);
}

/** A key that both servers get at once starts one job. */
async function twice(fleet: FleetServers, { tally }: ScenarioParts, { id, random }: ScenarioRun) {
  const headers = { "idempotency-key": `fleet ${id} ${random.below(1e9)}` };
  // A job that waits for input: once it has ended, its key is answered with its result.
  const call = { ...shell("cat", { stdin: true }), on: LABEL };
  const both = [fleet.first, fleet.second].map((api) => startJob(api, call, { headers }));
  const [job, same] = await Promise.all(both);
  expect(job !== undefined && job.id === same?.id, "one job for one key", [job?.id, same?.id]);
  await job.leaves(["queued"]);
  await job.ask("/stdin?end=true", { method: "POST", body: `${id}` });
  const { state, result } = await job.leaves(LIVE);
  const text = JSON.stringify(result);
  expect(state === "completed" && text.includes(`"stdout":"${id}"`), "its input", { state, text });
  tally.answered(SITE);
}

/** An admin decides at one server about a job that waits on the other one. */
async function approved(fleet: FleetServers, { tally, services }: ScenarioParts, one: ScenarioRun) {
  const path = `${services.folder}/fleet/approval-${one.id}`;
  await Deno.writeTextFile(path, "before");
  const args = { path, edits: [{ old: "before", new: "after" }] };
  const call = { tool: "edit-file", args, on: LABEL };
  const job = await startJob(fleet.first, call, { caller: "asker" });
  let waiting: string | undefined;
  await waitFor(async () => {
    const { body } = await fleet.first.ask("/api/approvals?server=*", { caller: ADMIN });
    const all: { id: string; job?: string }[] = Array.isArray(body.approvals) ? body.approvals : [];
    waiting = all.find((approval) => approval.job === job.id)?.id;
    return waiting !== undefined;
  }, LONGEST_MS);
  expect(waiting !== undefined, "a job that waits for approval", job.id);
  const decision = one.random.below(2) === 0 ? "approve" : "decline";
  const { status } = await fleet.first.ask(`/api/approvals/${waiting}`, {
    method: "POST",
    caller: ADMIN,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ decision }),
  });
  expect(status === 200, "a decision", status);
  const { state } = await job.leaves(LIVE);
  const text = await Deno.readTextFile(path);
  await Deno.remove(path);
  const [goodState, goodText] = decision === "approve"
    ? ["completed", "after"]
    : ["failed", "before"];
  expect(state === goodState && text === goodText, `an edit after ${decision}`, { state, text });
  if (decision === "approve") tally.answered(SITE);
  else tally.refused(SITE, "DECLINED", true);
}

/** No job is lost or fails: what the server stops runs again, with its whole output. */
async function restarted(fleet: FleetServers, { tally }: ScenarioParts, { id }: ScenarioRun) {
  const command = `echo ${id}; sleep 1; echo over`;
  const jobs = await Promise.all(Array.from({ length: RESTARTED_JOBS }, (_, index) => {
    const on = index % 2 === 0 ? { on: LABEL } : {};
    return startJob(fleet.first, { ...shell(command), retries: 1, ...on });
  }));
  await jobs[0]?.leaves(["queued"]);
  await fleet.restart();
  for (const job of jobs) {
    const { state, attempt, result } = await job.leaves(LIVE);
    const text = JSON.stringify(result);
    const isRight = state === "completed" && attempt === 1 && text.includes(`"${id}\\nover\\n"`);
    expect(isRight, "a job that a restart left alone", { state, attempt, text });
    tally.answered(SITE);
    // What the restart stopped has run twice.
    tally.dispatched.fleet.maybe++;
  }
  const ready = await waitFor(async () => {
    const { body } = await fleet.first.ask("/api/servers", { caller: ADMIN });
    const servers: { state: string }[] = Array.isArray(body.servers) ? body.servers : [];
    return servers.length === 2 && servers.every(({ state }) => state === "ready");
  }, LONGEST_MS);
  expect(ready, "two servers that are ready", id);
  tally.event("restarts in the fleet");
}
