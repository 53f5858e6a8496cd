import register from "../../tools/sql-query.ts";
import type { SqlBatchResult } from "../toolkit/sql/run_batch.ts";
import { type Caller, DEFAULT_CALLER } from "../access/caller.ts";
import { defaultLimits } from "../shared/limits.ts";
import { registerTool } from "./call_tool.ts";
import { NO_SECRETS } from "../access/caller_secrets.ts";
import { NO_JOBS } from "./no_jobs.ts";

/** What a test sends to the tool. */
export interface SqlArgs {
  readonly batches: readonly object[];
  readonly timeoutMs?: number;
  readonly maxRows?: number;
  readonly rowsAs?: string;
}

/** The tool, registered once, so that its connections are kept between the calls. */
export interface SqlTool extends AsyncDisposable {
  /** Calls it; rejects if the arguments are wrong. */
  call(args: SqlArgs, signal?: AbortSignal): Promise<SqlBatchResult[]>;
  /** Runs queries in one batch. */
  batch(queries: readonly string[], more?: object): Promise<SqlBatchResult>;
  /** Runs one query and returns its rows; rejects if it fails. */
  rows(query: string, params?: readonly unknown[]): Promise<Record<string, unknown>[]>;
}

/** Registers the tool with an environment; its connections are closed at the end. */
export async function createSqlTool(
  env: Record<string, string>,
  caller: Caller = DEFAULT_CALLER,
): Promise<SqlTool> {
  const shutdownHooks: (() => void | Promise<void>)[] = [];
  const module: typeof register = (context) =>
    register({ ...context, onShutdown: (end) => void shutdownHooks.push(end) });
  const tool = await registerTool(module, "sql-query", { env });
  const silent = () => {};

  const call: SqlTool["call"] = async (args, signal = new AbortController().signal) => {
    const input = await tool.validate(args);
    if (!input.ok) throw new TypeError(`Cannot call the tool: ${JSON.stringify(input.issues)}`);
    const result = await tool.run(input.value, {
      signal,
      limits: defaultLimits(2),
      caller,
      jobs: NO_JOBS,
      secrets: NO_SECRETS,
      requestId: "test",
      commands: { run: () => Promise.reject(new Error("Cannot run commands here")) },
      progress: silent,
      output: silent,
      commandEnded: silent,
      ask: () => Promise.reject(new Error("Cannot ask here")),
      sendNotification: () => Promise.resolve(),
    });
    const output = await tool.validateOutput?.(result.structuredContent);
    if (output?.ok === false) throw new TypeError("Cannot use the output: it breaks the schema");
    return JSON.parse(JSON.stringify(result.structuredContent)).results;
  };
  const batch: SqlTool["batch"] = async (queries, more = {}) => {
    const [result] = await call({ batches: [{ queries, ...more }] });
    if (result === undefined) throw new TypeError("Cannot use the output: there is no result");
    return result;
  };
  const rows: SqlTool["rows"] = async (query, params) => {
    const { results: [result] } = await batch([query], params ? { params: [params] } : {});
    if (result?.success !== true) throw new Error(`Cannot query: ${JSON.stringify(result?.error)}`);
    return result.rows;
  };
  return {
    call,
    batch,
    rows,
    [Symbol.asyncDispose]: async () => {
      for (const hook of shutdownHooks) await hook();
    },
  };
}
