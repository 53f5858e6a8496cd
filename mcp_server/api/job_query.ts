import { quote } from "../shared/error.ts";
import { JOB_STATES, type JobState } from "../tool/job.ts";
import type { JobQuery } from "../tool/job_service.ts";
import type { Problem } from "../http/problem.ts";
import { badParameter } from "../http/job_problem.ts";
import { MOST_WAIT_SECONDS } from "./prefer.ts";

/** A value out of the query of a URL, or the problem with it. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: Problem };

const NUMBER = /^[+-]?\d+(?:\.\d+)?$/;
/** Reads which jobs are listed. An empty parameter counts as absent. */
export function parseJobQuery(parameters: URLSearchParams): Parsed<JobQuery> {
  const state = parameters.get("state") || undefined;
  if (state !== undefined && !isJobState(state)) {
    return wrong("state", `must be one of ${JOB_STATES.join(", ")}, not ${quote(state)}`);
  }
  const limit = parseNumber(parameters, "limit");
  if (!limit.ok) return limit;
  const tool = parameters.get("tool") || undefined;
  const cursor = parameters.get("cursor") || undefined;
  const value = {
    ...(state === undefined ? {} : { state }),
    ...(tool === undefined ? {} : { tool }),
    ...(limit.value === undefined ? {} : { limit: limit.value }),
    ...(cursor === undefined ? {} : { cursor }),
  };
  return { ok: true, value };
}

/** Reads how long to wait, in milliseconds; more than 60 s and less than nothing are clamped. */
export function parseWait(parameters: URLSearchParams): Parsed<number> {
  const seconds = parseNumber(parameters, "wait");
  if (!seconds.ok) return seconds;
  const clamped = Math.min(Math.max(seconds.value ?? 0, 0), MOST_WAIT_SECONDS);
  return { ok: true, value: clamped * 1_000 };
}

/** Reads whether the input ends after the body. */
export function parseEnd(parameters: URLSearchParams): Parsed<boolean> {
  const end = parameters.get("end") || "false";
  if (end === "true" || end === "false") return { ok: true, value: end === "true" };
  return wrong("end", `must be true or false, not ${quote(end)}`);
}

function parseNumber(parameters: URLSearchParams, name: string): Parsed<number | undefined> {
  const text = parameters.get(name) || undefined;
  if (text === undefined) return { ok: true, value: undefined };
  return NUMBER.test(text)
    ? { ok: true, value: Number(text) }
    : wrong(name, `must be a number, not ${quote(text)}`);
}

function isJobState(text: string): text is JobState {
  return JOB_STATES.some((state) => state === text);
}

function wrong(name: string, message: string): Parsed<never> {
  return { ok: false, problem: badParameter(name, message) };
}
