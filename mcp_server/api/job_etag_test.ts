import { strictEqual } from "node:assert/strict";
import type { Job } from "../tool/job.ts";
import { parseKnownJob, toETag } from "./job_resource.ts";

function job(state: Job["state"], stdout: number): Job {
  const output = { stdout: { start: 0, end: stdout }, stderr: { start: 0, end: 0 } };
  return {
    id: "a",
    tool: "echo",
    caller: "default",
    state,
    createdAt: "2026-01-01T00:00:00Z",
    output,
  };
}

const RUNNING = job("running", 5);

Deno.test("toETag() changes with the state and the output", () => {
  const tags = [RUNNING, job("completed", 5), job("running", 6)].map(toETag);
  strictEqual(new Set(tags).size, 3);
});

const HEADERS: readonly [header: string | null, isCurrent: boolean, state?: Job["state"]][] = [
  [null, false],
  ["", false],
  ["*", true],
  ['"running-5-0"', true, "running"],
  ['W/"running-5-0"', true, "running"],
  ['"x", "running-5-0"', true, "running"],
  ['"running-4-0"', false, "running"],
  ['"queued-0-0"', false, "queued"],
  ['"walking-5-0"', false],
  ["running-5-0", false],
];

for (const [header, isCurrent, state] of HEADERS) {
  Deno.test(`parseKnownJob() reads ${header}`, () => {
    const known = parseKnownJob(header);
    strictEqual(known.isCurrent(RUNNING), isCurrent);
    strictEqual(known.state, state);
  });
}
