import { expect } from "../checks.ts";
import { KEPT_BYTES } from "../server/soak_server.ts";
import type { CallSite } from "../tally.ts";
import { type ApiJob, follow, shell, startJob } from "./api_job.ts";
import { oneAtATime, pause } from "../waiting.ts";
import type { Scenario, ScenarioParts, ScenarioRun } from "./scenario.ts";

const JOB: CallSite = { transport: "jobs of the HTTP API", server: "http" };

/** Jobs that are started and used through the HTTP API. */
export function jobScenarios(parts: ScenarioParts): Scenario[] {
  // The caller of the quota may have one job.
  const alone = { atQuota: oneAtATime(atQuota) };
  const runs = { followed, inRanges, withInput, cancelled, twice, timedOut, flooded, foreign };
  return Object.entries({ ...runs, ...alone }).map(([name, run]) => ({
    name: `job, ${name}`,
    weight: 3,
    run: (one) => run(parts, one),
  }));
}

/** The lines that `seq` writes. */
function lines(first: number, last: number): string {
  return Array.from({ length: last - first + 1 }, (_, at) => `${first + at}\n`).join("");
}

async function followed({ api, tally }: ScenarioParts, { random }: ScenarioRun): Promise<void> {
  const [some, all] = [random.below(9_000), 9_000 + random.below(9_000)];
  const command = `seq ${some}; sleep 0.${random.below(5)}; seq ${some + 1} ${all}; exit 3`;
  const job = await startJob(api, shell(command));
  const { stdout, states, last } = await follow(api, job, { random });
  expect(stdout === lines(1, all), "the whole output in events", stdout.length);
  expect(states.join() === "queued,running,completed", "each state once", states);
  expect(JSON.stringify(last.data).includes('"exitCode":3'), "the exit code", last);
  const { status } = await job.ask("/events", { headers: { "last-event-id": last.id } });
  expect(status === 204, "no event after the last", status);
  tally.answered(JOB);
}

async function inRanges({ api, tally }: ScenarioParts, { random }: ScenarioRun): Promise<void> {
  const all = 5_000 + random.below(9_000);
  const job = await startJob(api, shell(`seq 2000; sleep 0.2; seq 2001 ${all}`));
  let text = "";
  for (let isOver = false; !isOver;) {
    const { state } = (await job.ask()).body;
    const last = random.below(2) === 0 ? "" : `${text.length + random.below(9_000)}`;
    const headers = { range: `bytes=${text.length}-${last}` };
    const { status, body } = await job.ask("/stdout", { headers });
    expect(status === 206 || status === 416, "a range of the output", { status, body });
    if (status === 206) text += String(body.text);
    else if (state === "queued" || state === "running") await job.ask("?wait=1");
    else isOver = true;
  }
  expect(text === lines(1, all), "the whole output in ranges", text.length);
  tally.answered(JOB);
  expect((await job.ask("", { method: "DELETE" })).status === 204, "a deleted job", job.id);
  expect((await job.ask()).status === 404, "no job after its deletion", job.id);
}

async function withInput(
  { api, tally }: ScenarioParts,
  { id, random }: ScenarioRun,
): Promise<void> {
  const job = await startJob(api, shell("cat; echo over", { stdin: true }));
  await job.leaves(["queued"]);
  const texts = Array.from({ length: 1 + random.below(4) }, (_, at) => `${id}-${at} ä\n`);
  for (const [at, body] of texts.entries()) {
    const end = at === texts.length - 1 ? "?end=true" : "";
    const { status } = await job.ask(`/stdin${end}`, { method: "POST", body });
    expect(status === 204, "accepted input", status);
  }
  const { state, result } = await job.leaves(["running"]);
  expect(state === "completed", "a job that read its input", state);
  const stdout = JSON.stringify(`${texts.join("")}over\n`);
  expect(JSON.stringify(result).includes(`"stdout":${stdout}`), `the input ${stdout}`, result);
  const late = await job.ask("/stdin", { method: "POST", body: "late" });
  expect(late.status === 409, "input refused after the end", late);
  tally.answered(JOB);
}

async function cancelled(parts: ScenarioParts, { id, random }: ScenarioRun): Promise<void> {
  const { api, tally, services: { endless } } = parts;
  const job = await startJob(api, shell(`echo begun; ${endless}${id} & ${endless}${id}`));
  await pause(random.below(400));
  const early = await job.ask("", { method: "DELETE" });
  expect(early.body.code === "JOB_NOT_ENDED", "no deletion of a live job", early);
  await stop(job);
  tally.cancelled(JOB);
  expect((await job.ask("", { method: "DELETE" })).status === 204, "a deleted job", job.id);
}

