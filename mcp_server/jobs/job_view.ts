import { type CallEnding, type CallOutcome, endingOf } from "../tool/result.ts";
import { isFinal, type Job, toOutputRange } from "../tool/job.ts";
import type { StoredJob } from "./job_store.ts";
import type { JsonObject } from "../shared/json.ts";

/** A stored job as callers see it, with its result if the outcome is given. */
export function toJob(stored: StoredJob, outcome?: CallOutcome): Job {
  const { id, tool, state, caller, stdin, length, outputBytes, error } = stored;
  const { createdAt, startedAt, endedAt, expiresAt, serverName: server, attempt } = stored;
  return {
    id,
    tool,
    state,
    caller,
    ...(server === undefined ? {} : { server }),
    ...(attempt === undefined ? {} : { attempt }),
    createdAt: toIso(createdAt),
    ...(startedAt === undefined ? {} : { startedAt: toIso(startedAt) }),
    ...(endedAt === undefined ? {} : { endedAt: toIso(endedAt) }),
    ...(expiresAt === undefined ? {} : { expiresAt: toIso(expiresAt) }),
    ...toEnding(stored, outcome),
    ...(stdin ? { stdin } : {}),
    output: {
      stdout: toOutputRange(length.stdout, outputBytes),
      stderr: toOutputRange(length.stderr, outputBytes),
    },
    ...(isFinal(state) && outcome?.ok === true ? { result: toResult(outcome) } : {}),
    ...(error === undefined ? {} : { error }),
  };
}

/** How a job has ended; the row of an older version has no ending. */
function toEnding({ state, ending }: StoredJob, outcome?: CallOutcome): Partial<CallEnding> {
  if (state === "queued" || state === "running") return {};
  if (state !== "completed") return { outcome: state };
  return ending ?? (outcome?.ok === true ? endingOf(toResult(outcome)) : {});
}

/** The response of the HTTP API to a call. */
function toResult({ result }: CallOutcome & { ok: true }): JsonObject {
  return result.structuredContent ?? JSON.parse(JSON.stringify({ content: result.content ?? [] }));
}

function toIso(time: number): string {
  return new Date(time).toISOString();
}
