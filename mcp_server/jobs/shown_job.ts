import { namesSecret, REDACTED } from "../access/redact.ts";
import { isJsonObject, type JsonObject, withoutUnset } from "../shared/json.ts";
import { isFinal, type Job, toOutputRange } from "../tool/job.ts";
import { type CallEnding, type CallOutcome, endingOf, outputOf } from "../tool/result.ts";
import type { StoredJob } from "./job_store.ts";

/** A stored job as callers see it, with its result if the outcome is given. */
export function toJob(stored: StoredJob, outcome?: CallOutcome): Job {
  const { id, tool, title, state, caller, stdin, length, outputBytes, error } = stored;
  const { createdAt, startedAt, endedAt, expiresAt, serverName: server, attempt, waiting } = stored;
  const { questions } = stored;
  return {
    id,
    tool,
    ...(title === undefined ? {} : { title }),
    state,
    caller,
    ...withoutUnset({ server, attempt, waiting, questions }),
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
  const output = outputOf(result);
  const { structuredContent: data } = result;
  return output === data ? data : JSON.parse(JSON.stringify(output));
}

function toIso(time: number): string {
  return new Date(time).toISOString();
}

/** The most characters of JSON text that are kept of the arguments of a job. */
const MOST_CHARS = 64 * 1024;

/** Arguments whose values are kept for nobody: what commands read, and their variables. */
const UNKEPT: ReadonlySet<string> = new Set(["env", "stdin"]);

/**
 * The text that is kept of the call of a job: its terminal, and its arguments as JSON with the secrets
 * redacted that `redact()` finds in a text, or the name of a key says, and without the values of
 * variables and of input. Arguments are left out if they are longer than 64 Ki characters, or no object.
 */
export function toKeptCall(
  { args = {}, tty }: { readonly args?: unknown; readonly tty: Job["tty"] },
  redact: (text: string) => string,
): string {
  if (!isJsonObject(args)) return JSON.stringify({ tty });
  let argsMasked: true | undefined;
  const mask = (key: string, value: unknown): unknown => {
    const shown = maskValue(key, value, redact);
    if (shown !== value) argsMasked = true;
    return shown;
  };
  const kept = JSON.stringify(args, mask);
  if (kept.length > MOST_CHARS) return JSON.stringify({ tty });
  return JSON.stringify({ args: JSON.parse(kept), argsMasked, tty });
}

function maskValue(key: string, value: unknown, redact: (text: string) => string): unknown {
  if (UNKEPT.has(key)) return withoutTexts(value);
  if (namesSecret(key, value)) return REDACTED;
  return typeof value === "string" ? redact(value) : value;
}

/** The names of variables stay; a flag is no input. */
function withoutTexts(value: unknown): unknown {
  if (typeof value === "string") return REDACTED;
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.keys(value).map((name) => [name, REDACTED]));
}

/** Reads what {@linkcode toKeptCall} wrote. */
export function parseKeptCall(text: string): Pick<Job, "args" | "argsMasked" | "tty"> {
  return JSON.parse(text);
}