async function stop(job: ApiJob): Promise<void> {
  const { status } = await job.ask("/cancel", { method: "POST" });
  expect(status === 202, "an accepted cancellation", status);
  const { state } = await job.leaves(["queued", "running"]);
  expect(state === "cancelled", "a cancelled job", state);
}

/** The same key twice is one job; with another body, it is refused. */
async function twice({ api, tally }: ScenarioParts, { id, random }: ScenarioRun): Promise<void> {
  const headers = { "idempotency-key": `soak ${id} ${random.below(1e9)}` };
  const call = shell("cat", { stdin: true });
  const [job, same] = await Promise.all([1, 2].map(() => startJob(api, call, { headers })));
  expect(job !== undefined && same?.id === job.id, "one job for one key", [job?.id, same?.id]);
  const prefer = { prefer: "respond-async", ...headers };
  const other = await api.post(shell("echo other"), { headers: prefer });
  expect(other.body.code === "IDEMPOTENCY_KEY_REUSED", "a key that was used", other);
  tally.rejected("IDEMPOTENCY_KEY_REUSED");
  await job.leaves(["queued"]);
  await job.ask("/stdin?end=true", { method: "POST", body: "" });
  const { state } = await job.leaves(["running"]);
  expect(state === "completed", "a job", state);
  tally.answered(JOB);
}

async function timedOut(
  { api, tally, services }: ScenarioParts,
  { id }: ScenarioRun,
): Promise<void> {
  const call = shell(`${services.endless}${id}`, { timeoutMs: 200 });
  const job = await startJob(api, call);
  const { state, result } = await job.leaves(["queued", "running"]);
  const text = JSON.stringify(result);
  expect(state === "completed" && text.includes('"timedOut":true'), "a time-out", { state, text });
  tally.event("time-outs of jobs");
  tally.answered(JOB);
}

/** More output than is kept: the head and the tail, with a gap that is reported. */
async function flooded({ api, tally }: ScenarioParts, { random }: ScenarioRun): Promise<void> {
  const job = await startJob(api, shell("seq 300000"));
  const { stdout } = await follow(api, job, { random });
  const { output: { stdout: { end, gap } } } = await job.leaves(["queued", "running"]);
  const text = lines(1, 300_000);
  expect(end === text.length && gap !== undefined, "a gap", { end, gap });
  expect(gap.from + end - gap.to <= KEPT_BYTES, "no more than is kept", gap);
  expect(stdout.endsWith("\n299999\n300000\n"), "the end of a flood", stdout.slice(-50));
  const whole = await job.ask("/stdout");
  const kept = text.slice(0, gap.from) + text.slice(gap.to);
  expect(String(whole.body.text) === kept, "head and tail", String(whole.body.text).length);
  tally.answered(JOB);
}

/** A job of one caller is not there for another one, except for an admin. */
async function foreign(
  { api, tally, services }: ScenarioParts,
  { id }: ScenarioRun,
): Promise<void> {
  const job = await startJob(api, shell(`${services.endless}${id}`));
  for (
    const [path, method] of [["", "GET"], ["", "DELETE"], ["/events", "GET"], ["/cancel", "POST"]]
  ) {
    const { status } = await job.ask(path, { method, caller: "other" });
    expect(status === 404, "no job of another caller", { path, method, status });
    tally.rejected("JOB_NOT_FOUND");
  }
  const seen = await job.ask("", { caller: "default" });
  expect(seen.status === 200, "the job for an admin", seen);
  const { status } = await job.ask("/cancel", { method: "POST", caller: "default" });
  expect(status === 202, "a cancellation by an admin", status);
  await job.leaves(["queued", "running"]);
  tally.cancelled(JOB);
}

/** The caller may have one job, and one call. */
async function atQuota(
  { api, tally, services }: ScenarioParts,
  { id }: ScenarioRun,
): Promise<void> {
  const caller = "quota";
  const sleep = shell(`${services.endless}${id}`, { timeoutMs: 20_000 });
  const job = await startJob(api, sleep, { caller });
  const prefer = { prefer: "respond-async" };
  const second = await api.post(sleep, { caller, headers: prefer });
  expect(second.status === 429 && second.body.code === "BUSY", "one job too many", second);
  tally.rejected("BUSY");
  const long = await api.post(shell("true", { timeoutMs: 30_000 }), { caller, headers: prefer });
  expect(long.body.code === "INVALID_ARGUMENTS", "a time-out that is too long", long);
  tally.refused(JOB, "INVALID_ARGUMENTS", true);
  await stop(job);
  tally.cancelled(JOB);
}
