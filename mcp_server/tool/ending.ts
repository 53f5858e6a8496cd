import { isJsonObject, type JsonObject, type JsonValue } from "../shared/json.ts";

/** How a call or a job ended, in a word. */
export type EndingKind = "ok" | "failed" | "timeout" | "cancelled" | "lost";

/** How a call ended, without its output. Optional keys appear if they apply. */
export interface CallEnding {
  /**
   * `ok`: whatever the tool ran succeeded. `failed`: a command or query of it failed, or the call
   * has no result. `timeout`: the first command that failed was stopped by its time-out.
   */
  readonly outcome: EndingKind;
  /** Exit code of the first command that failed, or 0. */
  readonly exitCode?: number;
  /** How many commands and queries there were, if several, and how many of them failed. */
  readonly parts?: {
    readonly total: number;
    readonly failed: number;
  };
}

/** What one command or query came to. */
interface Part {
  readonly failed: boolean;
  readonly timedOut?: boolean;
  readonly exitCode?: number;
}

/** How deep results are within each other: those of the commands of a host, and the host's. */
const DEPTH = 2;

/** What the result of a tool says about the commands and queries that it ran. */
export function endingOf(result: JsonObject): CallEnding {
  const parts = partsOf(result, DEPTH);
  const failures = parts.filter(({ failed }) => failed);
  const [decisive = parts.find(({ exitCode }) => exitCode !== undefined)] = failures;
  const outcome = failures.length === 0 ? "ok" : decisive?.timedOut ? "timeout" : "failed";
  const { exitCode } = decisive ?? {};
  return {
    outcome,
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(parts.length > 1 ? { parts: { total: parts.length, failed: failures.length } } : {}),
  };
}

/** The results of commands and queries, wherever a tool puts them. */
function partsOf(value: JsonValue, depth: number): readonly Part[] {
  if (!isJsonObject(value)) return [];
  const { results } = value;
  if (depth === 0 || !Array.isArray(results)) return toParts(value);
  const parts = results.flatMap((one) => partsOf(one, depth - 1));
  const isExplained = !isJsonObject(value.error) || parts.some(({ failed }) => failed);
  return isExplained ? parts : [...parts, { failed: true }];
}

function toParts({ exitCode, timedOut, success, skipped }: JsonObject): readonly Part[] {
  if (typeof exitCode === "number") {
    const isStopped = timedOut === true;
    return [{ failed: isStopped || exitCode !== 0, timedOut: isStopped, exitCode }];
  }
  if (typeof success !== "boolean") return [];
  return [{ failed: !success && skipped !== true }];
}
